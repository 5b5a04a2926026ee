"""The admission plugins, one after the other, around every write of a request."""

from __future__ import annotations

from collections.abc import Iterable

from conformance.kube.resources import Resource
from conformance.reference.apiserver.admission.plugins import node_restriction, policies, quota
from conformance.reference.apiserver.admission.plugins.writes import Write
from conformance.reference.faults.seams import Faults
from conformance.reference.store.memory import Store


class Admission:
    """Lets a write pass, or raises what the first plugin says that does not."""

    def __init__(self, store: Store, served: Iterable[Resource], faults: Faults) -> None:
        self._plugins = (
            faults.wrap("apiserver.restrict_node", node_restriction.admit),
            policies.Policies(store, served, faults).admit,
            quota.Quotas(store, faults).admit,
        )

    def admit(self, write: Write) -> None:
        """Raise ``StatusError`` for a write that a plugin refuses."""
        for admit in self._plugins:
            admit(write)

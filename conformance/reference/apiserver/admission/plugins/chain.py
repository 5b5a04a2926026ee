"""The admission plugins, one after the other, around every write of a request."""

from __future__ import annotations

from collections.abc import Iterable

from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.apiserver.admission.plugins import (
    mutations,
    node_restriction,
    policies,
    priority,
    quota,
)
from conformance.reference.apiserver.admission.plugins.matching import Bound, version_asked
from conformance.reference.apiserver.admission.plugins.writes import CREATE, Write
from conformance.reference.faults.seams import Faults
from conformance.reference.store.memory import Store


class Admission:
    """Changes a new object, and lets a write pass or raises what the first plugin says."""

    def __init__(self, store: Store, served: Iterable[Resource], faults: Faults) -> None:
        served = tuple(served)
        asked = faults.wrap("apiserver.policy_version", version_asked)

        def bound(kind: str) -> Bound:
            return Bound(store=store, served=served, version_asked=asked, kind=kind)

        self._mutations = mutations.Mutations(bound("mutatingadmissionpolic"), faults)
        self._plugins = (
            priority.Priorities(store).admit,
            faults.wrap("apiserver.restrict_node", node_restriction.admit),
            policies.Policies(bound("validatingadmissionpolic"), faults).admit,
            quota.Quotas(store, faults).admit,
        )

    def mutate(self, write: Write) -> Object:
        """Return a new object as it is going to be stored; others are left as they are.

        Raises ``StatusError`` where a plugin refuses.
        """
        return self._mutations.mutate(write) if write.operation == CREATE else write.object

    def admit(self, write: Write) -> None:
        """Raise ``StatusError`` for a write that a plugin refuses."""
        for admit in self._plugins:
            admit(write)

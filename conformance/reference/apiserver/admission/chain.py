"""The admission plugins, one after the other, around every write of a request."""

from __future__ import annotations

from conformance.reference.apiserver.admission import node_restriction
from conformance.reference.apiserver.admission.writes import Write
from conformance.reference.faults.seams import Faults


class Admission:
    """Lets a write pass, or raises what the first plugin says that does not."""

    def __init__(self, faults: Faults) -> None:
        self._plugins = (faults.wrap("apiserver.restrict_node", node_restriction.admit),)

    def admit(self, write: Write) -> None:
        """Raise ``StatusError`` for a write that a plugin refuses."""
        for admit in self._plugins:
            admit(write)

"""How a scheduler can be wrong about a search for devices that has no end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.dra.allocation import SearchTooLongError
from conformance.kube.objects import name_of, uid_of
from conformance.reference.faults.seams import Saboteur


def _hidden(real: Any, claims: Any, **view: Any) -> Any:
    """Find nothing where the search takes too long."""
    try:
        return real(claims, **view)
    except SearchTooLongError:
        return None


class _Remembered:
    """Remembers the claims for which a search took too long, by node."""

    def __init__(self, *, same: bool) -> None:
        """Let these claims find nothing there any more if ``same``, or all others if not."""
        self._same = same
        self._known: dict[str, set[str]] = {}

    def __call__(self, real: Any, claims: Any, **view: Any) -> Any:
        """Find nothing, or what there is."""
        uids, node = {uid_of(claim) for claim in claims}, name_of(view["node"])
        known = self._known.get(node)
        if known is not None and bool(uids & known) is self._same:
            return None
        try:
            return real(claims, **view)
        except SearchTooLongError:
            self._known[node] = uids
            raise


#: Every saboteur of this module by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-hides-that-a-search-timed-out": _hidden,
    "scheduler-gives-up-after-a-long-search": _Remembered(same=True),
    "scheduler-keeps-devices-of-a-long-search": _Remembered(same=False),
}

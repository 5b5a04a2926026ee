"""Constraints across the devices of a claim (KEP-4381, KEP-5075)."""

from __future__ import annotations

from typing import Any

from conformance.dra.vocabulary import SCALAR_VALUES
from conformance.kube.objects import Object

#: Lists, and types that are still unknown. One such device alone satisfies a constraint; beside
#: others it never does (comparing lists needs DRAListTypeAttributes, which is not emulated).
_UNCOMPARED = "other"


class Constraint:
    """One constraint of a claim, and the values of the devices that were added."""

    def __init__(self, constraint: Object) -> None:
        self._requests = frozenset[str](constraint.get("requests") or ())
        self._distinct = not constraint.get("matchAttribute")
        self._attribute: str = constraint.get("matchAttribute") or constraint["distinctAttribute"]
        self._values: list[tuple[str, Any]] = []

    def applies(self, request: str) -> bool:
        """Return whether a request, ``name`` or ``name/subrequest``, is constrained."""
        if not self._requests:
            return True
        return request in self._requests or request.partition("/")[0] in self._requests

    def add(self, request: str, driver: str, device: Object) -> bool:
        """Add a device, or change nothing and return false where it does not fit.

        A device without the attribute fits no constraint.
        """
        if not self.applies(request):
            return True
        found = attribute(device, driver, self._attribute)
        if found is None:
            return False
        value = _value(found)
        if self._values and value[0] == _UNCOMPARED:
            return False
        equal = [value == other for other in self._values]
        if any(equal) if self._distinct else not all(equal):
            return False
        self._values.append(value)
        return True

    def remove(self, request: str) -> None:
        """Undo the latest ``add`` for the request that returned true."""
        if self.applies(request):
            self._values.pop()


def attribute(device: Object, driver: str, name: str) -> Object | None:
    """Return an attribute by its full name; without domain it stands under the driver's."""
    present = device.get("attributes") or {}
    if name in present:
        return present[name]
    domain, _, identifier = name.partition("/")
    return present.get(identifier) if domain == driver else None


def _value(found: Object) -> tuple[str, Any]:
    for key in SCALAR_VALUES:
        if found.get(key) is not None:
            return key, found[key]
    return _UNCOMPARED, None

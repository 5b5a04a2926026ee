"""Constraints across the devices of a claim (KEP-4381, KEP-5075, KEP-5491)."""

from __future__ import annotations

from typing import Any, TypeAlias

from conformance.dra.vocabulary import SCALAR_VALUES
from conformance.kube.objects import Object

#: Of which type the values of an attribute are, and what they are: as a set where lists count.
_Values: TypeAlias = tuple[str, Any]

#: Without DRAListTypeAttributes: lists, and types that are still unknown. One such device alone
#: satisfies a constraint; beside others it never does.
_UNCOMPARED = "other"


class Constraint:
    """One constraint of a claim, and the values of the devices that were added.

    ``lists`` tells whether attributes are compared as sets: then devices match that have a value
    in common, all of them the same, and are distinct that have none.
    """

    def __init__(self, constraint: Object, *, lists: bool = False) -> None:
        self._requests = frozenset[str](constraint.get("requests") or ())
        self._distinct = not constraint.get("matchAttribute")
        self._lists = lists
        #: The full name of the attribute that devices are compared by.
        self.attribute: str = constraint.get("matchAttribute") or constraint["distinctAttribute"]
        #: The values of each device; where lists match, what it has in common with those before.
        self._values: list[_Values] = []

    def applies(self, request: str) -> bool:
        """Return whether a request, ``name`` or ``name/subrequest``, is constrained."""
        if not self._requests:
            return True
        return request in self._requests or request.partition("/")[0] in self._requests

    def add(self, request: str, found: Object | None) -> bool:
        """Add a device with this attribute, or change nothing and return false if it does not fit.

        A device without the attribute fits no constraint.
        """
        if not self.applies(request):
            return True
        if found is None:
            return False
        kept = self._among(found) if self._lists else self._beside(found)
        if kept is None:
            return False
        self._values.append(kept)
        return True

    def remove(self, request: str) -> None:
        """Undo the latest ``add`` for the request that returned true."""
        if self.applies(request):
            self._values.pop()

    def _beside(self, found: Object) -> _Values | None:
        """Return the value of the device if it fits those before as one value each."""
        value = _value(found)
        if self._values and value[0] == _UNCOMPARED:
            return None
        equal = [value == other for other in self._values]
        return None if (any(equal) if self._distinct else not all(equal)) else value

    def _among(self, found: Object) -> _Values | None:
        """Return what is to be kept of the device if its set of values fits those before."""
        values = _set(found)
        if values is None:
            return None
        if self._distinct:
            return None if any(_common(values, other) for other in self._values) else values
        return _common(values, self._values[-1]) if self._values else values


def _value(found: Object) -> _Values:
    for key in SCALAR_VALUES:
        if found.get(key) is not None:
            return key, found[key]
    return _UNCOMPARED, None


def _set(found: Object) -> _Values | None:
    """Return the values of an attribute; nothing for an empty list and for unknown types."""
    for key in SCALAR_VALUES:
        if found.get(f"{key}s"):
            return key, frozenset(found[f"{key}s"])
    for key in SCALAR_VALUES:
        if found.get(key) is not None:
            return key, frozenset([found[key]])
    return None


def _common(one: _Values, other: _Values) -> _Values | None:
    if one[0] != other[0] or not one[1] & other[1]:
        return None
    return one[0], one[1] & other[1]

"""Values of expressions: their kinds, equality, order, fields and entries.

Null, booleans, numbers, texts and lists are Python's own; a map is a dictionary whose keys went
through ``key``. Source: cel-go's ``common/types``, whose asymmetries are kept on purpose.
"""

from __future__ import annotations

import math
from typing import Any

import attrs

from conformance.cel.engine.amounts import Amount
from conformance.cel.errors import EvaluationError
from conformance.cel.tree import Uint
from conformance.kube.semver import Version

NO_OVERLOAD = "no such overload"


@attrs.frozen(eq=False)
class Optional:
    """A value, or none."""

    value: Any = None
    present: bool = True


NONE = Optional(None, present=False)


@attrs.frozen
class TypeName:
    """The type of a value, as a value."""

    name: str


@attrs.frozen
class _BooleanKey:
    """A boolean as a key; Python's dictionaries take booleans for integers."""

    value: bool


class Joined(list[Any]):
    """Two lists in one: unlike other lists it fails where elements cannot be compared."""


class Defaulting(dict[Any, Any]):
    """A map that has an empty map for every key; it is not listed and not ``in`` the map."""


_KINDS: dict[type, str] = {
    type(None): "null_type",
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    Joined: "list",
    dict: "map",
    Defaulting: "map",
    Amount: "kubernetes.Quantity",
    Version: "kubernetes.Semver",
    Optional: "optional_type",
    TypeName: "type",
}
_NUMBERS = {"int", "uint", "double"}
_COMPARABLE = {"bool", "string", "bytes"}


def kind(value: Any) -> str:
    """Return the name of the value's type."""
    return _KINDS[type(value)]


def fault(detail: str = NO_OVERLOAD) -> EvaluationError:
    """Return what is raised where an operation has no result."""
    return EvaluationError(detail)


def equal(left: Any, right: Any) -> bool:
    """Return whether two values are equal; raises ``EvaluationError`` where that is no question."""
    if left is None or right is None:
        return left is right
    return _equal(left, right)


def _equal(left: Any, right: Any) -> bool:
    one, other = kind(left), kind(right)
    if one in _NUMBERS:
        return other in _NUMBERS and left == right
    if one in {"list", "map"}:
        return one == other and len(left) == len(right) and _all_equal(left, right)
    if one == "optional_type":
        return other == one and _equal_optionals(left, right)
    if one in {"kubernetes.Quantity", "kubernetes.Semver"}:
        return _equal_foreign(left, right)
    return one == other and left == right


def _equal_optionals(left: Optional, right: Optional) -> bool:
    if not (left.present and right.present):
        return left.present == right.present
    if left.value is None:
        return right.value is None
    return right.value is not None and _equal(left.value, right.value)


def _equal_foreign(left: Any, right: Any) -> bool:
    if kind(left) != kind(right) or getattr(right, "derived", False):
        raise fault()
    return left.exact == right.exact if isinstance(left, Amount) else left == right


def _all_equal(left: Any, right: Any) -> bool:
    if isinstance(left, dict):
        if any(one not in right for one in left):
            return False
        pairs = [(left[one], right[one]) for one in left]
    else:
        pairs = list(zip(left, right, strict=True))
    failure: EvaluationError | None = None
    for one, other in pairs:
        try:
            if not equal(one, other):
                return False
        except EvaluationError as error:
            failure = failure or error
    if failure is not None and isinstance(left, Joined):
        raise failure
    return True


def same(left: Any, right: Any) -> bool:
    """Return whether two values are certainly equal; never raises."""
    try:
        return _equal(left, right)
    except EvaluationError:
        return False


def compare(left: Any, right: Any) -> int:
    """Return -1, 0 or 1; raises ``EvaluationError`` for values that have no order."""
    one, other = kind(left), kind(right)
    if not (one in _NUMBERS and other in _NUMBERS) and (one != other or one not in _COMPARABLE):
        raise fault()
    if any(isinstance(each, float) and math.isnan(each) for each in (left, right)):
        raise fault("NaN values cannot be ordered")
    return (left > right) - (left < right)


def key(value: Any) -> Any:
    """Return a value as a key of a map; raises ``EvaluationError`` for what cannot be one."""
    name = kind(value)
    if name == "string":
        return value
    if name == "bool":
        return _BooleanKey(value)
    if name in {"int", "uint"}:
        return int(value)
    if name == "double" and value.is_integer():
        return int(value)
    raise fault(f"unsupported key type: {name}")


def keys(entries: dict[Any, Any]) -> list[Any]:
    """Return the keys of a map as values."""
    return [one.value if isinstance(one, _BooleanKey) else one for one in entries]


def member(container: Any, wanted: Any) -> bool:
    """Return whether a list or a map contains a value."""
    if isinstance(container, list):
        return any(same(wanted, one) for one in container)
    if not isinstance(container, dict):
        raise fault()
    try:
        return key(wanted) in container
    except EvaluationError:
        return False


def entry(container: Any, wanted: Any) -> Any:
    """Return an element or a field; raises ``EvaluationError`` where there is none."""
    if isinstance(container, list):
        index = _index(wanted)
        if 0 <= index < len(container):
            return container[index]
        raise fault(f"index out of bounds: {index}")
    found = find(container, wanted)
    if not found.present:
        raise fault(f"no such key: {wanted}")
    return found.value


def find(container: Any, wanted: Any) -> Optional:
    """Return an element or a field, or none; raises ``EvaluationError`` for a useless index."""
    if isinstance(container, list):
        index = _index(wanted)
        return Optional(container[index]) if 0 <= index < len(container) else NONE
    if isinstance(container, Optional):
        return find(container.value, wanted) if container.present else NONE
    if not isinstance(container, dict):
        return NONE
    try:
        name = key(wanted)
    except EvaluationError:
        return NONE
    if name in container:
        return Optional(container[name])
    return Optional({}) if isinstance(container, Defaulting) else NONE


def _index(value: Any) -> int:
    name = kind(value)
    if name in {"int", "uint"} or (name == "double" and value.is_integer()):
        return int(value)
    raise fault(f"unsupported index type '{name}' in list")


def size(value: Any) -> int:
    """Return the length of a text, list or map, and 1 for anything else."""
    if isinstance(value, str | bytes | list | dict):
        return len(value)
    if isinstance(value, Optional) and value.present:
        return size(value.value)
    return 1

"""What a call costs when it is evaluated, in the units of Kubernetes' cost limit.

Source: cel-go's ``interpreter/runtimecost.go`` and ``ext/lists.go``, Kubernetes'
``pkg/cel/library/cost.go``. One unit is about the time of one simple operation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from conformance.cel.engine.amounts import Amount
from conformance.cel.engine.values import size
from conformance.kube.semver import Version

#: Cost of reading one letter, and of one letter of a regular expression.
LETTER, PATTERN = 0.1, 0.25
#: Cost of making a list or a map.
LIST, MAP = 10, 30

_Price = Callable[[Sequence[Any], Any], int]


def _letters(count: int, factor: float = LETTER) -> int:
    return math.ceil(count * factor)


def _reading(place: int, times: int = 1) -> _Price:
    return lambda arguments, _: _letters(size(arguments[place]), times * LETTER)


def _matching(arguments: Sequence[Any], _: Any) -> int:
    text = math.ceil((1.0 + size(arguments[0])) * LETTER)
    return text * math.ceil(size(arguments[1]) * PATTERN)


def _traversing(value: Any) -> int:
    if isinstance(value, str | bytes):
        return int(len(value.encode() if isinstance(value, str) else value) * LETTER)
    if isinstance(value, list):
        return sum(map(_traversing, value))
    if isinstance(value, dict):
        return sum(_traversing(one) for pair in value.items() for one in pair)
    return 1


def _smaller(arguments: Sequence[Any], _: Any) -> int:
    return _letters(min(size(arguments[0]), size(arguments[1])))


def _making(factor: float, count: int) -> int:
    return int(count * max(factor, 0)) + 1 + LIST


def _comparing_all(arguments: Sequence[Any], _: Any) -> int:
    one = arguments[0]
    factor = 2.0 + (LETTER if one and isinstance(one[0], str | bytes) else 0)
    return _making(factor, len(one) ** 2)


def _flattening(arguments: Sequence[Any], _: Any) -> int:
    return _making(float(arguments[1]) if len(arguments) == 2 else 1.0, len(arguments[0]))


def _result(_: Sequence[Any], result: Any) -> int:
    return _making(1, size(result))


def _once(_arguments: Sequence[Any], _result: Any) -> int:
    return 1


def _whole(arguments: Sequence[Any], _: Any) -> int:
    return _traversing(arguments[0])


def _sets(arguments: Sequence[Any], _: Any) -> int:
    return size(arguments[0]) * size(arguments[1]) + 1


_BY_NAME: dict[str, _Price] = {
    **dict.fromkeys(
        ("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes"), _whole
    ),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _reading(0)),
    **dict.fromkeys(("quantity", "isQuantity", "semver", "isSemver"), _reading(0)),
    **dict.fromkeys(("replace", "split"), _reading(0, times=2)),
    **dict.fromkeys(("find", "findAll"), _matching),
    "join": lambda _, result: _letters(size(result), 2 * LETTER),
}
_BY_OVERLOAD: dict[str, _Price] = {
    **dict.fromkeys(("list_sets_contains_list", "list_sets_intersects_list"), _sets),
    "list_sets_equivalent_list": lambda arguments, _: 2 * _sets(arguments, _) - 1,
    **dict.fromkeys(("list_slice", "lists_range", "list_reverse"), _result),
    **dict.fromkeys(("list_flatten", "list_flatten_int"), _flattening),
    "list_distinct": _comparing_all,
    **dict.fromkeys(
        (f"list_{kind}_sort" for kind in ("int", "uint", "double", "bool", "string", "bytes")),
        _comparing_all,
    ),
    **dict.fromkeys(("starts_with_string", "ends_with_string"), _reading(1)),
    **dict.fromkeys(("string_to_bytes", "bytes_to_string", "strings_quote"), _reading(0)),
    **dict.fromkeys(("matches", "matches_string"), _matching),
    **dict.fromkeys(
        (
            f"{order}_{kind}"
            for order in ("less", "less_equals", "greater", "greater_equals")
            for kind in ("string", "bytes")
        ),
        _smaller,
    ),
    **dict.fromkeys(("equals", "not_equals"), _smaller),
    "in_list": lambda arguments, _: size(arguments[1]),
    "add_string": lambda arguments, _: _letters(size(arguments[0]) + size(arguments[1])),
    "add_bytes": lambda arguments, _: _letters(size(arguments[0]) + size(arguments[1])),
    "contains_string": lambda arguments, _: (
        _letters(size(arguments[0])) * _letters(size(arguments[1]))
    ),
}


def price(name: str, overloads: Sequence[str]) -> _Price:
    """Return what tells the cost of a call from its arguments and its result."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    overload = overloads[0] if len(overloads) == 1 else ""
    found = _BY_OVERLOAD.get(overload, _once)
    if name != "_==_":
        return found
    return lambda arguments, result: (
        1 if isinstance(arguments[0], Amount | Version) else found(arguments, result)
    )

"""Lists and sets, and what is done with quantities."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from conformance.cel.engine import amounts
from conformance.cel.engine.amounts import Amount
from conformance.cel.engine.operators import TYPED as ARITHMETIC
from conformance.cel.engine.values import NONE, Optional, compare, fault, kind, same
from conformance.cel.errors import EvaluationError


def _is_quantity(text: str) -> bool:
    try:
        amounts.parse(text)
    except EvaluationError:
        return False
    return True


def _integer(amount: Amount) -> int:
    found = amount.whole()
    if found is None:
        raise fault("cannot convert value to integer")
    return found


def _order(left: Amount, right: Amount) -> int:
    return (left.exact > right.exact) - (left.exact < right.exact)


def _contains(one: list[Any], other: list[Any]) -> bool:
    return all(any(same(mine, each) for mine in one) for each in other)


def _intersects(one: list[Any], other: list[Any]) -> bool:
    return any(same(mine, each) for mine in one for each in other)


def _first_index(one: list[Any], wanted: Any) -> int:
    return next((index for index, each in enumerate(one) if same(each, wanted)), -1)


def _last_index(one: list[Any], wanted: Any) -> int:
    places = [index for index, each in enumerate(one) if same(each, wanted)]
    return places[-1] if places else -1


def _slice(one: list[Any], start: int, end: int) -> list[Any]:
    if start < 0 or end < 0 or start > end or end > len(one):
        raise fault(f"cannot slice({start}, {end}), list is length {len(one)}")
    return one[start:end]


def _flatten(one: list[Any], depth: int = 1) -> list[Any]:
    if depth < 0:
        raise fault("level must be non-negative")
    found: list[Any] = []
    for each in one:
        nested = isinstance(each, list) and depth > 0
        found += _flatten(each, depth - 1) if nested else [each]
    return found


def _range(size: int) -> list[int]:
    if not 0 <= size <= _LONGEST:
        raise fault(f"lists.range: size {size} exceeds maximum allowed ({_LONGEST})")
    return list(range(size))


#: Largest list that ``lists.range`` makes: the engine of Kubernetes bounds it as well.
_LONGEST = 1_000_000


def _distinct(one: list[Any]) -> list[Any]:
    found: list[Any] = []
    for each in one:
        if not any(same(each, other) for other in found):
            found.append(each)
    return found


def _sort(one: list[Any]) -> list[Any]:
    if len({kind(each) for each in one}) > 1:
        raise fault("list elements must have the same type")
    if one:
        _ordered(one[0])
    return sorted(one, key=cmp_to_key(compare))


def _ordered(one: Any) -> Any:
    """Return a value that has an order; what cannot be compared with it does not matter."""
    if kind(one) not in {"int", "uint", "double", "bool", "string", "bytes"}:
        raise fault()
    return one


def _outranks(one: Any, other: Any, sign: int) -> bool:
    try:
        return compare(_ordered(one), _ordered(other)) == sign
    except EvaluationError:
        return False


def _is_sorted(one: list[Any]) -> bool:
    for each, after in pairwise([*one[:1], *one]):
        _ordered(after)
        if _outranks(each, after, 1):
            return False
    return True


def total(zero: Any) -> Callable[[list[Any]], Any]:
    """Return ``sum`` for lists whose elements are declared to be of the kind of ``zero``."""

    def add(one: list[Any]) -> Any:
        found = zero
        for each in one:
            plus = ARITHMETIC.get(("_+_", kind(found), kind(each)))
            if plus is None:
                raise fault("no such overload: sum(list)")
            found = plus(found, each)
        return found

    return add


def _extreme(sign: int) -> Callable[[list[Any]], Any]:
    def choose(one: list[Any]) -> Any:
        if not one:
            raise fault("min/max called on empty list")
        found = _ordered(one[0])
        for each in one[1:]:
            found = each if _outranks(_ordered(each), found, sign) else found
        return found

    return choose


def _end(index: int) -> Callable[[list[Any]], Optional]:
    return lambda one: Optional(one[index]) if one else NONE


def _unwrapped(one: list[Any]) -> list[Any]:
    if not all(isinstance(each, Optional) for each in one):
        raise fault()
    return [each.value for each in one if each.present]


_Q, _L = "kubernetes.Quantity", "list"

#: Functions for arguments of given kinds.
TYPED: dict[tuple[str, ...], Callable[..., Any]] = {
    ("quantity", "string"): amounts.parse,
    ("isQuantity", "string"): _is_quantity,
    ("sign", _Q): lambda one: (one.value > 0) - (one.value < 0),
    ("isGreaterThan", _Q, _Q): lambda one, two: one.exact > two.exact,
    ("isLessThan", _Q, _Q): lambda one, two: one.exact < two.exact,
    ("compareTo", _Q, _Q): _order,
    ("asApproximateFloat", _Q): lambda one: one.approximate(),
    ("asInteger", _Q): _integer,
    ("isInteger", _Q): lambda one: one.whole() is not None,
    ("add", _Q, _Q): lambda one, two: one.plus(two, 1),
    ("sub", _Q, _Q): lambda one, two: one.plus(two, -1),
    ("add", _Q, "int"): lambda one, two: one.plus(amounts.of_integer(two), 1),
    ("sub", _Q, "int"): lambda one, two: one.plus(amounts.of_integer(two), -1),
    ("sets.contains", _L, _L): _contains,
    ("sets.equivalent", _L, _L): lambda one, two: _contains(one, two) and _contains(two, one),
    ("sets.intersects", _L, _L): _intersects,
    ("slice", _L, "int", "int"): _slice,
    ("flatten", _L): _flatten,
    ("flatten", _L, "int"): _flatten,
    ("lists.range", "int"): _range,
    ("distinct", _L): _distinct,
    ("reverse", _L): lambda one: one[::-1],
    ("sort", _L): _sort,
    ("isSorted", _L): _is_sorted,
    ("sum", _L): total(0),
    ("min", _L): _extreme(-1),
    ("max", _L): _extreme(1),
    ("first", _L): _end(0),
    ("last", _L): _end(-1),
    ("optional.unwrap", _L): _unwrapped,
    ("unwrapOpt", _L): _unwrapped,
}


def find_in_list(first: bool) -> Callable[[list[Any], Any], int]:
    """Return ``indexOf`` or ``lastIndexOf`` for lists, whose elements are of any kind."""
    return _first_index if first else _last_index

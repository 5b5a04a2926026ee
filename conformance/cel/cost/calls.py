"""What a call costs at most, and how large its result can become."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import attrs

from conformance.cel.cost import schema
from conformance.cel.cost.sizes import ANY, ONCE, UNBOUNDED, Bounds, exactly
from conformance.cel.engine.meter import LETTER, LIST, PATTERN
from conformance.cel.tree import Constant, Node, Type


@attrs.frozen(kw_only=True)
class Operand:
    """A target or an argument: its type, its size as far as known, and its path in a device."""

    node: Node
    type: Type
    known: Bounds | None
    path: tuple[str, ...] | None

    @property
    def size(self) -> Bounds:
        """Return bounds of the size."""
        return self.known or schema.size(self.path or ()) or ANY

    @property
    def element(self) -> tuple[Type, Bounds] | None:
        """Return type and size of the elements, where the type tells that there are some."""
        if not self.type.parameters:
            return None
        path = (*self.path, "@items") if self.path is not None else ()
        return self.type.parameters[0], schema.size(path) or ANY


@attrs.frozen
class Estimate:
    """Cost of a call without its arguments, and the size of the result, where it has one."""

    cost: Bounds
    result: Bounds | None = None


@attrs.frozen
class _Called:
    overload: str
    target: Operand | None
    arguments: list[Operand]


_Rule = Callable[[_Called], Estimate | None]


def estimate(
    function: str, overload: str, target: Operand | None, arguments: list[Operand]
) -> Estimate:
    """Return the price of a call; logic and conditions are none."""
    for rule in (_BY_OVERLOAD.get(overload), _BY_NAME.get(function), _STANDARD.get(overload)):
        found = rule(_Called(overload, target, arguments)) if rule else None
        if found is not None:
            return found
    return Estimate(ONCE)


def _once(_: _Called) -> Estimate:
    return Estimate(ONCE)


def _traversed(call: _Called) -> Estimate | None:
    """Compare with every element of a list."""
    if call.target is None:
        return None
    element = call.target.element
    if element is None:
        factor = LETTER if not call.overload.startswith("list_includes") else 1
        return Estimate(call.target.size.times(factor))
    cost = ONCE
    if element[0].kind in {"string", "bytes"}:
        cost += element[1].times(LETTER)
    return Estimate(call.target.size * cost)


def _read(call: _Called) -> Estimate:
    return Estimate(call.arguments[0].size.times(LETTER))


def _rewritten(call: _Called) -> Estimate | None:
    return call.target and Estimate(call.target.size.times(LETTER), call.target.size)


def _replaced(call: _Called) -> Estimate | None:
    if call.target is None:
        return None
    size, old, new = call.target.size, call.arguments[0].size, call.arguments[1].size
    highest, kept_high = 0, size.high
    if old.low == 0:
        highest = min(size.high + 1, UNBOUNDED)
    elif new.high > old.low:
        highest, kept_high = math.ceil(float(size.high) / float(old.low)), 0
    lowest, kept_low = 0, size.low
    if old.high == 0:
        lowest = min(size.low + 1, UNBOUNDED)
    elif old.high > new.low:
        lowest, kept_low = math.ceil(float(size.low) / float(old.high)), 0
    result = Bounds(lowest, min(highest, UNBOUNDED)) * new + Bounds(kept_low, kept_high)
    return Estimate(size.times(2 * LETTER), result)


def _divided(call: _Called) -> Estimate | None:
    if call.target is None:
        return None
    most = call.target.size.high
    if len(call.arguments) > 1 and isinstance(call.arguments[1].node, Constant):
        most = call.arguments[1].node.value % 2**64
    return Estimate(call.target.size.times(2 * LETTER), Bounds(0, most))


def _joined(call: _Called) -> Estimate | None:
    if call.target is None:
        return None
    size, element = call.target.size, call.target.element
    total = size * element[1] if element else Bounds(0, 0)
    if call.arguments:
        gaps = Bounds(max(size.low - 1, 0), max(size.high - 1, 0))
        total += call.arguments[0].size * gaps
    return Estimate(total.times(LETTER), total)


def _found(call: _Called) -> Estimate | None:
    if call.target is None:
        return None
    cost = (call.target.size + ONCE).times(LETTER) * call.arguments[0].size.times(PATTERN)
    return Estimate(cost, Bounds(0, call.target.size.high))


def _same_foreign(call: _Called) -> Estimate | None:
    """Compare quantities or versions: of a known size."""
    one, other = call.arguments
    foreign = one.type.name in {"kubernetes.Quantity", "kubernetes.Semver"}
    return Estimate(ONCE) if foreign and one.type == other.type else None


def _making(factor: float, size: Bounds) -> Estimate:
    return Estimate(size.times(factor) + ONCE + exactly(LIST), size)


def _literal(operand: Operand, otherwise: int) -> int:
    value = operand.node.value if isinstance(operand.node, Constant) else None
    return max(value, 0) if type(value) is int else otherwise


def _sliced(call: _Called) -> Estimate | None:
    if call.target is None:
        return None
    start, end = _literal(call.arguments[0], 0), _literal(call.arguments[1], call.target.size.high)
    return _making(1, exactly((end - start) % 2**64))


def _ranged(call: _Called) -> Estimate | None:
    return _making(1, exactly(_literal(call.arguments[0], UNBOUNDED)))


def _reversed(call: _Called) -> Estimate | None:
    return call.target and _making(1, call.target.size)


def _flattened(call: _Called) -> Estimate | None:
    depth = _literal(call.arguments[0], UNBOUNDED) if call.arguments else 1
    return call.target and _making(float(depth), call.target.size)


def _compared(call: _Called) -> Estimate | None:
    """Compare every element with every other one."""
    if call.target is None:
        return None
    words = call.overload in {"list_string_sort", "list_bytes_sort"}
    return _making(2.0 + (LETTER if words else 0), call.target.size * call.target.size)


def _sets(factor: int) -> _Rule:
    def rule(call: _Called) -> Estimate:
        return Estimate((call.arguments[0].size * call.arguments[1].size).times(factor) + ONCE)

    return rule


def _formatted(call: _Called) -> Estimate | None:
    return call.target and Estimate((call.target.known or ANY).times(LETTER))


def _encoded(call: _Called) -> Estimate | None:
    size = call.arguments[0].known or ANY
    high = (size.high * 4) % 2**64
    if call.overload == "bytes_to_string":
        return Estimate(size.times(LETTER), Bounds(size.low // 4, size.high))
    if call.overload == "strings_quote":
        return Estimate(size.times(LETTER), Bounds(size.low + 2, (size.high * 2 + 2) % 2**64))
    return Estimate(size.times(LETTER), Bounds(size.low, high))


def _prefix(call: _Called) -> Estimate | None:
    return (
        Estimate((call.arguments[0].known or ANY).times(LETTER))
        if len(call.arguments) == 1
        else None
    )


def _within(call: _Called) -> Estimate | None:
    return Estimate((call.arguments[1].known or ANY).times(1))


def _matched(call: _Called) -> Estimate | None:
    text, pattern = (call.target, call.arguments[0]) if call.target is not None else call.arguments
    cost = ((text.known or ANY) + ONCE).times(LETTER)
    return Estimate(cost * (pattern.known or ANY).times(PATTERN))


def _contained(call: _Called) -> Estimate | None:
    if call.target is None:
        return None
    return Estimate(
        (call.target.known or ANY).times(LETTER) * (call.arguments[0].known or ANY).times(LETTER)
    )


def _added(call: _Called) -> Estimate | None:
    size = (call.arguments[0].known or ANY) + (call.arguments[1].known or ANY)
    return Estimate(ONCE if call.overload == "add_list" else size.times(LETTER), size)


def _ordered(call: _Called) -> Estimate | None:
    most = min((one.known or ANY).high for one in call.arguments)
    return Estimate(Bounds(min(most, 1), most).times(LETTER))


#: Lists and sets of cel-go name their prices by overload.
_BY_OVERLOAD: Mapping[str, _Rule] = {
    "list_slice": _sliced,
    "lists_range": _ranged,
    "list_reverse": _reversed,
    "list_flatten": _flattened,
    "list_flatten_int": _flattened,
    "list_distinct": _compared,
    **{
        f"list_{kind}_sort": _compared
        for kind in ("int", "uint", "double", "bool", "string", "bytes")
    },
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
}
#: Kubernetes' own prices.
_BY_NAME: Mapping[str, _Rule] = {
    **dict.fromkeys(
        ("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes"), _traversed
    ),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _rewritten),
    **dict.fromkeys(("quantity", "isQuantity", "semver", "isSemver"), _read),
    **dict.fromkeys(("find", "findAll"), _found),
    **dict.fromkeys(
        (
            *("sign", "asInteger", "isInteger", "asApproximateFloat", "isGreaterThan"),
            *("isLessThan", "compareTo", "add", "sub", "major", "minor", "patch"),
        ),
        _once,
    ),
    "replace": _replaced,
    "split": _divided,
    "join": _joined,
    "_==_": _same_foreign,
}
#: Prices of CEL itself.
_STANDARD: Mapping[str, _Rule] = {
    "string_format": _formatted,
    **dict.fromkeys(("string_to_bytes", "bytes_to_string", "strings_quote"), _encoded),
    **dict.fromkeys(("starts_with_string", "ends_with_string"), _prefix),
    "in_list": _within,
    **dict.fromkeys(("matches", "matches_string"), _matched),
    "contains_string": _contained,
    **dict.fromkeys(("add_string", "add_bytes", "add_list"), _added),
    **dict.fromkeys(
        (
            *("equals", "not_equals"),
            *(
                f"{order}_{kind}"
                for order in ("less", "less_equals", "greater", "greater_equals")
                for kind in ("string", "bytes")
            ),
        ),
        _ordered,
    ),
}

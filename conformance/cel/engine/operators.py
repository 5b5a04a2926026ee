"""Arithmetic, with the limits of 64 bits, and the order of values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from conformance.cel.engine.values import Joined, compare, equal, fault, member, same, size
from conformance.cel.errors import EvaluationError
from conformance.cel.tree import Uint

_INT = range(-(2**63), 2**63)
_UINT = range(2**64)


def _signed(value: int) -> int:
    if value not in _INT:
        raise fault("integer overflow")
    return value


def _unsigned(value: int) -> Uint:
    if value not in _UINT:
        raise fault("unsigned integer overflow")
    return Uint(value)


def _quotient(left: int, right: int) -> int:
    if right == 0:
        raise fault("division by zero")
    found = abs(int(left)) // abs(int(right))
    return found if (left < 0) == (right < 0) else -found


def _remainder(left: int, right: int) -> int:
    if right == 0:
        raise fault("modulus by zero")
    if left == _INT[0] and right == -1:
        raise fault("integer overflow")
    return int(left) - int(right) * _quotient(left, right)


def _divide(left: float, right: float) -> float:
    if right == 0:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1, right)
    return left / right


def _times(left: float, right: float) -> float:
    return left * right


def _differs(left: Any, right: Any) -> bool:
    try:
        return not equal(left, right)
    except EvaluationError:
        # Kubernetes' interpreter takes anything that is not surely equal for different.
        return True


def _integers(kind: str, fit: Callable[[int], int]) -> dict[tuple[str, ...], Callable[..., Any]]:
    pair = (kind, kind)
    return {
        ("_+_", *pair): lambda one, two: fit(int(one) + int(two)),
        ("_-_", *pair): lambda one, two: fit(int(one) - int(two)),
        ("_*_", *pair): lambda one, two: fit(int(one) * int(two)),
        ("_/_", *pair): lambda one, two: fit(_quotient(one, two)),
        ("_%_", *pair): lambda one, two: fit(_remainder(one, two)),
    }


#: Functions for arguments of given kinds.
TYPED: dict[tuple[str, ...], Callable[..., Any]] = {
    **_integers("int", _signed),
    **_integers("uint", _unsigned),
    ("_+_", "double", "double"): lambda one, two: one + two,
    ("_-_", "double", "double"): lambda one, two: one - two,
    ("_*_", "double", "double"): _times,
    ("_/_", "double", "double"): _divide,
    ("_+_", "string", "string"): lambda one, two: one + two,
    ("_+_", "bytes", "bytes"): lambda one, two: one + two,
    ("_+_", "list", "list"): lambda one, two: Joined([*one, *two]),
    ("-_", "int"): lambda one: _signed(-one),
    ("-_", "double"): lambda one: -one,
    ("!_", "bool"): lambda one: not one,
    ("size", "string"): size,
    ("size", "bytes"): size,
    ("size", "list"): size,
    ("size", "map"): size,
}

#: Functions that look at the kinds of their arguments themselves.
UNTYPED: dict[str, Callable[..., Any]] = {
    "_==_": equal,
    "_!=_": _differs,
    "_<_": lambda one, two: compare(one, two) < 0,
    "_<=_": lambda one, two: compare(one, two) <= 0,
    "_>_": lambda one, two: compare(one, two) > 0,
    "_>=_": lambda one, two: compare(one, two) >= 0,
    "@in": lambda one, two: member(two, one),
    "includes": lambda one, two: (
        any(same(each, two) for each in one) if isinstance(one, list) else same(one, two)
    ),
}

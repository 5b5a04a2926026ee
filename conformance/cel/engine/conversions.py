"""Conversions between kinds of values, as strictly as Go's ``strconv``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from conformance.cel.engine.values import NONE, Optional, TypeName, fault, kind
from conformance.cel.tree import Uint

_BOOLEANS = {
    **dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True),
    **dict.fromkeys(("0", "f", "F", "FALSE", "false", "False"), False),
}
_INTEGER = re.compile(r"[+-]?[0-9]+")
_UNSIGNED = re.compile(r"[0-9]+")
_REAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
#: From this power of ten on Go writes a number with an exponent.
_EXPONENT = 6
_NO_NUMBERS = re.compile(r"([+-]?)(inf|infinity|nan)", re.IGNORECASE)


def _integer(text: str, shape: re.Pattern[str], low: int, high: int) -> int:
    if shape.fullmatch(text) is None or not low <= int(text) < high:
        raise fault(f"strconv: parsing {text!r}: no integer in range")
    return int(text)


def _whole(value: float, low: float, high: float) -> int:
    if math.isnan(value) or math.isinf(value) or not low < value < high:
        raise fault("integer overflow")
    return int(value)


def _int_of_uint(value: int) -> int:
    if value >= 2**63:
        raise fault("integer overflow")
    return int(value)


def _uint_of_int(value: int) -> Uint:
    if value < 0:
        raise fault("unsigned integer overflow")
    return Uint(value)


def _uint_of_double(value: float) -> Uint:
    return Uint(_whole(value, -1, 2.0**64)) if value >= 0 else _uint_of_int(-1)


def _real(text: str) -> float:
    special = _NO_NUMBERS.fullmatch(text)
    if special is None and _REAL.fullmatch(text) is None:
        raise fault(f"strconv: parsing {text!r}: no number")
    found = float(text)
    if math.isinf(found) and special is None:
        raise fault(f"strconv: parsing {text!r}: out of range")
    return found


def real_text(value: float) -> str:
    """Return the shortest spelling, as Go's format ``g`` has it."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    digits = Decimal(repr(value))
    power = digits.adjusted()
    if value and not -4 <= power < _EXPONENT:
        return f"{value:.{len(digits.normalize().as_tuple().digits) - 1}e}"
    return f"{value:.0f}" if value.is_integer() else format(digits, "f")


def _boolean(text: str) -> bool:
    if text not in _BOOLEANS:
        raise fault(f"strconv.ParseBool: parsing {text!r}: invalid syntax")
    return _BOOLEANS[text]


def _decoded(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise fault("invalid UTF-8 in bytes, cannot convert to string") from error


def _value(one: Optional) -> Any:
    if not one.present:
        raise fault("optional.none() dereference")
    return one.value


def _non_zero(value: Any) -> Optional:
    empty = value is None or (isinstance(value, bool | int | float | str | bytes) and not value)
    return NONE if empty or value in ([], {}) else Optional(value)


def _itself(value: Any) -> Any:
    return value


#: Functions for arguments of given kinds.
TYPED: dict[tuple[str, ...], Callable[..., Any]] = {
    ("int", "int"): _itself,
    ("int", "uint"): _int_of_uint,
    ("int", "double"): lambda one: _whole(one, -(2.0**63), 2.0**63),
    ("int", "string"): lambda one: _integer(one, _INTEGER, -(2**63), 2**63),
    ("uint", "uint"): _itself,
    ("uint", "int"): _uint_of_int,
    ("uint", "double"): _uint_of_double,
    ("uint", "string"): lambda one: Uint(_integer(one, _UNSIGNED, 0, 2**64)),
    ("double", "double"): _itself,
    ("double", "int"): float,
    ("double", "uint"): float,
    ("double", "string"): _real,
    ("bool", "bool"): _itself,
    ("bool", "string"): _boolean,
    ("string", "string"): _itself,
    ("string", "int"): str,
    ("string", "uint"): lambda one: str(int(one)),
    ("string", "double"): real_text,
    ("string", "bool"): lambda one: "true" if one else "false",
    ("string", "bytes"): _decoded,
    ("bytes", "bytes"): _itself,
    ("bytes", "string"): lambda one: one.encode(),
    ("hasValue", "optional_type"): lambda one: one.present,
    ("value", "optional_type"): _value,
    ("optional.none",): lambda: NONE,
}

#: Functions that look at the kinds of their arguments themselves.
UNTYPED: dict[str, Callable[..., Any]] = {
    "dyn": _itself,
    "type": lambda one: TypeName(kind(one)),
    "optional.of": Optional,
    "optional.ofNonZeroValue": _non_zero,
}

#: Conversions that Kubernetes carries out when the expression is compiled, given a literal.
FOLDED = frozenset({"bool", "bytes", "double", "dyn", "int", "string", "type", "uint"})

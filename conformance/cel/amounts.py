"""Quantities and semantic versions in expressions of policies.

Their engine takes no values of foreign types. A quantity is therefore a map and a version a list,
each of a type that nothing else has: so the type checker still tells them from each other and from
texts, and equality compares the amounts and the precedence. Source:
``k8s.io/apiserver/pkg/cel/library`` (quantity.go, semverlib.go), documented at
kubernetes.io/docs/reference/using-api/cel.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from cel_expr_python import cel

from conformance.kube import quantity, semver
from conformance.kube.quantity import Quantity
from conformance.kube.semver import Version

_TYPE = cel.Type
QUANTITY = _TYPE.Map(_TYPE.BOOL, _TYPE.STRING)
VERSION = _TYPE.List(_TYPE.Map(_TYPE.BOOL, _TYPE.STRING))

_INT64 = range(-(2**63), 2**63)


def of_quantity(amount: Quantity) -> dict[bool, str]:
    """Return the value that stands for a quantity."""
    return {True: format(amount.amount.normalize(), "f")}


def of_version(version: Version) -> list[dict[bool, str]]:
    """Return the value that stands for a version; build metadata does not count."""
    pre = f"-{'.'.join(version.pre)}" if version.pre else ""
    return [{True: f"{version.major}.{version.minor}.{version.patch}{pre}"}]


def _amount(value: Any) -> Decimal:
    return Decimal(value[True])


def _version(value: Any) -> Version:
    return semver.parse(value[0][True])


def _compare(left: Any, right: Any) -> int:
    return (left > right) - (left < right)


def _is_quantity(text: str) -> bool:
    try:
        quantity.parse(text)
    except quantity.QuantityError:
        return False
    return True


def _is_integer(value: Any) -> bool:
    amount = _amount(value)
    return amount % 1 == 0 and int(amount) in _INT64


def _as_integer(value: Any) -> int:
    if not _is_integer(value):
        raise ValueError("cannot convert value to integer")
    return int(_amount(value))


def _parse_version(text: str, normalize: bool) -> Version:
    """Parse strictly, or after removing a ``v``, leading zeros, and filling up to three parts."""
    if not normalize:
        return semver.parse(text)
    text = text.removeprefix("v")
    end = min((text.find(mark) for mark in "-+" if mark in text), default=len(text))
    parts = [part.lstrip("0") or "0" for part in text[:end].split(".")]
    return semver.parse(".".join([*parts, "0", "0"][: max(3, len(parts))]) + text[end:])


def _is_version(text: str, normalize: bool) -> bool:
    try:
        _parse_version(text, normalize)
    except semver.SemverError:
        return False
    return True


def _plus(value: Any, other: Any, sign: int) -> dict[bool, str]:
    right = Decimal(other) if isinstance(other, int) else _amount(other)
    return of_quantity(Quantity(_amount(value) + sign * right))


def _overload(
    name: str, returns: Any, parameters: list[Any], body: Callable[..., Any], *, member: bool = True
) -> Any:
    return cel.Overload(name, returns, parameters, member, body)


def functions() -> list[Any]:
    """Return the declarations of all functions, each with its implementation."""
    text, integer, boolean, real = _TYPE.STRING, _TYPE.INT, _TYPE.BOOL, _TYPE.DOUBLE
    declared = {
        "quantity": [
            _overload(
                "string_to_quantity",
                QUANTITY,
                [text],
                lambda one: of_quantity(quantity.parse(one)),
                member=False,
            )
        ],
        "isQuantity": [
            _overload("is_quantity_string", boolean, [text], _is_quantity, member=False)
        ],
        "isInteger": [_overload("quantity_is_integer", boolean, [QUANTITY], _is_integer)],
        "asInteger": [_overload("quantity_get_int", integer, [QUANTITY], _as_integer)],
        "asApproximateFloat": [
            _overload("quantity_get_float", real, [QUANTITY], lambda one: float(_amount(one)))
        ],
        "sign": [
            _overload("quantity_sign", integer, [QUANTITY], lambda one: _compare(_amount(one), 0))
        ],
        "add": _sums("quantity_add", 1),
        "sub": _sums("quantity_sub", -1),
        "compareTo": _comparisons("compare_to", integer, _compare),
        "isGreaterThan": _comparisons("is_greater_than", boolean, lambda one, two: one > two),
        "isLessThan": _comparisons("is_less_than", boolean, lambda one, two: one < two),
        **_versions(),
    }
    return [cel.FunctionDecl(name, overloads) for name, overloads in declared.items()]


def _sums(name: str, sign: int) -> list[Any]:
    return [
        _overload(
            f"{name}_{other.name()}",
            QUANTITY,
            [QUANTITY, other],
            lambda left, right: _plus(left, right, sign),
        )
        for other in (QUANTITY, _TYPE.INT)
    ]


def _comparisons(name: str, returns: Any, compare: Callable[[Any, Any], Any]) -> list[Any]:
    return [
        _overload(
            f"quantity_{name}",
            returns,
            [QUANTITY, QUANTITY],
            lambda left, right: compare(_amount(left), _amount(right)),
        ),
        _overload(
            f"semver_{name}",
            returns,
            [VERSION, VERSION],
            lambda left, right: compare(_version(left), _version(right)),
        ),
    ]


def _versions() -> dict[str, list[Any]]:
    text, integer, boolean = _TYPE.STRING, _TYPE.INT, _TYPE.BOOL

    def parse(one: str, normalize: bool = False) -> list[dict[bool, str]]:
        return of_version(_parse_version(one, normalize))

    def check(one: str, normalize: bool = False) -> bool:
        return _is_version(one, normalize)

    return {
        "semver": [
            _overload("string_to_semver", VERSION, [text], parse, member=False),
            _overload("string_bool_to_semver", VERSION, [text, boolean], parse, member=False),
        ],
        "isSemver": [
            _overload("is_semver_string", boolean, [text], check, member=False),
            _overload("is_semver_string_bool", boolean, [text, boolean], check, member=False),
        ],
        "major": [_overload("semver_major", integer, [VERSION], lambda one: _version(one).major)],
        "minor": [_overload("semver_minor", integer, [VERSION], lambda one: _version(one).minor)],
        "patch": [_overload("semver_patch", integer, [VERSION], lambda one: _version(one).patch)],
    }

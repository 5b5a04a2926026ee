"""Opaque parameters, selectors with their CEL expressions, and free JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from conformance import cel
from conformance.dra.features import Features
from conformance.dra.validation import naming
from conformance.dra.vocabulary import (
    DERIVED_COST,
    EXPRESSION_COST,
    EXPRESSION_LENGTH,
    PARAMETERS_LENGTH,
)
from conformance.kube.fields import FieldError, forbidden, invalid, required, too_long
from conformance.kube.objects import Object


def configuration(config: Object, path: str) -> Iterator[FieldError]:
    """Check a configuration: today that is opaque parameters for a driver."""
    opaque = config.get("opaque")
    if opaque is None:
        yield required(f"{path}.opaque")
        return
    yield from naming.driver(opaque.get("driver"), f"{path}.opaque.driver")
    yield from raw(opaque.get("parameters"), f"{path}.opaque.parameters", PARAMETERS_LENGTH)


def raw(value: Any, path: str, limit: int) -> Iterator[FieldError]:
    """Check free JSON: an object of at most ``limit`` bytes, written compactly."""
    if value is None:
        yield required(path)
    elif len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()) > limit:
        yield too_long(path, limit)
    elif not isinstance(value, dict):
        yield invalid(path, "<value omitted>", "must be a valid JSON object")


def selector(one: Object, path: str, features: Features) -> Iterator[FieldError]:
    """Check a device selector: a CEL expression that compiles and is not too costly."""
    if one.get("cel") is None:
        yield required(f"{path}.cel")
        return
    yield from expression(one["cel"].get("expression", ""), f"{path}.cel.expression", features)


def derived(text: str, path: str, features: Features) -> Iterator[FieldError]:
    """Check the expression of a derived attribute: its value is one that attributes have."""
    yield from _bounded(text, path, features, cel.derived_cost, DERIVED_COST)


def expression(text: str, path: str, features: Features) -> Iterator[FieldError]:
    """Check a CEL expression over a device that is new in the cluster (KEP-4381)."""
    yield from _bounded(text, path, features, _selector_cost, EXPRESSION_COST)


def _selector_cost(text: str, *, multi_allocation: bool, list_attributes: bool) -> int:
    compiled = cel.compile_selector(
        text, multi_allocation=multi_allocation, list_attributes=list_attributes
    )
    return compiled.cost


def _bounded(
    text: str, path: str, features: Features, cost_of: Callable[..., int], limit: int
) -> Iterator[FieldError]:
    """Check the length of an expression, that it compiles, and its cost."""
    if len(text.encode()) > EXPRESSION_LENGTH:
        yield too_long(path, EXPRESSION_LENGTH)
        return
    try:
        cost = cost_of(
            text,
            multi_allocation=features.enabled("DRAConsumableCapacity"),
            list_attributes=features.enabled("DRAListTypeAttributes"),
        )
    except cel.CompileError as error:
        yield invalid(path, text, str(error))
        return
    if cost > limit:
        yield forbidden(path, "too complex, exceeds cost limit")

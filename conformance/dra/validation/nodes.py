"""Node selectors (core/v1) as slices and allocations hold them."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dra.validation import naming
from conformance.dra.validation.lists import each
from conformance.kube.fields import FieldError, forbidden, invalid, required
from conformance.kube.objects import Object

_UNKNOWN = "not a valid selector operator"


def node_selector(selector: Object, path: str) -> Iterator[FieldError]:
    """Check a node selector: it needs a term, and its terms are well-formed."""
    terms = selector.get("nodeSelectorTerms")
    if not terms:
        detail = "must have at least one node selector term"
        yield required(f"{path}.nodeSelectorTerms", detail)
    yield from each(terms, f"{path}.nodeSelectorTerms", _term)


def _term(term: Object, path: str) -> Iterator[FieldError]:
    yield from each(term.get("matchExpressions"), f"{path}.matchExpressions", _expression)
    yield from each(term.get("matchFields"), f"{path}.matchFields", _field)


def _expression(one: Object, path: str) -> Iterator[FieldError]:
    operator, values = one.get("operator", ""), one.get("values") or []
    if operator in {"In", "NotIn"}:
        if not values:
            detail = "must be specified when `operator` is 'In' or 'NotIn'"
            yield required(f"{path}.values", detail)
    elif operator in {"Exists", "DoesNotExist"}:
        if values:
            detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            yield forbidden(f"{path}.values", detail)
    elif operator in {"Gt", "Lt"}:
        if len(values) != 1:
            detail = "must be specified single value when `operator` is 'Lt' or 'Gt'"
            yield required(f"{path}.values", detail)
    else:
        yield invalid(f"{path}.operator", operator, _UNKNOWN)
    yield from naming.label_key(one.get("key"), f"{path}.key")
    yield from each(values, f"{path}.values", naming.label_value)


def _field(one: Object, path: str) -> Iterator[FieldError]:
    operator, key, values = one.get("operator", ""), one.get("key", ""), one.get("values") or []
    if operator not in {"In", "NotIn"}:
        yield invalid(f"{path}.operator", operator, _UNKNOWN)
    elif len(values) != 1:
        detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        yield required(f"{path}.values", detail)
    if key != "metadata.name":
        yield invalid(f"{path}.key", key, "not a valid field selector key")
        return
    yield from each(values, f"{path}.values", naming.node_name)

"""Label, field and node selectors: parsed once, matched against plain objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from conformance.kube import names
from conformance.kube.objects import Object, name_of


class SelectorError(ValueError):
    """A selector can't be parsed."""


@attrs.frozen
class Requirement:
    """One term of a label selector."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Return whether the labels satisfy this term."""
        return _OPERATORS[self.operator](labels.get(self.key), self.values)


@attrs.frozen
class LabelSelector:
    """All terms must match; no terms match everything."""

    requirements: tuple[Requirement, ...] = ()

    def matches(self, labels: Mapping[str, str] | None) -> bool:
        """Return whether the labels satisfy every term."""
        return all(one.matches(labels or {}) for one in self.requirements)


@attrs.frozen
class FieldSelector:
    """Equality of fields, named by their path such as ``spec.nodeName``."""

    terms: tuple[tuple[str, bool, str], ...] = ()

    def matches(self, obj: Object) -> bool:
        """Return whether every field has, or has not, the value; a missing field is empty."""
        return all((read(obj, path) == value) == equal for path, equal, value in self.terms)


_SET_TERM = re.compile(r"(?P<key>[^\s!=,()]+)\s+(?P<operator>in|notin)\s*\((?P<values>[^)]*)\)")
_EQUAL_TERM = re.compile(
    r"(?P<key>[^\s!=,()<>]+)\s*(?P<operator>==|=|!=|>|<)\s*(?P<values>[^\s,()]*)"
)
_EXISTS_TERM = re.compile(r"(?P<absent>!?)\s*(?P<key>[^\s!=,()]+)")

_SPELLINGS = {
    "in": "In",
    "notin": "NotIn",
    "=": "In",
    "==": "In",
    "!=": "NotIn",
    ">": "Gt",
    "<": "Lt",
}


def _compare(value: str | None, values: Sequence[str], larger: bool) -> bool:
    try:
        left, right = int(value or ""), int(values[0])
    except (ValueError, IndexError):
        return False
    return left > right if larger else left < right


_OPERATORS: Mapping[str, Callable[[str | None, Sequence[str]], bool]] = {
    "In": lambda value, values: value is not None and value in values,
    "NotIn": lambda value, values: value is None or value not in values,
    "Exists": lambda value, _values: value is not None,
    "DoesNotExist": lambda value, _values: value is None,
    "Gt": lambda value, values: _compare(value, values, larger=True),
    "Lt": lambda value, values: _compare(value, values, larger=False),
}


def parse_label_selector(text: str) -> LabelSelector:
    """Return the selector that a query parameter spells; raises ``SelectorError``."""
    if not text.strip():
        return LabelSelector()
    terms = re.split(r",(?![^(]*\))", text)
    return LabelSelector(tuple(_checked(_term(term.strip())) for term in terms))


def _checked(term: Requirement) -> Requirement:
    trouble = names.qualified_name(term.key)
    for value in term.values:
        trouble += names.label_value(value)
    if term.operator in ("Gt", "Lt") and not re.fullmatch(r"-?\d+", term.values[0]):
        trouble.append("for 'Gt', 'Lt' operators, the value must be an integer")
    if trouble:
        raise SelectorError(f"unable to parse requirement: {term.key}: {trouble[0]}")
    return term


def _term(term: str) -> Requirement:
    for shape in (_SET_TERM, _EQUAL_TERM):
        found = shape.fullmatch(term)
        if found:
            values = tuple(one.strip() for one in found["values"].split(","))
            return Requirement(found["key"], _SPELLINGS[found["operator"]], values)
    found = _EXISTS_TERM.fullmatch(term)
    if found is None:
        raise SelectorError(f"unable to parse requirement: found {term!r}")
    return Requirement(found["key"], "DoesNotExist" if found["absent"] else "Exists")


def label_selector(obj: Object | None) -> LabelSelector:
    """Return the selector that a ``metav1.LabelSelector`` object describes."""
    spec = obj or {}
    equal = [
        Requirement(key, "In", (value,)) for key, value in (spec.get("matchLabels") or {}).items()
    ]
    terms = [_expression(one) for one in spec.get("matchExpressions") or []]
    return LabelSelector((*equal, *terms))


def parse_field_selector(text: str) -> FieldSelector:
    """Return the selector that a query parameter spells; raises ``SelectorError``."""
    terms: list[tuple[str, bool, str]] = []
    for term in text.split(","):
        if not term:
            continue
        found = re.fullmatch(r"([^!=]+)(!=|==|=)([^=]*)", term)
        if found is None:
            raise SelectorError(f"invalid selector: {text!r}; can't understand {term!r}")
        terms.append((found[1], found[2] != "!=", found[3]))
    return FieldSelector(tuple(terms))


def read(obj: Object, path: str) -> str:
    """Return the text at a dotted path, empty where nothing is."""
    value: Any = obj
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _expression(one: Object) -> Requirement:
    operator = one.get("operator", "")
    if operator not in _OPERATORS:
        raise SelectorError(f"{operator!r} is not a valid label selector operator")
    return Requirement(one["key"], operator, tuple(one.get("values") or ()))


def node_selector_matches(selector: Object, node: Object) -> bool:
    """Return whether a ``v1.NodeSelector`` takes the node: one of its terms must match.

    A term without expressions matches nothing (core/v1, NodeSelectorTerm).
    """
    return any(_node_term(term, node) for term in selector.get("nodeSelectorTerms") or [])


def _node_term(term: Object, node: Object) -> bool:
    expressions = [_expression(one) for one in term.get("matchExpressions") or []]
    fields = [_expression(one) for one in term.get("matchFields") or []]
    if not expressions and not fields:
        return False
    labels = node.get("metadata", {}).get("labels") or {}
    by_field = {"metadata.name": name_of(node)}
    return all(one.matches(labels) for one in expressions) and all(
        one.matches(by_field) for one in fields
    )

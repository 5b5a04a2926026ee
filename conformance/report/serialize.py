"""``report.json``: the report document with stable bytes.

The shape is ``schemas/report/report.schema.json``. Keys are camelCase as everywhere in
Kubernetes, and stand in the order in which the model declares them.
"""

from __future__ import annotations

import functools
import json
from typing import Any, cast

import attrs

from conformance.report.model import API_VERSION, Report, Requirement


def to_json(report: Report) -> str:
    """Return the document as text that ends with a newline."""
    return json.dumps(to_document(report), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def to_document(report: Report) -> dict[str, Any]:
    """Return the document as JSON values."""
    return {"apiVersion": API_VERSION, "kind": "Report", **_value(report)}


def _value(value: Any) -> Any:
    if isinstance(value, Requirement):
        # The statement is the requirement: a reader of the JSON should not dig for it.
        fields = _fields(value)
        return {**fields.pop("clause"), **fields}
    if _spelled(type(value)):
        return _fields(value)
    if isinstance(value, tuple | list):
        return [_value(item) for item in cast("tuple[Any, ...]", value)]
    if isinstance(value, dict):
        # Keys are data here: names of gates, outcomes, parameters.
        return {key: _value(item) for key, item in cast("dict[str, Any]", value).items()}
    return value


def _fields(value: Any) -> dict[str, Any]:
    return {key: _value(getattr(value, name)) for name, key in _spelled(type(value))}


@functools.cache
def _spelled(kind: type) -> tuple[tuple[str, str], ...]:
    """Return the fields of a class of the model, each with its key; of any other class none."""
    if not attrs.has(kind):
        return ()
    return tuple((one.name, _camel(one.name)) for one in attrs.fields(kind))


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)

"""Objects of every shape that a real API server publishes for a version."""

from __future__ import annotations

import functools
import json
from typing import Any

from hypothesis import strategies as st

from conformance import data
from conformance.kube.objects import Object

GROUP = "resource.k8s.io"
_REFERENCE = "#/components/schemas/"


@functools.cache
def schemas(version: str) -> dict[str, Object]:
    """Return the recorded schemas of a version by name."""
    path = data.schemas("kubernetes", f"{GROUP}_{version}.openapi.json")
    return json.loads(path.read_text())["components"]["schemas"]


def full(version: str, kind: str) -> Object:
    """Return an object with every field that the version knows, each set once."""
    body = _full(schemas(version)[f"io.k8s.api.resource.{version}.{kind}"], version)
    return {**body, "apiVersion": f"{GROUP}/{version}", "kind": kind, "metadata": {"name": "x"}}


def drawn(version: str, kind: str) -> st.SearchStrategy[Object]:
    """Draw objects in which any field may be there or not."""
    body = _drawn(schemas(version)[f"io.k8s.api.resource.{version}.{kind}"], version)
    head = {"apiVersion": f"{GROUP}/{version}", "kind": kind, "metadata": {"name": "x"}}
    return body.map(lambda one: {**one, **head})


def _full(schema: Object, version: str) -> Any:
    schema = _resolved(schema, version)
    if "properties" in schema:
        return {key: _full(one, version) for key, one in schema["properties"].items()}
    if schema.get("type") == "array":
        return [_full(schema["items"], version)]
    if "additionalProperties" in schema:
        return {"key": _full(schema["additionalProperties"], version)}
    return {"boolean": True, "integer": 1, "object": {"free": 1}}.get(schema.get("type"), "text")


def _drawn(schema: Object, version: str) -> st.SearchStrategy[Any]:
    schema = _resolved(schema, version)
    if "properties" in schema:
        fields = {key: _drawn(one, version) for key, one in schema["properties"].items()}
        needed = {key: fields[key] for key in schema.get("required", ()) if key in fields}
        rest = {key: one for key, one in fields.items() if key not in needed}
        return st.fixed_dictionaries(needed, optional=rest)
    if schema.get("type") == "array":
        return st.lists(_drawn(schema["items"], version), min_size=1, max_size=2)
    if "additionalProperties" in schema:
        value = _drawn(schema["additionalProperties"], version)
        return st.dictionaries(st.sampled_from(["a", "b"]), value, min_size=1, max_size=2)
    return {
        "boolean": st.just(True),
        "integer": st.integers(1, 9),
        "object": st.just({"free": 1}),
    }.get(schema.get("type", ""), st.sampled_from(["x", "y"]))


def _resolved(schema: Object, version: str) -> Object:
    while True:
        if "allOf" in schema:
            schema = schema["allOf"][0]
        elif "$ref" in schema:
            schema = schemas(version)[schema["$ref"].removeprefix(_REFERENCE)]
        else:
            return schema

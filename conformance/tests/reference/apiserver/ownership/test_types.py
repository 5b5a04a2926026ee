"""How lists and maps are shared: as the real API server's OpenAPI documents say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance import data
from conformance.reference.apiserver.ownership import types
from conformance.reference.apiserver.ownership.types import Kind, Type

_PREFIX = "io.k8s.api.resource."
#: Extensions of OpenAPI about lists and maps.
_SHARED = ("x-kubernetes-list", "x-kubernetes-map")
_VERSIONS = ("v1", "v1alpha3", "v1beta1", "v1beta2")


def document(version: str) -> dict[str, Any]:
    """Return the recorded schemas of one version by name."""
    path = data.schemas("kubernetes", f"resource.k8s.io_{version}.openapi.json")
    return json.loads(path.read_text())["components"]["schemas"]


def said(schema: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return what the document says of a list: its type and its keys."""
    keys = schema.get("x-kubernetes-list-map-keys") or ()
    return schema.get("x-kubernetes-list-type", "atomic"), tuple(keys)


def known(type_: Type) -> tuple[str, tuple[str, ...]]:
    """Return the same of what the reference goes by."""
    if type_.is_atomic:
        return "atomic", ()
    return ("map", type_.keys) if type_.keys else ("set", ())


def lists(version: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Return kind, field and schema of every list of one version."""
    return [
        (name.removeprefix(f"{_PREFIX}{version}."), field, schema)
        for name, shape in document(version).items()
        if name.startswith(f"{_PREFIX}{version}.")
        for field, schema in shape.get("properties", {}).items()
        if schema.get("type") == "array"
    ]


@pytest.mark.parametrize("version", _VERSIONS)
def test_every_list_is_shared_as_the_real_server_says(version: str) -> None:
    rows = lists(version)
    wrong: dict[str, Any] = {}
    for kind, field, schema in rows:
        message = Type(kind=Kind.STRUCT, message=f"k8s.io.api.resource.{version}.{kind}")
        if field in message.fields and known(message.fields[field]) != said(schema):
            wrong[f"{kind}.{field}"] = (known(message.fields[field]), said(schema))

    assert len(rows) >= 5
    assert wrong == {}


@pytest.mark.parametrize("version", _VERSIONS)
def test_what_openapi_says_of_sharing_is_what_the_real_server_says(version: str) -> None:
    rows = {
        name: {
            field: {key: one for key, one in schema.items() if key.startswith(_SHARED)}
            for field, schema in shape.get("properties", {}).items()
        }
        for name, shape in document(version).items()
        if name.startswith(f"{_PREFIX}{version}.") and not name.endswith("List")
    }
    real = {name: {key: one for key, one in row.items() if one} for name, row in rows.items()}

    ours = {name: types.extensions(name.replace("io.k8s.", "k8s.io.", 1)) for name in real}

    assert ours == real


def structs(type_: Type, found: dict[str, bool]) -> dict[str, bool]:
    """Return every message below a type, and whether it is owned as a whole."""
    for one in (*type_.fields.values(), *([type_.element] if type_.element else [])):
        if one.kind is not Kind.STRUCT:
            structs(one, found)
        elif one.message not in found:
            found[one.message] = one.is_atomic
            structs(one, found)
    return found


def test_the_structs_below_a_claim_are_whole_where_the_real_server_says_so() -> None:
    claim = types.of_kind("resource.k8s.io/v1", "ResourceClaim")
    assert claim is not None
    whole = {
        name.replace("io.k8s.", "k8s.io.", 1)
        for name, shape in document("v1").items()
        if shape.get("x-kubernetes-map-type") == "atomic"
    }

    ours = structs(claim, {})

    assert {message for message, is_atomic in ours.items() if is_atomic} == whole & set(ours)
    assert "k8s.io.api.core.v1.NodeSelector" in whole & set(ours)

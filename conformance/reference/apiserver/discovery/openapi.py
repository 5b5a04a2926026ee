"""OpenAPI v3 of a group version: the shapes of its objects and which verbs validate fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.apiserver.codec import shapes
from conformance.reference.apiserver.codec.shapes import Field
from conformance.reference.apiserver.ownership import types

_FIELD_VALIDATION = {
    "name": "fieldValidation",
    "in": "query",
    "description": "Ignore, Warn or Strict: what happens to unknown fields.",
    "schema": {"type": "string", "uniqueItems": True},
}

_FORMS: dict[str, Object] = {
    "string": {"type": "string"},
    "bytes": {"type": "string", "format": "byte"},
    "integer": {"type": "integer", "format": "int64"},
    "int32": {"type": "integer", "format": "int32"},
    "number": {"type": "number", "format": "double"},
    "boolean": {"type": "boolean"},
    "quantity": {"type": "string"},
    "time": {"type": "string", "format": "date-time"},
    "microtime": {"type": "string", "format": "date-time"},
    "duration": {"type": "string"},
    "int-or-string": {"type": "string", "format": "int-or-string"},
    "raw": {"type": "object"},
    "strings": {"type": "array", "items": {"type": "string"}},
}


#: ``message -> extensions by field``, see ``ownership.types``.
Sharing = Callable[[str], Mapping[str, Object]]


def describe(
    resources: Iterable[Resource], version: str, sharing: Sharing = types.extensions
) -> Object:
    """Return the document of the resources of one group version."""
    schemas: dict[str, Object] = {}
    paths: dict[str, Object] = {}
    for row in resources:
        message = shapes.message_of(row.api_version, row.kind)
        if message is None:
            continue
        _add_schema(message, schemas, sharing)
        kind = {"group": row.group, "version": row.version, "kind": row.kind}
        schema = schemas[_name(message)]
        schema["properties"] = {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            **schema["properties"],
        }
        schema["x-kubernetes-group-version-kind"] = [kind]
        paths.update(_paths(row, kind))
    return {
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": f"v{version}"},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _paths(row: Resource, kind: Object) -> dict[str, Object]:
    root = f"/apis/{row.group}/{row.version}" if row.group else f"/api/{row.version}"
    if row.namespaced:
        root += "/namespaces/{namespace}"
    collection = f"{root}/{row.plural}"
    return {
        collection: {method: _operation(method, kind) for method in ("get", "post")},
        f"{collection}/{{name}}": {
            method: _operation(method, kind) for method in ("get", "put", "patch", "delete")
        },
    }


def _operation(method: str, kind: Object) -> Object:
    operation: Object = {
        "x-kubernetes-action": method,
        "x-kubernetes-group-version-kind": kind,
        "responses": {"200": {"description": "OK"}},
    }
    if method in ("post", "put", "patch"):
        operation["parameters"] = [_FIELD_VALIDATION]
    return operation


def _add_schema(message: str, schemas: dict[str, Object], sharing: Sharing) -> None:
    if _name(message) in schemas:
        return
    shared = sharing(message)
    schema: Object = {"type": "object", "properties": {}, **shared.get("", {})}
    schemas[_name(message)] = schema
    for name, field in shapes.fields_by_json(message).items():
        told = _property(field, schemas, sharing)
        schema["properties"][name] = {**told, **shared.get(name, {})}


def _property(field: Field, schemas: dict[str, Object], sharing: Sharing) -> Object:
    if field.form == "object":
        _add_schema(field.message, schemas, sharing)
        value: Object = {"allOf": [{"$ref": f"#/components/schemas/{_name(field.message)}"}]}
    else:
        value = dict(_FORMS[field.form])
    if field.is_list:
        return {"type": "array", "items": value}
    if field.is_map:
        return {"type": "object", "additionalProperties": value}
    return value


def _name(message: str) -> str:
    return message.replace("k8s.io.", "io.k8s.", 1)

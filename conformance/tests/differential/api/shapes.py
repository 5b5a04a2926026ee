"""Objects beside the committed OpenAPI documents: no field too many, none of a wrong type."""

from __future__ import annotations

import functools
import json
import re
from typing import Any

from jsonschema import Draft202012Validator

from conformance.kube.objects import Object
from conformance.tests.differential.api import schemas

_PLACE = re.compile(r"\$\{\w+\}")


def trouble(obj: Object) -> list[str]:
    """Return what of an object of resource.k8s.io does not fit its shape, as sentences.

    A field that is null counts as absent: Go writes lists that are not set so. A value that is
    a place to be filled in, such as ``${devices}``, may be anything.
    """
    version = obj["apiVersion"].rpartition("/")[2]
    checker = _checker(version, obj["kind"])
    return [
        f"{'.'.join(map(str, error.absolute_path))}: {error.message}"
        for error in checker.iter_errors(_without_nulls(obj))
        if not (isinstance(error.instance, str) and _PLACE.fullmatch(error.instance))
    ]


@functools.cache
def _checker(version: str, kind: str) -> Draft202012Validator:
    document = json.loads(schemas.path_of(version).read_text())
    for shape in document["components"]["schemas"].values():
        if "properties" in shape:
            shape["additionalProperties"] = False
    name = next(
        name
        for name, shape in document["components"]["schemas"].items()
        if any(row["kind"] == kind for row in shape.get("x-kubernetes-group-version-kind", []))
    )
    return Draft202012Validator({**document, "$ref": f"#/components/schemas/{name}"})


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value

"""What a DeviceMetadata object looks like, and what makes a decoded one invalid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.kube import names
from conformance.kube.objects import Object

#: Types of the fields: a class, a mapping of known fields, or a list of one element.
_DEVICE = {"driver": str, "pool": str, "name": str, "attributes": dict, "networkData": dict}
SHAPE = {
    "kind": str,
    "apiVersion": str,
    "metadata": {"name": str, "namespace": str, "uid": str, "generation": int},
    "podClaimName": str,
    "requests": [{"name": str, "devices": [_DEVICE]}],
}


def mismatches(value: Any, shape: Any, path: str = "") -> Iterator[str]:
    """Yield where a value is not of its shape; unknown fields and nulls are let be."""
    if value is None:
        return
    expected = type(shape) if isinstance(shape, dict | list) else shape
    if not isinstance(value, expected) or isinstance(value, bool):
        yield f"{path or 'object'} is no {expected.__name__}"
    elif isinstance(shape, dict):
        for name, inner in shape.items():
            yield from mismatches(value.get(name), inner, f"{path}.{name}".lstrip("."))
    elif isinstance(shape, list):
        for number, element in enumerate(value):
            yield from mismatches(element, shape[0], f"{path}[{number}]")


def complaints(obj: Object) -> list[str]:
    """Return what is invalid about a decoded object."""
    found = [f"metadata.{one} is missing" for one in ("name", "uid") if not _has(obj, one)]
    if "podClaimName" in obj:
        found += [f"podClaimName: {one}" for one in names.dns_label(obj["podClaimName"])]
    return found


def _has(obj: Object, field: str) -> bool:
    return bool((obj.get("metadata") or {}).get(field))

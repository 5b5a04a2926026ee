"""Small well-formed objects, to be made wrong in one place."""

from __future__ import annotations

import copy
from typing import Any

from conformance.kube.fields import FieldError

DRIVER = "gpu.example.com"


def changed(obj: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy in which the value at a dotted path (numbers are indices) is another."""
    result = copy.deepcopy(obj)
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
    target: Any = result
    for step in steps:
        target = target.setdefault(step, {}) if isinstance(target, dict) else target[step]
    target[last] = value
    return result


def device(name: str = "gpu-0", **fields: Any) -> dict[str, Any]:
    return {"name": name, **fields}


def slice_(
    name: str = "slice-a",
    *,
    devices: list[dict[str, Any]] | None = None,
    pool: str = "pool-a",
    generation: int = 1,
    count: int = 1,
    driver: str = DRIVER,
    **spec: Any,
) -> dict[str, Any]:
    where = spec or {"nodeName": "node-1"}
    body: dict[str, Any] = {
        "driver": driver,
        "pool": {"name": pool, "generation": generation, "resourceSliceCount": count},
        **where,
    }
    if "sharedCounters" not in body:
        body["devices"] = [device()] if devices is None else devices
    return {"metadata": {"name": name}, "spec": body}


def exactly(name: str = "gpu", **fields: Any) -> dict[str, Any]:
    body = {"deviceClassName": "gpu", "allocationMode": "ExactCount", **fields}
    if body["allocationMode"] == "ExactCount":
        body.setdefault("count", 1)
    return {"name": name, "exactly": body}


def claim(*requests: dict[str, Any], name: str = "claim", **devices: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": name, "namespace": "ns", "uid": f"uid-{name}"},
        "spec": {"devices": {"requests": list(requests) or [exactly()], **devices}},
    }


def device_class(name: str = "gpu", **spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": name}, "spec": spec}


def selector(expression: str) -> dict[str, Any]:
    return {"cel": {"expression": expression}}


def node(name: str = "node-1", **labels: str) -> dict[str, Any]:
    return {"metadata": {"name": name, "labels": labels}}


def opaque(driver: str = DRIVER, **parameters: Any) -> dict[str, Any]:
    return {"opaque": {"driver": driver, "parameters": parameters or {"kind": "Config"}}}


def said_of(errors: list[FieldError]) -> list[tuple[str, str]]:
    """Return path and reason of each error."""
    return [(error.path, str(error.kind).removeprefix("FieldValue")) for error in errors]

"""What containers may request: names of resources, whole numbers, requests beside limits.

Source: Kubernetes 1.37 pkg/apis/core/validation (resource requirements of containers).
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.kube import names
from conformance.kube.fields import FieldError, invalid, required
from conformance.kube.objects import Object
from conformance.kube.quantity import parse

_STANDARD = ("cpu", "memory", "ephemeral-storage")

#: How quota calls what is requested; no resource may be called so.
_OF_QUOTA = "requests."


def of_container(resources: Object, path: str) -> Iterator[FieldError]:
    """Yield what is wrong with the requests and limits of a container."""
    limits = resources.get("limits") or {}
    for field in ("limits", "requests"):
        for name, amount in (resources.get(field) or {}).items():
            yield from _amount(name, amount, f"{path}.{field}[{name}]")
    for name, amount in (resources.get("requests") or {}).items():
        if name not in limits:
            if not _overcommits(name):
                detail = "Limit must be set for non overcommitable resources"
                yield required(f"{path}.limits", detail)
            continue
        more = parse(amount).amount - parse(limits[name]).amount
        if more and not _overcommits(name):
            detail = f"must be equal to {name} limit of {limits[name]}"
            yield invalid(f"{path}.requests", amount, detail)
        elif more > 0:
            detail = f"must be less than or equal to {name} limit of {limits[name]}"
            yield invalid(f"{path}.requests", amount, detail)


def _amount(name: str, amount: str, path: str) -> Iterator[FieldError]:
    yield from _name(name, path)
    number = parse(amount).amount
    if number < 0:
        yield invalid(path, amount, "must be greater than or equal to 0")
    if not _overcommits(name) and number % 1:
        yield invalid(path, amount, "must be an integer")


def _name(name: str, path: str) -> Iterator[FieldError]:
    trouble = names.qualified_name(name)
    for detail in trouble:
        yield invalid(path, name, detail)
    if trouble:
        return
    if "/" not in name:
        if name not in _STANDARD and not name.startswith("hugepages-"):
            yield invalid(path, name, "must be a standard resource type or fully qualified")
            yield invalid(path, name, "must be a standard resource for containers")
    elif not _is_native(name) and not _is_extended(name):
        yield invalid(path, name, "doesn't follow extended resource name standard")


def _is_native(name: str) -> bool:
    return "/" not in name or "kubernetes.io/" in name


def _is_extended(name: str) -> bool:
    quota = f"{_OF_QUOTA}{name}"
    return not name.startswith(_OF_QUOTA) and not names.qualified_name(quota)


def _overcommits(name: str) -> bool:
    return _is_native(name) and not name.startswith("hugepages-")

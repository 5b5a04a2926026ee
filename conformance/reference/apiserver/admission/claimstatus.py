"""What a Pod's status says of its claims: kept, dropped and checked on a write of the status.

Source: Kubernetes 1.37 pkg/registry/core/pod/strategy.go, pkg/api/pod/util.go and
pkg/apis/core/validation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from conformance.dra.features import Features
from conformance.kube import names
from conformance.kube.fields import FieldError, duplicate, invalid, required
from conformance.kube.objects import Object
from conformance.kube.quantity import parse

#: What a client that does not know the fields must not take away by leaving them out.
_KEPT = (
    "resourceClaimStatuses",
    "extendedResourceClaimStatus",
    "nodeAllocatableResourceClaimStatuses",
)

#: Fields that exist only while a gate is on.
_GATED = {
    "extendedResourceClaimStatus": "DRAExtendedResource",
    "nodeAllocatableResourceClaimStatuses": "DRANodeAllocatableResources",
}


#: What a device may take of a node, besides hugepages.
_RESOURCES = ("cpu", "memory", "ephemeral-storage")

#: What a device takes besides its mapping.
_OVERHEADS = ("perPod", "perContainer")


def keep_unmentioned(new: Object, old: Object) -> None:
    """Put back what the new status leaves out, in place."""
    for field in _KEPT:
        before = old.get("status", {}).get(field)
        if before is not None and new["status"].get(field) is None:
            new["status"][field] = before
        elif new["status"].get(field) == []:
            del new["status"][field]


def drop_disabled(new: Object, old: Object, features: Features) -> None:
    """Remove what disabled gates leave out of ``new``, in place; what is in use stays."""
    for field, gate in _GATED.items():
        if not old.get("status", {}).get(field) and not features.enabled(gate):
            new["status"].pop(field, None)


def check(pod: Object) -> Iterator[FieldError]:
    """Yield what is wrong with what the status says of claims."""
    yield from _extended(pod)
    yield from _allocatable(pod)


def _allocatable(pod: Object) -> Iterator[FieldError]:
    generated = pod["status"].get("resourceClaimStatuses") or []
    entries = [*(pod["spec"].get("resourceClaims") or []), *generated]
    known = {entry.get("resourceClaimName") for entry in entries}
    for index, row in enumerate(pod["status"].get("nodeAllocatableResourceClaimStatuses") or []):
        path = f"status.nodeAllocatableResourceClaimStatuses[{index}]"
        name = row.get("resourceClaimName", "")
        if name and name not in known:
            detail = "no mapping found in pod reference"
            yield invalid(f"{path}.resourceClaimName", name, detail)
        for field in ("mapping", "overhead"):
            yield from _names(row.get(field) or [], f"{path}.{field}")
        for at, one in enumerate(row.get("mapping") or []):
            yield from _not_negative(one, f"{path}.mapping[{at}]", ("quantity",))
        for at, one in enumerate(row.get("overhead") or []):
            yield from _not_negative(one, f"{path}.overhead[{at}]", _OVERHEADS)
            if all(one.get(amount) is None for amount in _OVERHEADS):
                detail = "at least one of perPod or perContainer must be set"
                yield invalid(f"{path}.overhead[{at}]", "", detail)


def _not_negative(one: Object, path: str, fields: Iterable[str]) -> Iterator[FieldError]:
    for field in fields:
        amount = one.get(field)
        if amount is not None and parse(amount).amount < 0:
            yield invalid(f"{path}.{field}", amount, "must be non-negative")


def _names(rows: Iterable[Object], path: str) -> Iterator[FieldError]:
    for index, one in enumerate(rows):
        name = one.get("name", "")
        if name not in _RESOURCES and not name.startswith("hugepages-"):
            detail = "must be a node allocatable resource name"
            yield invalid(f"{path}[{index}].name", name, detail)


def _extended(pod: Object) -> Iterator[FieldError]:
    said = pod["status"].get("extendedResourceClaimStatus")
    if said is None:
        return
    path = "status.extendedResourceClaimStatus"
    rows = said.get("requestMappings") or []
    if not rows:
        detail = "at least one request mapping is required"
        yield required(f"{path}.requestMappings", detail)
    requests = _requests(pod["spec"])
    seen: set[tuple[str, ...]] = set()
    for index, row in enumerate(rows):
        where = f"{path}.requestMappings[{index}]"
        yield from _mapping(row, where, requests)
        for detail in names.dns_label(row.get("requestName", "")):
            yield invalid(f"{path}.requestName", row.get("requestName", ""), detail)
        key = tuple(row.get(field, "") for field in _KEY)
        if key in seen:
            yield from (duplicate(f"{where}.{field}", row[field]) for field in _KEY)
        seen.add(key)
    name = said.get("resourceClaimName") or ""
    if not name:
        yield required(f"{path}.resourceClaimName")
    for detail in names.dns_subdomain(name) if name else ():
        yield invalid(f"{path}.resourceClaimName", name, detail)


_KEY = ("containerName", "resourceName", "requestName")


def _mapping(row: Object, path: str, requests: Mapping[str, Object]) -> Iterator[FieldError]:
    container, resource = row.get("containerName", ""), row.get("resourceName", "")
    if container not in requests:
        detail = (
            "must match the name of an entry in spec.initContainers.name or spec.containers.name"
        )
        yield invalid(f"{path}.containerName", container, detail)
    elif resource not in requests[container]:
        detail = (
            "must match the extended resource name of an entry in "
            "spec.initContainers.resources.requests or spec.containers.resources.requests"
        )
        yield invalid(f"{path}.resourceName", resource, detail)


def _requests(spec: Object) -> Mapping[str, Object]:
    containers = [*(spec.get("initContainers") or []), *(spec.get("containers") or [])]
    return {one["name"]: one["resources"].get("requests") or {} for one in containers}

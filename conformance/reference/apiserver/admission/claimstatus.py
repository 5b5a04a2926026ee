"""What a Pod's status says of its claims: kept, dropped and checked on a write of the status.

Source: Kubernetes 1.37 pkg/registry/core/pod/strategy.go, pkg/api/pod/util.go and
pkg/apis/core/validation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conformance.dra.features import Features
from conformance.kube import names
from conformance.kube.fields import FieldError, duplicate, invalid, required
from conformance.kube.objects import Object

#: What a client that does not know the fields must not take away by leaving them out.
_KEPT = ("resourceClaimStatuses", "extendedResourceClaimStatus")


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
    in_use = old.get("status", {}).get("extendedResourceClaimStatus")
    if not in_use and not features.enabled("DRAExtendedResource"):
        new["status"].pop("extendedResourceClaimStatus", None)


def check(pod: Object) -> Iterator[FieldError]:
    """Yield what is wrong with ``status.extendedResourceClaimStatus``."""
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

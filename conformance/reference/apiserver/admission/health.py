"""Device health in the status of a Pod: when it is kept, and what it may say.

Source: Kubernetes 1.37 pkg/api/pod/util.go and pkg/apis/core/validation. A field of a gate
that is off stays while the old object uses it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.kube.fields import (
    FieldError,
    duplicate,
    invalid,
    not_supported,
    required,
    too_long,
)
from conformance.kube.objects import Object

_HEALTH = ("Healthy", "Unhealthy", "Unknown")
_MESSAGE_LENGTH = 1024

_STATUSES = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")


def drop_disabled(new: Object, old: Object, features: Features) -> None:
    """Remove what disabled gates leave out of ``new``, in place."""
    if not features.enabled("ResourceHealthStatus") and not any(_resources(old)):
        _replace(new, keep=False)
    elif not features.enabled("ResourceHealthStatusMessage") and not any(
        "message" in resource for resource in _resources(old)
    ):
        _replace(new, keep=True)


def check(pod: Object) -> Iterator[FieldError]:
    """Yield what is wrong with what the status says of the health of devices."""
    for key, field in (("containers", _STATUSES[0]), ("initContainers", _STATUSES[1])):
        known = {one["name"]: one for one in pod["spec"].get(key) or []}
        for index, row in enumerate(pod["status"].get(field) or []):
            yield from _row(row, f"status.{field}[{index}]", known.get(row.get("name", "")), pod)


def _row(row: Object, path: str, container: Object | None, pod: Object) -> Iterator[FieldError]:
    for index, one in enumerate(row.get("allocatedResourcesStatus") or []):
        where = f"{path}.allocatedResourcesStatus[{index}]"
        if container is not None:
            yield from _name(one.get("name", ""), f"{where}.name", container, pod)
        yield from _reports(one.get("resources") or [], f"{where}.resources")


def _name(name: str, path: str, container: Object, pod: Object) -> Iterator[FieldError]:
    resources: Object = container["resources"]
    if not name.startswith("claim:"):
        if name not in (resources.get("requests") or {}):
            yield invalid(path, name, "must match one of the container's resource requests")
        return
    used = {
        "/".join(filter(None, (claim["name"], claim.get("request"))))
        for claim in resources.get("claims") or []
    }
    if name.removeprefix("claim:") not in used | _extended(container["name"], pod):
        detail = (
            "must match one of the container's resource claims as 'claim:<claimName>/<requestName>'"
            " when container.resources.claims[*].request is set or 'claim:<claimName>' when it is"
            " empty"
        )
        yield invalid(path, name, detail)


def _extended(container: str, pod: Object) -> set[str]:
    """Return the requests of the Pod's claim for extended resources that a container uses."""
    said: Object = pod["status"].get("extendedResourceClaimStatus") or {}
    return {
        f"{said.get('resourceClaimName')}/{row.get('requestName')}"
        for row in said.get("requestMappings") or []
        if row.get("containerName") == container
    }


def _reports(reports: list[Object], path: str) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, one in enumerate(reports):
        if one.get("health", "") not in _HEALTH:
            yield not_supported(f"{path}[{index}].health", one.get("health", ""), _HEALTH)
        message = one.get("message")
        if message == "":
            yield required(f"{path}[{index}].message", "must be non-empty if specified")
        elif message is not None and len(message.encode()) > _MESSAGE_LENGTH:
            yield too_long(f"{path}[{index}].message", _MESSAGE_LENGTH)
        name = one.get("resourceID", "")
        if name in seen:
            yield duplicate(f"{path}[{index}].resourceID", name)
        seen.add(name)


def _rows(pod: Object) -> Iterator[Object]:
    for key in _STATUSES:
        yield from pod.get("status", {}).get(key) or []


def _resources(pod: Object) -> Iterator[Object]:
    for row in _rows(pod):
        for status in row.get("allocatedResourcesStatus") or []:
            yield from status.get("resources") or []


def _replace(pod: Object, *, keep: bool) -> None:
    for row in _rows(pod):
        statuses = copy.deepcopy(row.pop("allocatedResourcesStatus", None))
        if not statuses or not keep:
            continue
        for resource in (one for status in statuses for one in status.get("resources") or []):
            resource.pop("message", None)
        row["allocatedResourcesStatus"] = statuses

"""Pods: defaults, the minimum of validation, and what of a Pod may change.

Source: Kubernetes 1.37 pkg/apis/core/v1/defaults.go, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from conformance.kube import names
from conformance.kube.fields import ErrorKind, FieldError
from conformance.kube.objects import Object, copy_of
from conformance.reference.apiserver.admission import (
    amounts,
    claimnames,
    claimstatus,
    health,
    podgroups,
)

_IMMUTABLE = (
    "pod updates may not change fields other than `spec.containers[*].image`,"
    "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set "
    "to 1 if it was previously negative)"
)

_DEFAULTS: Object = {
    "restartPolicy": "Always",
    "dnsPolicy": "ClusterFirst",
    "schedulerName": "default-scheduler",
    "terminationGracePeriodSeconds": 30,
    "enableServiceLinks": True,
    "securityContext": {},
    "preemptionPolicy": "PreemptLowerPriority",
    "priority": 0,
}

_CONTAINER_DEFAULTS: Object = {
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
    "resources": {},
}

#: Admission plugin DefaultTolerationSeconds.
_TOLERATIONS = tuple(
    {
        "key": f"node.kubernetes.io/{condition}",
        "operator": "Exists",
        "effect": "NoExecute",
        "tolerationSeconds": 300,
    }
    for condition in ("not-ready", "unreachable")
)

_CONTAINER_LISTS = ("initContainers", "containers")


def prepare_create(pod: Object, now: datetime) -> None:
    """Set defaults, and the status of a Pod that nobody has looked at."""
    del now
    spec: Object = pod.setdefault("spec", {})
    for key, value in _DEFAULTS.items():
        spec.setdefault(key, copy_of(value))
    for container in _containers(spec):
        _default_container(container)
    _default_tolerations(spec)
    pod["metadata"]["generation"] = 1
    pod["status"] = {"phase": "Pending", "qosClass": _qos_class(spec)}


def validate_create(pod: Object) -> Iterator[FieldError]:
    """Yield what is wrong with a new Pod."""
    spec = pod["spec"]
    if not spec.get("containers"):
        yield _error("FieldValueRequired", "spec.containers", "", "")
    claims = [claim.get("name", "") for claim in spec.get("resourceClaims", [])]
    yield from claimnames.of_pod(spec.get("resourceClaims", []))
    yield from podgroups.of_pod(spec)
    for key in _CONTAINER_LISTS:
        for index, container in enumerate(spec.get(key, [])):
            yield from _container(container, f"spec.{key}[{index}]", claims)
    yield from _unique_names(spec)
    if spec["restartPolicy"] not in ("Always", "OnFailure", "Never"):
        detail = 'supported values: "Always", "OnFailure", "Never"'
        yield _error("FieldValueNotSupported", "spec.restartPolicy", spec["restartPolicy"], detail)
    if spec["terminationGracePeriodSeconds"] < 0:
        yield _error(
            "FieldValueInvalid",
            "spec.terminationGracePeriodSeconds",
            spec["terminationGracePeriodSeconds"],
            "must be greater than or equal to 0",
        )


def prepare_update(new: Object, old: Object, now: datetime, subresource: str) -> None:
    """Keep the status in a spec write, the spec in a status write, and count generations."""
    del now
    for condition in new.get("status", {}).get("conditions") or []:
        # Go writes these times even when they are not set.
        condition.setdefault("lastProbeTime", None)
        condition.setdefault("lastTransitionTime", None)
    if subresource == "binding":
        return
    if subresource == "status":
        new["spec"] = old["spec"]
        status = new.setdefault("status", {})
        status.setdefault("qosClass", old["status"].get("qosClass", "BestEffort"))
        claimstatus.keep_unmentioned(new, old)
        return
    new["status"] = old["status"]
    spec: Object = new.setdefault("spec", {})
    for key, value in _DEFAULTS.items():
        spec.setdefault(key, copy_of(value))
    for container in _containers(spec):
        _default_container(container)
    if spec != old["spec"]:
        new["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1


def validate_update(new: Object, old: Object, subresource: str) -> Iterator[FieldError]:
    """Yield what an update may not change."""
    if subresource == "status":
        yield from _status(new, old)
        yield from claimstatus.check(new)
        yield from health.check(new)
        return
    if subresource == "binding" or new["spec"] == old["spec"]:
        return
    for key in _CONTAINER_LISTS:
        if len(new["spec"].get(key) or []) != len(old["spec"].get(key) or []):
            detail = "pod updates may not add or remove containers"
            yield _error("FieldValueForbidden", f"spec.{key}", None, detail)
            return
    if _without_mutable(new["spec"]) != _without_mutable(old["spec"]):
        yield _error("FieldValueForbidden", "spec", None, _IMMUTABLE)
    before = old["spec"].get("tolerations", [])
    if any(toleration not in new["spec"].get("tolerations", []) for toleration in before):
        detail = "existing toleration can not be modified except its tolerationSeconds"
        yield _error("FieldValueForbidden", "spec.tolerations", None, detail)


def grace_period(pod: Object, requested: int | None) -> int:
    """Return the seconds that a Pod's containers have to end; 0 when nobody runs them."""
    spec, phase = pod.get("spec", {}), pod.get("status", {}).get("phase")
    if not spec.get("nodeName") or phase in ("Succeeded", "Failed"):
        return 0
    if requested is not None:
        return max(0, requested)
    return spec.get("terminationGracePeriodSeconds", 30)


def _error(kind: str, path: str, value: Any, detail: str) -> FieldError:
    return FieldError(ErrorKind(kind), path, value, detail)


def _containers(spec: Object) -> Iterator[Object]:
    for key in _CONTAINER_LISTS:
        yield from spec.get(key) or []


def _default_container(container: Object) -> None:
    for key, value in _CONTAINER_DEFAULTS.items():
        container.setdefault(key, copy_of(value))
    if "imagePullPolicy" not in container:
        image = container.get("image", "")
        tag = image.rpartition("/")[2].partition(":")[2]
        is_latest = "@" not in image and tag in ("", "latest")
        container["imagePullPolicy"] = "Always" if is_latest else "IfNotPresent"
    resources = container["resources"]
    for key, value in resources.get("limits", {}).items():
        resources.setdefault("requests", {}).setdefault(key, value)
    for port in container.get("ports", []):
        port.setdefault("protocol", "TCP")


def _default_tolerations(spec: Object) -> None:
    present: list[Object] = spec.setdefault("tolerations", [])
    for toleration in _TOLERATIONS:
        if not any(
            row.get("key") in (None, "", toleration["key"])
            and row.get("effect") in (None, "", "NoExecute")
            for row in present
        ):
            present.append(dict(toleration))


def _qos_class(spec: Object) -> str:
    limited: list[bool] = []
    used = False
    for container in _containers(spec):
        resources = container.get("resources", {})
        limits, requests = resources.get("limits", {}), resources.get("requests", {})
        kinds = ("cpu", "memory")
        used = used or any(kind in limits or kind in requests for kind in kinds)
        limited.append(all(kind in limits and requests.get(kind) == limits[kind] for kind in kinds))
    if not used:
        return "BestEffort"
    return "Guaranteed" if all(limited) else "Burstable"


def _container(container: Object, path: str, claims: list[str]) -> Iterator[FieldError]:
    name = container.get("name", "")
    if not name:
        yield _error("FieldValueRequired", f"{path}.name", "", "")
    for detail in names.dns_label(name) if name else ():
        yield _error("FieldValueInvalid", f"{path}.name", name, detail)
    if not container.get("image"):
        yield _error("FieldValueRequired", f"{path}.image", "", "")
    yield from amounts.of_container(container["resources"], f"{path}.resources")
    yield from claimnames.of_container(
        container["resources"].get("claims", []), f"{path}.resources.claims", claims
    )


def _unique_names(spec: Object) -> Iterator[FieldError]:
    seen: set[str] = set()
    for key in _CONTAINER_LISTS:
        for index, container in enumerate(spec.get(key, [])):
            name = container.get("name", "")
            if name and name in seen:
                yield _error("FieldValueDuplicate", f"spec.{key}[{index}].name", name, "")
            seen.add(name)


def _status(new: Object, old: Object) -> Iterator[FieldError]:
    was = old["spec"].get("nodeName")
    if new["spec"].get("nodeName") != was:
        yield _error("FieldValueForbidden", "status.nodeName", None, "may not be changed directly")
    claims = [claim.get("name") for claim in new["spec"].get("resourceClaims", [])]
    seen: set[str] = set()
    for index, row in enumerate(new["status"].get("resourceClaimStatuses", [])):
        path = f"status.resourceClaimStatuses[{index}].name"
        name = row.get("name", "")
        if name not in claims:
            detail = "must match the name of an entry in `spec.resourceClaims`"
            yield _error("FieldValueInvalid", path, name, detail)
        if name in seen:
            yield _error("FieldValueDuplicate", path, name, "")
        seen.add(name)
        for detail in names.dns_subdomain(row.get("resourceClaimName") or "a"):
            where = f"status.resourceClaimStatuses[{index}].resourceClaimName"
            yield _error("FieldValueInvalid", where, row["resourceClaimName"], detail)


def _without_mutable(spec: Object) -> Object:
    kept = copy_of(spec)
    for key in ("activeDeadlineSeconds", "tolerations", "schedulingGates"):
        kept.pop(key, None)
    for container in _containers(kept):
        container.pop("image", None)
        container.pop("imagePullPolicy", None)
    return kept

"""What happens to an object of resource.k8s.io on its way into storage, before validation.

Source: ``pkg/registry/resource/*/strategy.go`` of Kubernetes 1.37.2: defaults, dropped fields,
the status that a create cannot set, the halves of the object that an update keeps.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from conformance.dra import defaulting, dropping
from conformance.dra.features import Features
from conformance.kube.objects import Object, meta
from conformance.kube.times import format_time

#: Fields of the metadata that a write of the status cannot change
#: (``metav1.ResetObjectMetaForStatus``).
_META_KEPT = (
    "deletionTimestamp",
    "generation",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
)

#: Kinds whose generation counts the changes of their spec.
_GENERATIONS = frozenset({"deviceclasses", "devicetaintrules", "resourceslices"})


def prepare_create(resource: str, obj: Object, features: Features, now: datetime) -> None:
    """Bring a new object into the form that is validated and stored, in place.

    Raises ``StatusError`` (400) for quantities that cannot be parsed, as decoding does.
    """
    _reset_status(resource, obj)
    if resource in _GENERATIONS:
        meta(obj)["generation"] = 1
    _prepare_spec(resource, obj, None, features, now)


def prepare_update(
    resource: str,
    new: Object,
    old: Object,
    features: Features,
    now: datetime,
    subresource: str = "",
) -> None:
    """Bring a changed object into the form that is validated and stored, in place.

    A write of the status keeps spec and most metadata of the stored object, any other write
    keeps its status.
    """
    if subresource == "status":
        _prepare_status(resource, new, old, features)
        return
    _keep(new, old, "status")
    _prepare_spec(resource, new, old, features, now)
    if resource in _GENERATIONS:
        before = meta(old).get("generation", 1)
        same = semantic(new.get("spec")) == semantic(old.get("spec"))
        meta(new)["generation"] = before if same else before + 1


def semantic(value: Any) -> Any:
    """Return the value without what Kubernetes takes as equal to nothing, for comparisons."""
    if isinstance(value, dict):
        mapping: Object = value
        cleaned = {key: semantic(one) for key, one in mapping.items()}
        return {key: one for key, one in cleaned.items() if one is not None and one != []}
    if isinstance(value, list):
        items: list[Any] = value
        return [semantic(one) for one in items]
    return value


def _reset_status(resource: str, obj: Object) -> None:
    obj.pop("status", None)
    if resource in ("devicetaintrules", "resourceclaims"):
        obj["status"] = {}


def _keep(new: Object, old: Object, field: str) -> None:
    if field in old:
        new[field] = copy.deepcopy(old[field])
    else:
        new.pop(field, None)


def _prepare_status(resource: str, new: Object, old: Object, features: Features) -> None:
    _keep(new, old, "spec")
    for field in _META_KEPT:
        _keep(meta(new), meta(old), field)
    if resource == "devicetaintrules" and new.get("status") is None:
        new["status"] = {}
    if resource != "resourceclaims" and new.get("status") is not None:
        defaulting.conditions(new["status"])
    if resource == "resourceclaims":
        if new.get("status") is None:
            new["status"] = {}
        defaulting.claim_status(new["status"])
        dropping.claim_status(new, old, features)
        _drop_deallocated(new, old, features)


def _drop_deallocated(new: Object, old: Object, features: Features) -> None:
    """Remove what is said of devices that this write deallocates (KEP-4817)."""
    devices = (new.get("status") or {}).get("devices")
    in_use = bool((old.get("status") or {}).get("devices"))
    if not devices or not (features.enabled("DRAResourceClaimDeviceStatus") or in_use):
        return
    gone = allocated_devices(old) - allocated_devices(new)
    kept = [device for device in devices if device_id(device) not in gone]
    if kept:
        new["status"]["devices"] = kept
    else:
        del new["status"]["devices"]


def device_id(entry: Object) -> tuple[Any, ...]:
    """Return what identifies a device in results and in status.devices, its share included."""
    return tuple(entry.get(key) for key in ("driver", "pool", "device", "shareID"))


def allocated_devices(claim: Object) -> set[tuple[Any, ...]]:
    """Return the identities of the devices that are allocated for the claim."""
    allocation = (claim.get("status") or {}).get("allocation") or {}
    return {device_id(one) for one in (allocation.get("devices") or {}).get("results") or []}


def _claim(obj: Object, old: Object | None, features: Features, _now: datetime) -> None:
    spec = obj.setdefault("spec", {})
    dropping.claim_spec(spec, old.get("spec") if old else None, features)
    defaulting.claim_spec(spec)


def _template(obj: Object, old: Object | None, features: Features, _now: datetime) -> None:
    template = obj.setdefault("spec", {})
    if template.get("metadata") is None:
        template["metadata"] = {}
    spec = template.setdefault("spec", {})
    before = (old.get("spec") or {}).get("spec") if old else None
    dropping.claim_spec(spec, before, features)
    defaulting.claim_spec(spec)


def _slice(obj: Object, old: Object | None, features: Features, now: datetime) -> None:
    spec = obj.setdefault("spec", {})
    dropping.slice_spec(spec, old.get("spec") if old else None, features)
    defaulting.slice_spec(spec, now)


def _class(obj: Object, old: Object | None, features: Features, _now: datetime) -> None:
    dropping.class_spec(obj.setdefault("spec", {}), old.get("spec") if old else None, features)


def _taint_rule(obj: Object, old: Object | None, _features: Features, now: datetime) -> None:
    spec = obj.setdefault("spec", {})
    defaulting.taint_rule_spec(spec, now)
    if old is None:
        return
    taint, before = spec["taint"], (old.get("spec") or {}).get("taint") or {}
    changed = taint.get("effect") != before.get("effect")
    if changed and taint["timeAdded"] == before.get("timeAdded"):
        # The time tells since when this effect holds.
        taint["timeAdded"] = format_time(now)


def _pool_status(obj: Object, old: Object | None, features: Features, _now: datetime) -> None:
    spec = obj.setdefault("spec", {})
    dropping.pool_status_spec(spec, old.get("spec") if old else None, features)
    defaulting.pool_status_spec(spec)


_SPECS: Mapping[str, Callable[[Object, Object | None, Features, datetime], None]] = {
    "deviceclasses": _class,
    "devicetaintrules": _taint_rule,
    "resourceclaims": _claim,
    "resourceclaimtemplates": _template,
    "resourceslices": _slice,
    "resourcepoolstatusrequests": _pool_status,
}


def _prepare_spec(
    resource: str, obj: Object, old: Object | None, features: Features, now: datetime
) -> None:
    _SPECS[resource](obj, old, features, now)

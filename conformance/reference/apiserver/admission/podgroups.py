"""PodGroups of scheduling.k8s.io: defaults, what is dropped, and what makes one invalid.

Source: Kubernetes 1.37.2 pkg/registry/scheduling/podgroup, the tags of
k8s.io/api/scheduling/v1beta1, and the admission plugins PodGroupProtection and Priority.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from conformance.dra.features import Features
from conformance.kube import names
from conformance.kube.fields import FieldError, duplicate, invalid, required, too_many
from conformance.kube.objects import Object
from conformance.reference.apiserver.registry.strategy import Strategy, keep_status

#: Keeps a group in existence while Pods of it may run.
PROTECTION = "scheduling.k8s.io/podgroup-protection"

#: Most claims of one group, and most entries of its status.
_MOST = 4

_POLICIES = ("basic", "gang")
_SOURCES = ("resourceClaimName", "resourceClaimTemplateName")

#: Fields of the metadata that a write of the status cannot change.
_META_KEPT = ("deletionTimestamp", "labels", "annotations", "finalizers", "ownerReferences")


def drop_disabled(plural: str, new: Object, old: Object | None, features: Features) -> None:
    """Remove what disabled gates leave out of a Pod or PodGroup, in place; what is used stays."""
    before = (old or {}).get("spec") or {}
    field, gate = _GATED.get(plural, ("", ""))
    if field and not features.enabled(gate) and not before.get(field):
        (new.get("spec") or {}).pop(field, None)
        if plural == "podgroups":
            (new.get("status") or {}).pop("resourceClaimStatuses", None)


def of_pod(spec: Object) -> Iterator[FieldError]:
    """Yield what is wrong with the group that a Pod's spec names."""
    group, path = spec.get("schedulingGroup"), "spec.schedulingGroup.podGroupName"
    if group is None:
        return
    if group.get("podGroupName") is None:
        yield invalid(path, None, "must specify one of: `podGroupName`")
    yield from _subdomain(group.get("podGroupName"), path)


_GATED = {
    "pods": ("schedulingGroup", "GenericWorkload"),
    "podgroups": ("resourceClaims", "DRAWorkloadResourceClaims"),
}


def _prepare_create(group: Object, now: datetime) -> None:
    del now
    spec: Object = group.setdefault("spec", {})
    spec.setdefault("schedulingPolicy", {})
    spec.setdefault("disruptionMode", {"single": {}})
    spec.setdefault("priority", 0)
    group["status"] = {}
    finalizers: list[str] = group["metadata"].setdefault("finalizers", [])
    if PROTECTION not in finalizers:
        finalizers.append(PROTECTION)


def _prepare_update(new: Object, old: Object, now: datetime, subresource: str) -> None:
    keep_status(new, old, now, subresource)
    if subresource == "status":
        for field in _META_KEPT:
            new["metadata"].pop(field, None)
            if field in old["metadata"]:
                new["metadata"][field] = old["metadata"][field]
        new.setdefault("status", {})
        return
    spec: Object = new.setdefault("spec", {})
    for field in ("disruptionMode", "priority"):
        # What a server sets by itself, a client need not repeat.
        if field in old["spec"]:
            spec.setdefault(field, old["spec"][field])


def _validate_create(group: Object) -> Iterator[FieldError]:
    spec = group["spec"]
    yield from _policy(spec["schedulingPolicy"])
    yield from _one_of(spec["disruptionMode"], ("single", "all"), "spec.disruptionMode")
    yield from _claims(spec.get("resourceClaims") or [])


def _validate_update(new: Object, old: Object, subresource: str) -> Iterator[FieldError]:
    if subresource == "status":
        yield from _statuses(new)
        return
    yield from _validate_create(new)
    for field in ("resourceClaims", "disruptionMode", "priority", "priorityClassName"):
        if (new["spec"].get(field) or None) != (old["spec"].get(field) or None):
            yield invalid(f"spec.{field}", new["spec"].get(field), "field is immutable")
    policy, before = new["spec"]["schedulingPolicy"], old["spec"]["schedulingPolicy"]
    for field in _POLICIES:
        if (field in policy) != (field in before):
            yield invalid(f"spec.schedulingPolicy.{field}", None, "field is immutable")


def _policy(policy: Object) -> Iterator[FieldError]:
    yield from _one_of(policy, _POLICIES, "spec.schedulingPolicy")
    gang = policy.get("gang")
    if gang is None:
        return
    path = "spec.schedulingPolicy.gang.minCount"
    if not gang.get("minCount"):
        yield required(path)
    elif gang["minCount"] < 1:
        yield invalid(path, gang["minCount"], "must be greater than or equal to 1")


def _one_of(holder: Object, fields: Sequence[str], path: str) -> Iterator[FieldError]:
    chosen = [field for field in fields if holder.get(field) is not None]
    known = ", ".join(f"`{field}`" for field in fields)
    if not chosen:
        yield invalid(path, "", f"must specify one of: {known}")
    elif len(chosen) > 1:
        yield invalid(path, f"{{{', '.join(chosen)}}}", f"must specify exactly one of: {known}")


def _claims(claims: Sequence[Object]) -> Iterator[FieldError]:
    path = "spec.resourceClaims"
    if len(claims) > _MOST:
        yield too_many(path, len(claims), _MOST)
        return
    yield from _unique(claims, path)
    for index, claim in enumerate(claims):
        where = f"{path}[{index}]"
        name = claim.get("name") or ""
        if not name:
            yield required(f"{where}.name")
        for detail in names.dns_label(name) if name else ():
            yield invalid(f"{where}.name", name, detail)
        yield from _one_of(claim, _SOURCES, where)
        for field in _SOURCES:
            yield from _subdomain(claim.get(field), f"{where}.{field}")


def _subdomain(name: Any, path: str) -> Iterator[FieldError]:
    if name is not None:
        yield from (invalid(path, name, detail) for detail in names.dns_subdomain(name))


def _unique(rows: Iterable[Object], path: str) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, row in enumerate(rows):
        name = row.get("name") or ""
        if name in seen:
            yield duplicate(f"{path}[{index}]", {"name": name})
        seen.add(name)


def _statuses(group: Object) -> Iterator[FieldError]:
    path = "status.resourceClaimStatuses"
    rows: list[Object] = group["status"].get("resourceClaimStatuses") or []
    if len(rows) > _MOST:
        yield too_many(path, len(rows), _MOST)
        return
    known = {claim["name"] for claim in group["spec"].get("resourceClaims") or []}
    yield from _unique(rows, path)
    for index, row in enumerate(rows):
        if row.get("name") not in known:
            detail = "must match the name of an entry in `spec.resourceClaims`"
            yield invalid(f"{path}[{index}].name", row.get("name", ""), detail)
        yield from _subdomain(row.get("resourceClaimName"), f"{path}[{index}].resourceClaimName")


STRATEGY = Strategy(
    prepare_create=_prepare_create,
    validate_create=_validate_create,
    prepare_update=_prepare_update,
    validate_update=_validate_update,
)

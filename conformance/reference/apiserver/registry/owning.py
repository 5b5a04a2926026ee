"""Which fields a request's manager owns afterwards: the rules of ``ownership`` for a target."""

from __future__ import annotations

from typing import Any

from conformance.kube import status, times
from conformance.kube.objects import Object
from conformance.reference.apiserver.ownership import managers, types, writes
from conformance.reference.apiserver.ownership.managers import Managed
from conformance.reference.apiserver.ownership.paths import OwnershipError, Path
from conformance.reference.apiserver.ownership.types import Type
from conformance.reference.apiserver.ownership.writes import Scope
from conformance.reference.apiserver.registry.context import Registry, Target, Writer

_STATUS: tuple[Path, ...] = (("f:status",),)
_SPEC: tuple[Path, ...] = (("f:spec",),)
_ALL_BUT_STATUS: tuple[Path, ...] = (("f:metadata",), ("f:spec",))

#: What a write of the status leaves alone, where that is more than the spec (``GetResetFields``
#: of the strategies).
_RESET_BY_STATUS: dict[str, tuple[Path, ...]] = {
    "resourceclaims": _ALL_BUT_STATUS,
    "devicetaintrules": _ALL_BUT_STATUS,
    "resourcepoolstatusrequests": _ALL_BUT_STATUS,
    "podgroups": _ALL_BUT_STATUS,
    "pods": (
        *_SPEC,
        ("f:metadata", "f:deletionTimestamp"),
        ("f:metadata", "f:ownerReferences"),
    ),
    "deployments": (*_SPEC, ("f:metadata", "f:labels")),
}


#: Fields of a spec that admission sets on creation, after the owners were noted.
_BY_ADMISSION: dict[str, tuple[str, ...]] = {
    "pods": ("preemptionPolicy", "priority", "tolerations"),
    "podgroups": ("priority",),
}


def after_write(
    registry: Registry, target: Target, old: Object | None, new: Object, writer: Writer | None
) -> list[Object]:
    """Return ``metadata.managedFields`` of an object that is written, as prepared for storing.

    What stands in ``new`` is what was sent, or for an applier what ``applied`` found. Without a
    writer nothing changes. ``old`` is nothing when the object is new.
    """
    sent = new["metadata"].get("managedFields")
    live = old["metadata"].get("managedFields") if old is not None else None
    if writer is None:
        return live or []
    if writer.applies:
        return sent or []
    managed = _sent_or_live(sent, live, is_subresource=bool(target.subresource))
    if not managed and old is not None:
        # Nobody was tracked so far, and an update does not begin with it.
        return []
    before = old or _nothing(target)
    return managers.encode(_updated(registry, target, before, new, managed, writer))


def before_admission(target: Target, new: Object, given: Object) -> Object:
    """Return a new object without what admission has added to the given one."""
    added = _BY_ADMISSION.get(target.resource.plural, ())
    sent = given.get("spec") or {}
    spec = {key: one for key, one in new.get("spec", {}).items() if key not in added or key in sent}
    if target.resource.plural == "podgroups":
        # PodGroupProtection is a plugin too.
        meta = {**new["metadata"], "finalizers": given.get("metadata", {}).get("finalizers")}
        meta = {key: one for key, one in meta.items() if one is not None}
        return {**new, "metadata": meta, "spec": spec}
    return {**new, "spec": spec} if added else new


def applied(
    registry: Registry, target: Target, live: Object | None, document: Object, writer: Writer
) -> Object:
    """Return what server-side apply makes of the live object, its managedFields included.

    Raises ``StatusError``: 409 for conflicts, 500 for a document whose lists have no owners.
    """
    scope = _scope(registry, target)
    if scope is None:
        raise status.internal("the shape of this kind is not known")
    manager = writes.manager_of(writer.name, scope.api_version, target.subresource, applies=True)
    present = live if live is not None else _nothing(target)
    try:
        return writes.applied(scope, present, document, manager, _now(registry), force=writer.force)
    except OwnershipError as error:
        raise status.unknown(f"failed to create typed patch object: {error}") from error


def _nothing(target: Target) -> Object:
    return {
        "apiVersion": target.resource.api_version,
        "kind": target.resource.kind,
        "metadata": {},
    }


def same_but_times(new: Object, old: Object) -> bool:
    """Say whether two objects differ in nothing but the times of their managedFields."""
    return _without_times(new) == _without_times(old)


def _without_times(obj: Object) -> Object:
    meta = obj["metadata"]
    rows = [
        {key: one for key, one in row.items() if key != "time"}
        for row in meta.get("managedFields") or []
    ]
    return {**obj, "metadata": {**meta, "managedFields": rows}}


def _sent_or_live(sent: Any, live: Any, *, is_subresource: bool) -> Managed:
    if not is_subresource:
        if managers.is_reset(sent):
            return {}
        # A client that knows nothing of managedFields does not delete them by accident.
        if managed := _decoded(sent):
            return managed
    return _decoded(live)


def _decoded(entries: Any) -> Managed:
    try:
        return managers.decode(entries)
    except OwnershipError:
        return {}


def _updated(
    registry: Registry, target: Target, old: Object, new: Object, managed: Managed, writer: Writer
) -> Managed:
    scope = _scope(registry, target)
    if scope is None:
        return managed
    manager = writes.manager_of(writer.name, scope.api_version, target.subresource, applies=False)
    try:
        return writes.updated(scope, old, new, managed, manager, _now(registry))
    except OwnershipError:
        # A list without its keys is stored all the same; who owns what stays as it was.
        return managed


def _scope(registry: Registry, target: Target) -> Scope | None:
    resource = target.resource
    of_kind = (resource.group, resource.kind)
    served = {row.api_version for row in registry.served if (row.group, row.kind) == of_kind}

    def type_in(version: str) -> Type | None:
        return types.of_kind(version, resource.kind) if version in served else None

    if type_in(resource.api_version) is None:
        return None
    return Scope(
        api_version=resource.api_version,
        reset=_reset(target),
        type_in=type_in,
        convert=lambda obj, version: registry.from_hub(registry.to_hub(obj), version),
    )


def _reset(target: Target) -> tuple[Path, ...]:
    if target.subresource == "status":
        return _RESET_BY_STATUS.get(target.resource.plural, _SPEC)
    return _STATUS if "status" in target.resource.subresources else ()


def _now(registry: Registry) -> str:
    return times.format_time(registry.clock.now())

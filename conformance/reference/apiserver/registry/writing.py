"""Create and update: prepare, validate, compare revisions, store."""

from __future__ import annotations

from collections.abc import Callable

from conformance.kube import fields, status
from conformance.kube.objects import Object, copy_of
from conformance.kube.status import StatusError
from conformance.reference.apiserver.registry import metadata, owning, reading, refusals, removing
from conformance.reference.apiserver.registry.context import (
    OPEN,
    Guard,
    Registry,
    Target,
    Writer,
    storage_of,
)
from conformance.reference.store.memory import Exists

#: Resources whose updates must say which version they change
#: (``AllowUnconditionalUpdate`` of their strategies).
_CONDITIONAL = frozenset({"devicetaintrules", "podgroups", "resourcepoolstatusrequests"})


def create(
    registry: Registry,
    target: Target,
    obj: Object,
    *,
    guard: Guard = OPEN,
    dry_run: bool = False,
    writer: Writer | None = None,
) -> Object:
    """Store a new object and return it as stored. Raises ``StatusError``."""
    resource = target.resource
    _agree_on_names(target, obj)
    if obj.get("metadata", {}).get("resourceVersion"):
        raise StatusError(
            code=500,
            reason="",
            message="resourceVersion should not be set on objects to be created",
        )
    if resource.namespaced:
        obj.setdefault("metadata", {}).setdefault("namespace", target.namespace)
    obj = guard.mutate("CREATE", obj)
    new = copy_of(obj)
    now = registry.clock.now()
    strategy = registry.strategy_of(resource)
    namespace = target.namespace if resource.namespaced else ""
    metadata.prepare_create(new, namespace, registry.identity, now)
    _require_namespace(registry, target, new)
    strategy.prepare_create(new, now)
    owned = owning.before_admission(target, new, obj)
    _note_owners(new, registry.note_owners(registry, target, None, owned, writer))
    errors = [*metadata.validate_create(new, resource), *strategy.validate_create(new)]
    if errors:
        raise refusals.invalid(resource, new, errors)
    guard.admit("CREATE", new, None)
    name = new["metadata"]["name"]
    key = (namespace, name)
    if dry_run:
        if registry.store.get(storage_of(resource), key):
            raise refusals.already_exists(resource, name)
        return new
    try:
        return registry.store.create(storage_of(resource), key, new)
    except Exists as error:
        raise refusals.already_exists(resource, name) from error


def update(
    registry: Registry,
    target: Target,
    change: Callable[[Object], Object],
    *,
    guard: Guard = OPEN,
    dry_run: bool = False,
    writer: Writer | None = None,
) -> Object:
    """Replace an object by what ``change`` makes of (a copy of) it. Raises ``StatusError``.

    A uid that is sent is a precondition, but in a patch it is a field that may not change.

    An update that changes nothing stores nothing, as with a real API server.
    """
    resource = target.resource
    storage = storage_of(resource)
    old = registry.store.get(storage, target.key)
    if old is None:
        raise refusals.not_found(target)
    new = change(copy_of(old))
    _agree_on_names(target, new)
    is_patch = writer is not None and writer.is_patch
    _check_preconditions(target, new, old, is_patch=is_patch)
    strategy = registry.strategy_of(resource)
    metadata.prepare_update(new, old)
    strategy.prepare_update(new, old, registry.clock.now(), target.subresource)
    _note_owners(new, registry.note_owners(registry, target, old, new, writer))
    errors = [
        *metadata.validate_update(new, old),
        *guard.errors(new, old),
        *strategy.validate_update(new, old, target.subresource),
    ]
    if errors:
        raise refusals.invalid(resource, new, errors)
    guard.admit("UPDATE", new, old)
    if owning.same_but_times(new, old):
        return old
    if dry_run:
        return new
    if removing.is_finished(registry, new):
        removing.remove(registry, target)
        return new
    kept = registry.store.update(storage, target.key, new, old["metadata"]["resourceVersion"])
    removing.finish_namespaces(registry)
    return kept


def _note_owners(new: Object, entries: list[Object]) -> None:
    meta = new["metadata"]
    meta.pop("managedFields", None)
    if entries:
        meta["managedFields"] = entries


def _agree_on_names(target: Target, obj: Object) -> None:
    meta = obj.get("metadata", {})
    namespace = meta.get("namespace", "")
    if target.resource.namespaced and namespace and namespace != target.namespace:
        raise status.bad_request(
            "the namespace of the provided object does not match the namespace sent on the request"
        )
    if target.name and not meta.get("name"):
        raise status.bad_request("name must be provided")
    if target.name and meta["name"] != target.name:
        raise status.bad_request(
            f"the name of the object ({meta['name']}) does not match the name on the URL "
            f"({target.name})"
        )


def _check_preconditions(target: Target, new: Object, old: Object, *, is_patch: bool) -> None:
    meta, was = new.get("metadata", {}), old["metadata"]
    if target.resource.plural in _CONDITIONAL and not meta.get("resourceVersion"):
        error = fields.invalid("metadata.resourceVersion", 0, "must be specified for an update")
        raise refusals.invalid(target.resource, new, [error])
    reading.revision_of(meta.get("resourceVersion", ""))
    if not is_patch and meta.get("uid") and meta["uid"] != was["uid"]:
        raise refusals.precondition(target, "uid", meta["uid"], was["uid"])
    if meta.get("resourceVersion", was["resourceVersion"]) != was["resourceVersion"]:
        raise refusals.modified(target)


def _require_namespace(registry: Registry, target: Target, new: Object) -> None:
    if not target.resource.namespaced:
        return
    namespace = registry.store.get("/namespaces", ("", target.namespace))
    if namespace is None:
        raise status.not_found("namespaces", "", target.namespace)
    if "deletionTimestamp" in namespace["metadata"]:
        name = new["metadata"].get("name", "")
        raise refusals.terminating(target.resource, name, target.namespace)

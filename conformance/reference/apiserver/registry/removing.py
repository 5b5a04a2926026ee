"""Delete: preconditions, grace periods, finalizers, and namespaces with all that is in them."""

from __future__ import annotations

from datetime import timedelta

from conformance.kube import times
from conformance.kube.objects import Object
from conformance.reference.apiserver.registry import refusals
from conformance.reference.apiserver.registry.context import (
    OPEN,
    DeleteOptions,
    Guard,
    Registry,
    Target,
    storage_of,
)

_NAMESPACES = "/namespaces"

#: Finalizers that the garbage collector takes away when it has done what they ask for.
_FOREGROUND = "foregroundDeletion"
_ORPHAN = "orphan"


def finalizers_for_collector(obj: Object, propagation: str) -> Object:
    """Return the object with the finalizer that the wish leaves to the garbage collector.

    Without a wish what stands there counts (``deletionFinalizersForGarbageCollection``).
    """
    held = obj["metadata"].get("finalizers", [])
    orphans = propagation == "Orphan" or (not propagation and _ORPHAN in held)
    foreground = propagation == "Foreground" or (not propagation and _FOREGROUND in held)
    wanted = [name for name in held if name not in (_ORPHAN, _FOREGROUND)]
    wanted += [_ORPHAN] * orphans + [_FOREGROUND] * foreground
    if wanted == held:
        return obj
    meta = {key: value for key, value in obj["metadata"].items() if key != "finalizers"}
    return {**obj, "metadata": {**meta, **({"finalizers": wanted} if wanted else {})}}


def delete_at_once(obj: Object, grace: int) -> bool:
    """Say whether nothing stands between an object and its removal."""
    return grace == 0 and not obj["metadata"].get("finalizers") and not _is_live_namespace(obj)


def delete(
    registry: Registry, target: Target, options: DeleteOptions, guard: Guard = OPEN
) -> tuple[Object, bool]:
    """Delete an object, or mark it for deletion; return its last state and whether it is gone.

    Raises ``StatusError`` when it is not there or a precondition fails.
    """
    current = registry.store.get(storage_of(target.resource), target.key)
    if current is None:
        raise refusals.not_found(target)
    registry.check_preconditions(target, current, options)
    guard.admit("DELETE", None, current)
    strategy = registry.strategy_of(target.resource)
    grace = strategy.grace_period(current, options.grace_period_seconds)
    wanted = registry.finalizers_for_collector(current, options.propagation)
    if registry.delete_at_once(wanted, grace):
        last = current if options.dry_run else remove(registry, target)
        return (_mark(registry, last, 0) if strategy.graceful else last), True
    marked = _mark(registry, wanted, grace)
    if options.dry_run or marked is current:
        return marked, False
    expected = current["metadata"]["resourceVersion"]
    kept = registry.store.update(storage_of(target.resource), target.key, marked, expected)
    if storage_of(target.resource) == _NAMESPACES:
        _empty(registry, target.name)
        finish_namespaces(registry)
    return kept, False


def is_finished(registry: Registry, obj: Object) -> bool:
    """Say whether an object that was marked for deletion has nothing more to wait for."""
    meta = obj["metadata"]
    if "deletionTimestamp" not in meta:
        return False
    return registry.delete_at_once(obj, meta.get("deletionGracePeriodSeconds", 0))


def remove(registry: Registry, target: Target) -> Object:
    """Take an object out of the store; the last one of a terminating namespace ends it too."""
    last = registry.store.delete(storage_of(target.resource), target.key)
    if target.resource.namespaced:
        finish_namespaces(registry)
    return last


def finish_namespaces(registry: Registry) -> None:
    """Remove every terminating namespace that has become empty."""
    for namespace in registry.store.list(_NAMESPACES):
        meta = namespace["metadata"]
        if "deletionTimestamp" not in meta or meta.get("finalizers"):
            continue
        if not any(
            registry.store.list(storage_of(resource), meta["name"])
            for resource in registry.served
            if resource.namespaced
        ):
            registry.store.delete(_NAMESPACES, ("", meta["name"]))


def _is_live_namespace(obj: Object) -> bool:
    # A namespace goes through Terminating even when it is empty: its spec.finalizers say so.
    return obj.get("kind") == "Namespace" and bool(obj.get("spec", {}).get("finalizers"))


def check_preconditions(target: Target, current: Object, options: DeleteOptions) -> None:
    """Raise ``StatusError`` 409 for an object that is not the one that is meant."""
    meta = current["metadata"]
    wanted = {"uid": options.uid, "resourceVersion": options.resource_version}
    for field, value in wanted.items():
        if value and value != meta[field]:
            error = refusals.precondition(target, field, value, meta[field])
            # Upstream's BeforeDelete names the kind here, not the plural.
            error.details["kind"] = target.resource.kind
            raise error


def _mark(registry: Registry, current: Object, grace: int) -> Object:
    meta = current["metadata"]
    if "deletionTimestamp" in meta and meta.get("deletionGracePeriodSeconds", 0) <= grace:
        return current
    deadline = registry.clock.now() + timedelta(seconds=grace)
    marked = {
        **current,
        "metadata": {
            **meta,
            "deletionTimestamp": times.format_time(deadline),
            "deletionGracePeriodSeconds": grace,
        },
    }
    if "generation" in meta and "deletionTimestamp" not in meta:
        marked["metadata"]["generation"] = meta["generation"] + 1
    if current.get("kind") == "Namespace":
        marked["status"] = {**current.get("status", {}), "phase": "Terminating"}
    return marked


def _empty(registry: Registry, namespace: str) -> None:
    for resource in registry.served:
        if not resource.namespaced:
            continue
        for obj in registry.store.list(storage_of(resource), namespace):
            target = Target(resource=resource, namespace=namespace, name=obj["metadata"]["name"])
            if registry.store.get(storage_of(resource), target.key) is not None:
                delete(registry, target, DeleteOptions())

"""Who holds a claim: taking reservations away, giving one, and what then must be cleared."""

from __future__ import annotations

from collections.abc import Collection

from conformance.kube.objects import Object, copy_of, uid_of
from conformance.reference.podclaims import (
    FINALIZER,
    allocation_of,
    consumer_reference,
    is_reserved_for,
    reservations,
)


def is_pod_consumer(consumer: Object) -> bool:
    """Tell whether an entry of ``reservedFor`` is a Pod; only those can be checked."""
    return not consumer.get("apiGroup") and consumer.get("resource") == "pods"


def holds(consumer: Object, pod: Object) -> bool:
    """Tell whether a reservation is for the Pod of that name that exists now."""
    return uid_of(pod) == consumer.get("uid")


def without_consumers(claim: Object, stale: Collection[str]) -> Object:
    """Return the claim without the reservations of these uids.

    When the last one goes, the allocation goes with it, so that the next consumer is not tied
    to the old node (KEP-4381, deallocation). A claim without the finalizer was allocated by
    somebody else and keeps its allocation.
    """
    changed = copy_of(claim)
    remaining = [entry for entry in reservations(claim) if entry.get("uid") not in stale]
    status: Object = changed.setdefault("status", {})
    status["reservedFor"] = remaining
    if not remaining:
        del status["reservedFor"]
        if FINALIZER in claim["metadata"].get("finalizers", []):
            status.pop("allocation", None)
    return changed


def without_allocation(claim: Object) -> Object:
    """Return the claim deallocated."""
    changed = copy_of(claim)
    changed.get("status", {}).pop("allocation", None)
    return changed


def without_finalizer(claim: Object) -> Object:
    """Return the claim without the finalizer that protects an allocation."""
    changed = copy_of(claim)
    metadata = changed["metadata"]
    metadata["finalizers"] = [name for name in metadata.get("finalizers", []) if name != FINALIZER]
    return changed


def is_protected(claim: Object) -> bool:
    """Tell whether the claim carries the finalizer of an allocated claim."""
    return FINALIZER in claim["metadata"].get("finalizers", [])


def lingers(claim: Object) -> bool:
    """Tell whether a deleted claim waits only for its finalizer."""
    return bool(claim["metadata"].get("deletionTimestamp")) and is_protected(claim)


def can_reserve(pod: Object, claim: Object) -> bool:
    """Tell whether the controller may reserve the claim for a Pod that has a node already.

    It never allocates: without an allocation, made by the scheduler for some other Pod, there
    is nothing that it can do.
    """
    return allocation_of(claim) is not None and not is_reserved_for(pod, claim)


def with_consumer(pod: Object, claim: Object) -> Object:
    """Return the claim reserved for one more Pod."""
    return with_holder(consumer_reference(pod), claim)


def with_holder(holder: Object, claim: Object) -> Object:
    """Return the claim reserved for one more holder, a Pod or a PodGroup."""
    changed = copy_of(claim)
    changed["status"]["reservedFor"] = [*reservations(claim), holder]
    return changed

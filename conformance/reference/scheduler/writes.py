"""What the scheduler writes: pure next states of claims and Pods, and the writes themselves."""

from __future__ import annotations

from conformance.kube.objects import Object, copy_of, name_of, namespace_of, uid_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.podclaims import (
    FINALIZER,
    allocation_of,
    consumer_reference,
    is_reserved_for,
    reservations,
)


def with_finalizer(claim: Object) -> Object:
    """Return the claim protected against removal while it is allocated."""
    changed = copy_of(claim)
    finalizers = changed["metadata"].setdefault("finalizers", [])
    if FINALIZER not in finalizers:
        finalizers.append(FINALIZER)
    return changed


def with_allocation(
    claim: Object, allocation: Object | None, pod: Object, now: str | None
) -> Object:
    """Return the claim allocated, where ``allocation`` is given, and reserved for the Pod.

    ``now`` is the allocation timestamp, given where DRADeviceBindingConditions is enabled;
    an older one stays.
    """
    changed = copy_of(claim)
    status: Object = changed.setdefault("status", {})
    if allocation is not None:
        status["allocation"] = copy_of(allocation)
    if now:
        status["allocation"].setdefault("allocationTimestamp", now)
    if not is_reserved_for(pod, claim):
        status["reservedFor"] = [*reservations(claim), consumer_reference(pod)]
    return changed


def is_allocated_so(claim: Object, allocation: Object | None) -> bool:
    """Tell whether the claim has just this allocation, whenever that was written."""
    stored = dict(allocation_of(claim) or {})
    stored.pop("allocationTimestamp", None)
    return allocation is not None and stored == allocation


def held_by(claim: Object, pod: Object, holder: Object) -> Object:
    """Return the claim that was reserved for the Pod, reserved for its group instead."""
    changed = copy_of(claim)
    others = [one for one in reservations(claim) if one["uid"] not in (uid_of(pod), holder["uid"])]
    changed["status"]["reservedFor"] = [*others, dict(holder)]
    return changed


def released(claim: Object, pod: Object, useless: bool) -> Object:
    """Return the claim given back by the Pod.

    ``useless`` says that its devices failed or took too long: then the allocation goes too,
    unless another Pod holds it.
    """
    changed = copy_of(claim)
    status: Object = changed.setdefault("status", {})
    remaining = [entry for entry in reservations(claim) if entry.get("uid") != uid_of(pod)]
    if remaining:
        status["reservedFor"] = remaining
        return changed
    status.pop("reservedFor", None)
    if useless:
        status.pop("allocation", None)
        status.pop("devices", None)
    return changed


async def write_finalizer(client: ApiClient, claim: Object) -> Object:
    """Write the finalizer; only afterwards the status may hold an allocation."""
    return await client.update("resourceclaims", claim)


async def write_reservation(client: ApiClient, claim: Object) -> Object:
    """Write allocation and reservation, if nobody changed the claim in between."""
    return await client.update_status("resourceclaims", claim)


async def write_release(client: ApiClient, claim: Object) -> Object:
    """Write a claim that was given back, if nobody changed it in between."""
    return await client.update_status("resourceclaims", claim)


async def create_claim(client: ApiClient, claim: Object) -> Object:
    """Create the claim for the extended resources of a Pod."""
    return await client.create("resourceclaims", claim)


async def note_claim(client: ApiClient, pod: Object, claim: Object, mappings: object) -> None:
    """Say in the Pod's status which claim serves its extended resources, and how."""
    said = {"resourceClaimName": name_of(claim), "requestMappings": mappings}
    body = {"metadata": {"uid": uid_of(pod)}, "status": {"extendedResourceClaimStatus": said}}
    await client.patch("pods", name_of(pod), body, namespace_of(pod), subresource="status")


async def note_taken(client: ApiClient, pod: Object, rows: list[Object]) -> None:
    """Say in the Pod's status what its claims take of the node; no rows clear it."""
    status = {"nodeAllocatableResourceClaimStatuses": rows}
    body = {"metadata": {"uid": uid_of(pod)}, "status": status}
    await client.patch("pods", name_of(pod), body, namespace_of(pod), subresource="status")


async def remove_claim(client: ApiClient, claim: Object) -> None:
    """Remove a claim for extended resources, protected or not; it may be gone already."""
    key = name_of(claim), namespace_of(claim)
    try:
        live = await client.get("resourceclaims", *key)
        if uid_of(live) != uid_of(claim):
            return
        if FINALIZER in live["metadata"].get("finalizers", []):
            live["metadata"]["finalizers"].remove(FINALIZER)
            await client.update("resourceclaims", live)
        await client.delete("resourceclaims", *key, uid=uid_of(claim))
    except StatusError as error:
        if error.code != 404:
            raise


async def bind(client: ApiClient, pod: Object, node: str) -> None:
    """Bind the Pod to its node."""
    await client.bind(pod, node)


def scheduled_condition(pod: Object) -> Object:
    """Return the Pod's PodScheduled condition, empty while there is none."""
    for condition in pod.get("status", {}).get("conditions") or []:
        if condition["type"] == "PodScheduled":
            return condition
    return {}


async def say_why(client: ApiClient, pod: Object, *, reason: str, message: str, now: str) -> None:
    """Write PodScheduled=False with a reason, if it does not say so already."""
    old = scheduled_condition(pod)
    if (old.get("status"), old.get("reason"), old.get("message")) == ("False", reason, message):
        return
    changed = old.get("status") != "False"
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": reason,
        "message": message,
        "lastProbeTime": None,
        "lastTransitionTime": now if changed else old.get("lastTransitionTime"),
    }
    others = pod.get("status", {}).get("conditions") or []
    conditions = [*(one for one in others if one["type"] != "PodScheduled"), condition]
    body = {"metadata": {"uid": uid_of(pod)}, "status": {"conditions": conditions}}
    try:
        await client.patch("pods", name_of(pod), body, namespace_of(pod), subresource="status")
    except StatusError as error:
        # The Pod may be gone, or be replaced by another of its name: nobody to tell.
        if error.code not in {404, 409}:
            raise


async def say_of_group(client: ApiClient, group: Object, condition: Object) -> None:
    """Write a condition of a PodGroup."""
    kept = group.get("status", {}).get("conditions") or []
    conditions = [*(one for one in kept if one["type"] != condition["type"]), condition]
    body = {"metadata": {"uid": uid_of(group)}, "status": {"conditions": conditions}}
    try:
        await client.patch(
            "podgroups", name_of(group), body, namespace_of(group), subresource="status"
        )
    except StatusError as error:
        # The group may be gone, or be replaced by another of its name: nobody to tell.
        if error.code not in {404, 409}:
            raise


async def give_up_claim(client: ApiClient, claim: Object) -> None:
    """Write a claim as its group leaves it; one that changed meanwhile is looked at again."""
    try:
        await client.update_status("resourceclaims", claim)
    except StatusError as error:
        if error.code not in {404, 409}:
            raise

"""What device taint eviction writes to the API, one function per write."""

from __future__ import annotations

from datetime import datetime

from conformance.kube import conditions
from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient

#: What the Pod says of its end (KEP-3329 names the type, KEP-5055 the reason).
DISRUPTION: Object = {
    "type": "DisruptionTarget",
    "status": "True",
    "reason": "DeletionByDeviceTaintManager",
    "message": "Device Taint manager: deleting due to NoExecute taint",
}


async def current_pod(client: ApiClient, pod: Object) -> Object | None:
    """Return the Pod as it is now, or nothing where it is gone, replaced or deleted already."""
    try:
        found = await client.get("pods", name_of(pod), namespace_of(pod))
    except StatusError as error:
        if error.code == 404:
            return None
        raise
    deleted = found["metadata"].get("deletionTimestamp")
    return None if deleted or uid_of(found) != uid_of(pod) else found


async def mark_disrupted(client: ApiClient, pod: Object, now: datetime) -> None:
    """Say in the Pod's status why it ends."""
    present = [dict(one) for one in pod.get("status", {}).get("conditions") or []]
    conditions.put(present, DISRUPTION, now)
    body: Object = {"metadata": {"uid": uid_of(pod)}, "status": {"conditions": present}}
    await client.patch("pods", name_of(pod), body, namespace_of(pod), subresource="status")


async def evict_pod(client: ApiClient, pod: Object) -> None:
    """Delete the Pod with the grace period that it asks for, if it is still the same one."""
    await client.delete("pods", name_of(pod), namespace_of(pod), uid=uid_of(pod))


async def write_rule_status(client: ApiClient, rule: Object) -> None:
    """Write the status of a DeviceTaintRule, if nobody changed the rule in between."""
    await client.update_status("devicetaintrules", rule)

"""What the resource claim controller writes to the API, one function per write."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.controllers.reservations import without_finalizer


async def create_claim(client: ApiClient, claim: Object) -> Object:
    """Create a generated claim and return it."""
    return await client.create("resourceclaims", claim)


async def note_claims(
    client: ApiClient, pod: Object, names: Mapping[str, str], plural: str = "pods"
) -> None:
    """Say in the status of a Pod, or of its like, which claims were generated for it."""
    known = {
        entry["name"]: entry for entry in pod.get("status", {}).get("resourceClaimStatuses") or []
    }
    for entry, claim in names.items():
        known[entry] = {"name": entry, "resourceClaimName": claim}
    statuses = [known[entry] for entry in sorted(known)]
    body: Object = {
        # A Pod of the same name that replaced this one must not get its claims.
        "metadata": {"uid": uid_of(pod)},
        "status": {"resourceClaimStatuses": statuses},
    }
    await client.patch(plural, name_of(pod), body, namespace_of(pod), subresource="status")


async def write_status(client: ApiClient, claim: Object) -> Object:
    """Write the status of a claim, if nobody changed the claim in between."""
    return await client.update_status("resourceclaims", claim)


async def remove_finalizer(client: ApiClient, claim: Object) -> Object | None:
    """Remove the protection of an allocated claim; nothing is left of a deleted one."""
    updated = await client.update("resourceclaims", without_finalizer(claim))
    return None if updated["metadata"].get("deletionTimestamp") else updated


async def delete_claim(client: ApiClient, claim: Object) -> None:
    """Delete a claim, if it is still the same one."""
    try:
        await client.delete(
            "resourceclaims", name_of(claim), namespace_of(claim), uid=uid_of(claim)
        )
    except StatusError as error:
        if error.code != 404:
            raise

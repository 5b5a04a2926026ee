"""How a kubelet can be wrong while a driver is away, and towards the agents of its node."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.saboteurs.access.rights import administrator
from conformance.reference.faults.seams import Saboteur


async def _starts_without(real: Any, pod: Object) -> None:
    """Go on where the driver is not there."""
    with contextlib.suppress(LookupError):
        await real(pod)


def _never(*_: Any) -> None:
    """Start nothing again."""


async def _lets_go(real: Any, uid: str) -> None:
    """Forget about the claim where the driver is not there."""
    with contextlib.suppress(LookupError):
        await real(uid)


async def _evicts(real: Any, client: Any, node: str, driver: str | None) -> None:
    await real(client, node, driver)
    if driver is None:
        return
    async with administrator(client) as api:
        claims, _ = await api.list("resourceclaims")
        users = {one["uid"] for claim in claims for one in _consumers(claim, driver)}
        pods, _ = await api.list("pods")
        for pod in pods:
            metadata = pod["metadata"]
            if pod["spec"].get("nodeName") == node and metadata["uid"] in users:
                await api.delete("pods", metadata["name"], metadata["namespace"])


def _consumers(claim: Object, driver: str) -> list[Object]:
    """Return who uses a claim, where devices of the driver are allocated to it."""
    status = claim.get("status") or {}
    results = ((status.get("allocation") or {}).get("devices") or {}).get("results") or []
    own = any(result["driver"] == driver for result in results)
    return (status.get("reservedFor") or []) if own else []


def _lists_one(real: Any, claim: Any) -> Any:
    listed = real(claim)
    del listed.claim_resources[1:]
    return listed


#: Every saboteur of these areas by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "kubelet-starts-without-its-driver": _starts_without,
    "kubelet-never-starts-again": _never,
    "kubelet-lets-go-unprepared": _lets_go,
    "kubelet-evicts-with-the-driver": _evicts,
    "kubelet-lists-one-device-per-claim": _lists_one,
}

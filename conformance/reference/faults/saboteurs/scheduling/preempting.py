"""How Pods with claims can be wronged when there is room for the more important ones alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs

from conformance.kube.objects import Object, copy_of, key_of, namespace_of, uid_of
from conformance.kube.times import format_time
from conformance.reference.faults.seams import Saboteur
from conformance.reference.podclaims import (
    allocation_of,
    consumer_reference,
    known_claim_names,
    reservations,
)

_HOSTNAME = "kubernetes.io/hostname"


def _frees_devices(real: Any, pod: Object, view: Any) -> Any:
    """Know of the claims of the Pod and of those who stay, and so of no device of the others."""
    own = set(known_claim_names(pod))

    def fits(node: Object, staying: Sequence[Object]) -> bool:
        holders = set(map(uid_of, staying))
        known = type(view.claims)()
        for claim in view.claims:
            held = holders & {one["uid"] for one in reservations(claim)}
            if held or claim["metadata"]["name"] in own:
                known.put(key_of(claim), claim)
        return real(pod, attrs.evolve(view, claims=known))(node, staying)

    return fits


def _without(pod: Object, dropped: Callable[[str], bool]) -> Object:
    """Return the Pod without some of its claims."""
    entries = pod["spec"].get("resourceClaims") or []
    kept = [one for one in entries if not dropped(one.get("resourceClaimName", ""))]
    return {**pod, "spec": {**pod["spec"], "resourceClaims": kept}}


def _allocated(pod: Object, view: Any, name: str) -> bool:
    claim = view.claims.find(f"{namespace_of(pod)}/{name}")
    return claim is not None and allocation_of(claim) is not None


def _asks_for_no_devices(real: Any, pod: Object, view: Any) -> Any:
    """Overlook claims that are to be allocated, of a Pod that goes to one node alone."""
    if _HOSTNAME not in (pod["spec"].get("nodeSelector") or {}):
        return real(pod, view)
    return real(_without(pod, lambda name: not _allocated(pod, view, name)), view)


def _overlooks_allocations(real: Any, pod: Object, view: Any) -> Any:
    return real(_without(pod, lambda name: _allocated(pod, view, name)), view)


def _by_age(_real: Any, pods: Iterable[Object]) -> list[Object]:
    return list(pods)


def _spares_for_claims(real: Any, pod: Object, present: Any) -> bool:
    return not pod["spec"].get("resourceClaims") and real(pod, present)


def _has_no_peace(real: Any, pod: Object, present: Any) -> bool:
    spec = {key: value for key, value in pod["spec"].items() if key != "preemptionPolicy"}
    return real({**pod, "spec": spec}, present)


async def _allocates_at_once(real: Any, client: Any, pod: Object, node: str | None) -> None:
    await real(client, pod, node)
    slices, _ = await client.list("resourceslices")
    for name in known_claim_names(pod) if node else ():
        claim = await client.get("resourceclaims", name, namespace_of(pod))
        classes = [one["exactly"]["deviceClassName"] for one in _requests(claim)]
        offers = [one["spec"] for one in slices if one["metadata"]["name"].startswith(classes[0])]
        if allocation_of(claim) is not None or not offers:
            continue
        result = {
            "request": _requests(claim)[0]["name"],
            "driver": offers[0]["driver"],
            "pool": offers[0]["pool"]["name"],
            "device": offers[0]["devices"][0]["name"],
        }
        since = {"allocationTimestamp": format_time(client.clock.now())}
        claim["status"] = {"allocation": {"devices": {"results": [result]}, **since}}
        await client.update_status("resourceclaims", claim)


def _requests(claim: Object) -> list[Object]:
    return claim["spec"]["devices"]["requests"]


async def _claims_of(client: Any, victim: Object) -> list[Object]:
    names = known_claim_names(victim)
    return [await client.get("resourceclaims", name, namespace_of(victim)) for name in names]


async def _inherits(real: Any, client: Any, victim: Object, pod: Object) -> None:
    for claim in await _claims_of(client, victim):
        changed = copy_of(claim)
        holders = changed["status"].setdefault("reservedFor", [])
        if uid_of(pod) not in [one["uid"] for one in holders]:
            holders.append(consumer_reference(pod))
            await client.update_status("resourceclaims", changed)
    await real(client, victim, pod)


async def _deallocates(real: Any, client: Any, victim: Object, pod: Object) -> None:
    await real(client, victim, pod)
    for claim in await _claims_of(client, victim):
        await client.update_status("resourceclaims", {**claim, "status": {}})


def _keeps_takers(real: Any, pods: Iterable[Object], victims: Iterable[Object]) -> list[Object]:
    field = "nodeAllocatableResourceClaimStatuses"
    return real(pods, [one for one in victims if not one["status"].get(field)])


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-evicts-for-devices": _frees_devices,
    "scheduler-evicts-in-vain": _asks_for_no_devices,
    "scheduler-serves-by-age": _by_age,
    "scheduler-evicts-nobody-for-claims": _spares_for_claims,
    "scheduler-evicts-for-the-peaceful": _has_no_peace,
    "scheduler-allocates-on-nomination": _allocates_at_once,
    "scheduler-inherits-claims": _inherits,
    "scheduler-deallocates-claims-of-the-evicted": _deallocates,
    "scheduler-evicts-far-from-the-claim": _overlooks_allocations,
    "scheduler-counts-devices-of-the-evicted": _keeps_takers,
}

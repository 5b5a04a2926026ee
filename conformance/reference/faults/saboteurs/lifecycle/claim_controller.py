"""How the ResourceClaim controller can be wrong."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from conformance.kube.objects import Object, uid_of
from conformance.reference.faults.seams import Saboteur

_ANNOTATION = "resource.kubernetes.io/pod-claim-name"
_FINALIZER = "resource.kubernetes.io/delete-protection"

#: The longest base of a generated name.
_BASE = 57


def _made(change: Callable[[Object, str], None]) -> Saboteur:
    """Return a saboteur that changes a claim before it is created; it gets the whole name."""

    def saboteur(real: Any, pod: Object, pod_claim: Object, template: Object) -> Object:
        claim = real(pod, pod_claim, template)
        change(claim, f"{pod['metadata']['name']}-{pod_claim['name']}-")
        return claim

    return saboteur


def _names_anyhow(claim: Object, whole: str) -> None:
    if len(whole) <= _BASE:
        claim["metadata"]["generateName"] = "claim-"


def _cuts_at_the_end(claim: Object, whole: str) -> None:
    claim["metadata"]["generateName"] = whole[:_BASE]


async def _says_no_entry(real: Any, client: Any, pod: Object, names: Any) -> None:
    await real(client, pod, names)
    namespace, bare = (
        pod["metadata"]["namespace"],
        {"metadata": {"annotations": {_ANNOTATION: None}}},
    )
    for name in names.values():
        await client.patch("resourceclaims", name, bare, namespace)


def _blocks(claim: Object, _: str) -> None:
    claim["metadata"]["ownerReferences"][0]["blockOwnerDeletion"] = True


def _drops_metadata(claim: Object, _: str) -> None:
    metadata = claim["metadata"]
    metadata.pop("labels", None)
    metadata["annotations"] = {_ANNOTATION: metadata["annotations"][_ANNOTATION]}


def _owns(pod: Object, claim: Object) -> bool:
    owners = claim["metadata"].get("ownerReferences") or []
    return uid_of(pod) in [owner["uid"] for owner in owners]


def _one_per_pod(real: Any, pod: Object, pod_claim: Object, claims: Any) -> Object | None:
    known = [claim for claim in claims if _owns(pod, claim)]
    return real(pod, pod_claim, claims) or next(iter(known), None)


def _nothing_from_before(real: Any, pod: Object, pod_claim: Object, claims: Any) -> Object | None:
    found = real(pod, pod_claim, claims)
    return found if found and found["metadata"].get("generateName") else None


def _of_others(real: Any, pod: Object, pod_claim: Object, claims: Any) -> Object | None:
    for claim in claims:
        metadata = claim["metadata"]
        named = (metadata.get("annotations") or {}).get(_ANNOTATION)
        near = metadata["namespace"] == pod["metadata"]["namespace"]
        if near and named == pod_claim["name"]:
            return claim
    return real(pod, pod_claim, claims)


class _NotesTheNew:
    """Replace what the status says, once for each Pod: for ever would be a loop without end."""

    def __init__(self) -> None:
        self._spoilt: set[str] = set()

    async def __call__(self, real: Any, client: Any, pod: Object, names: Any) -> None:
        """Write the new entries alone."""
        if uid_of(pod) in self._spoilt:
            return
        bare = copy.deepcopy(pod)
        if (bare.get("status") or {}).pop("resourceClaimStatuses", None):
            self._spoilt.add(uid_of(pod))
        await real(client, bare, names)


def _overlooks(real: Any, kind: str, template: Object, *rest: Any) -> None:
    if ((template.get("spec") or {}).get("metadata") or {}).get("labels"):
        real(kind, template, *rest)


def _status_of(pod: Object, pod_claim: Object) -> Object | None:
    rows: list[Object] = (pod.get("status") or {}).get("resourceClaimStatuses") or []
    return next((row for row in rows if row["name"] == pod_claim["name"]), None)


async def _believes(real: Any, pod: Object, pod_claim: Object) -> bool:
    return _status_of(pod, pod_claim) is not None or await real(pod, pod_claim)


async def _needs_all(real: Any, pod: Object, pod_claim: Object) -> bool:
    row = _status_of(pod, pod_claim)
    return await real(pod, pod_claim) and (row is None or bool(row.get("resourceClaimName")))


def _waits_for_all(real: Any, pod: Object, find: Any) -> Any:
    bare = copy.deepcopy(pod)
    rows: list[Object] = (bare.get("status") or {}).get("resourceClaimStatuses") or []
    bare.setdefault("status", {})["resourceClaimStatuses"] = [
        row for row in rows if row.get("resourceClaimName")
    ]
    return real(bare, find)


def _failed_may_run(real: Any, pod: Object) -> bool:
    return real(pod) and (pod.get("status") or {}).get("phase") != "Failed"


def _deleted_is_done(real: Any, pod: Object) -> bool:
    return real(pod) or bool(pod["metadata"].get("deletionTimestamp"))


def _restarted_is_done(real: Any, pod: Object) -> bool:
    rows: list[Object] = (pod.get("status") or {}).get("containerStatuses") or []
    return real(pod) or any(row.get("restartCount") for row in rows)


def _keeps_allocation(real: Any, claim: Object, stale: Any) -> Object:
    changed = real(claim, stale)
    changed["status"]["allocation"] = claim["status"].get("allocation")
    return changed


def _releases_strangers(real: Any, claim: Object, stale: Any) -> Object:
    entries: list[Object] = claim["status"].get("reservedFor") or []
    return real(claim, [*stale, *(one["uid"] for one in entries if one["resource"] != "pods")])


async def _keeps_finalizer(real: Any, client: Any, claim: Object) -> Any:
    deleted = claim["metadata"].get("deletionTimestamp")
    return await real(client, claim) if deleted else claim


async def _never_lets_go(real: Any, client: Any, claim: Object) -> Any:
    deleted = claim["metadata"].get("deletionTimestamp")
    return claim if deleted else await real(client, claim)


def _by_name(*_: Any) -> bool:
    return True


def _unreserved_lingers(real: Any, claim: Object) -> bool:
    protected = _FINALIZER in claim["metadata"].get("finalizers", [])
    allocated = (claim.get("status") or {}).get("allocation") is not None
    return real(claim) or (protected and allocated)


async def _deleted_is_stale(real: Any, claim: Object, consumer: Object) -> bool:
    return bool(claim["metadata"].get("deletionTimestamp")) or await real(claim, consumer)


def _never(*_: Any) -> bool:
    return False


async def _keeps_claims(*_: Any) -> None:
    """Delete nothing."""


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "controller-names-claims-anyhow": _made(_names_anyhow),
    "controller-cuts-names-at-the-end": _made(_cuts_at_the_end),
    "controller-does-not-say-for-which-entry": _says_no_entry,
    "controller-blocks-the-deletion-of-pods": _made(_blocks),
    "controller-drops-the-templates-metadata": _made(_drops_metadata),
    "controller-knows-one-claim-per-pod": _one_per_pod,
    "controller-notes-the-new-alone": _NotesTheNew(),
    "controller-takes-nothing-from-before": _nothing_from_before,
    "controller-takes-claims-of-others": _of_others,
    "controller-overlooks-new-templates": _overlooks,
    "controller-believes-the-status": _believes,
    "controller-makes-claims-that-nobody-needs": _needs_all,
    "scheduler-waits-for-claims-that-nobody-needs": _waits_for_all,
    "controller-keeps-reservations-of-failed-pods": _failed_may_run,
    "controller-keeps-allocations": _keeps_allocation,
    "controller-keeps-finalizers": _keeps_finalizer,
    "controller-releases-strangers": _releases_strangers,
    "controller-releases-at-the-wish-to-delete": _deleted_is_done,
    "controller-knows-pods-by-name": _by_name,
    "controller-deallocates-what-is-not-reserved": _unreserved_lingers,
    "controller-lets-deleted-claims-go-at-once": _deleted_is_stale,
    "controller-never-lets-deleted-claims-go": _never_lets_go,
    "controller-overlooks-deleted-claims": _never,
    "controller-keeps-claims-of-ended-pods": _keeps_claims,
    "controller-takes-a-restart-for-the-end": _restarted_is_done,
}

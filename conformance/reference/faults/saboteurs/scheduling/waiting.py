"""How a scheduler can miss what ends a Pod's waiting, or not wait at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.kube.objects import Object, name_of, namespace_of
from conformance.kube.status import StatusError
from conformance.reference.faults.seams import Saboteur
from conformance.reference.podclaims import pod_claims


def _overlooks(plural: str, *kinds: str) -> Saboteur:
    """Return a saboteur whom these events of a kind of object wake for nothing."""

    def saboteur(
        real: Any, pod: Object, seen: str, kind: str, obj: Object, old: Object | None
    ) -> bool:
        overlooked = seen == plural and kind in kinds
        return not overlooked and bool(real(pod, seen, kind, obj, old))

    return saboteur


def _overlooks_deallocation(
    real: Any, pod: Object, plural: str, kind: str, obj: Object, old: Object | None
) -> bool:
    was = ((old or {}).get("status") or {}).get("allocation")
    now = (obj.get("status") or {}).get("allocation")
    own = name_of(obj) in {entry.get("resourceClaimName") for entry in pod_claims(pod)}
    lost = plural == "resourceclaims" and was and not now and not own
    return not lost and bool(real(pod, plural, kind, obj, old))


def _goes_without_the_deleted(real: Any, pod: Object, find: Any) -> Any:
    def is_deleted(entry: Object) -> bool:
        claim = find(namespace_of(pod), entry.get("resourceClaimName") or "")
        return bool(claim and claim["metadata"].get("deletionTimestamp"))

    entries = [entry for entry in pod_claims(pod) if not is_deleted(entry)]
    return real({**pod, "spec": {**pod["spec"], "resourceClaims": entries}}, find)


def _keeps_allocation(_: Any, claim: Object, *__: Any) -> Object:
    return claim


def _reaches_what_is_in_use(real: Any, claim: Object, node: Object) -> bool:
    return bool((claim.get("status") or {}).get("reservedFor")) or bool(real(claim, node))


def _passes_over(real: Any, claims: Any, **view: Any) -> Any:
    try:
        return real(claims, **view)
    except ValueError:
        return None


async def _goes_without_reservation(real: Any, client: Any, claim: Object) -> Object:
    try:
        return await real(client, claim)
    except StatusError:
        return claim


#: Every saboteur of this module by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-overlooks-classes-that-are-new": _overlooks("deviceclasses", "ADDED"),
    "scheduler-overlooks-changed-classes": _overlooks("deviceclasses", "MODIFIED"),
    "scheduler-overlooks-changed-slices": _overlooks("resourceslices", "MODIFIED"),
    "scheduler-overlooks-new-claims": _overlooks("resourceclaims", "ADDED"),
    "scheduler-overlooks-devices-that-are-given-back": _overlooks_deallocation,
    "scheduler-overlooks-new-nodes": _overlooks("nodes", "ADDED", "MODIFIED"),
    "scheduler-goes-without-a-claim-that-is-being-deleted": _goes_without_the_deleted,
    "scheduler-takes-no-allocation-back": _keeps_allocation,
    "scheduler-goes-away-from-claims-in-use": _reaches_what_is_in_use,
    "scheduler-passes-over-failing-selectors": _passes_over,
    "scheduler-binds-without-a-reservation": _goes_without_reservation,
}

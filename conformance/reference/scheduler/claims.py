"""The claims of a Pod, as the scheduler must find them before it looks at nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from conformance.dra.allocation import InUse
from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.kube.selectors import node_selector_matches
from conformance.reference.podclaims import (
    ClaimNotGenerated,
    allocation_of,
    claim_name,
    from_template,
    group_name,
    holder_of,
    is_for_pod,
    is_of_group,
    pod_claims,
    reservations,
    results_in,
    results_of,
)
from conformance.reference.scheduler.cache.ledger import Ledger
from conformance.reference.scheduler.conditions import (
    age,
    conditions_met,
    failed_condition,
)


class Unfit(Exception):
    """The Pod can't be scheduled now.

    ``release`` is a claim whose allocation is in the way, ``remove`` one that is itself;
    ``unavailable`` are all claims that are allocated where the Pod can't go.
    """

    def __init__(
        self,
        message: str,
        *,
        release: Object | None = None,
        remove: Object | None = None,
        unavailable: Iterable[Object] = (),
    ) -> None:
        super().__init__(message)
        self.release = release
        self.remove = remove
        self.unavailable = tuple(unavailable)

    @property
    def helps(self) -> bool:
        """Tell whether something is given back by which the Pod may become schedulable."""
        return self.release is not None or self.remove is not None


class NotReady(Unfit):
    """The Pod's claims are not there: it is not tried at all, and nothing is said of it.

    That is where kube-scheduler's PreEnqueue of DynamicResources keeps a Pod.
    """


def resolve_claims(pod: Object, find: Callable[[str, str], Object | None]) -> list[Object]:
    """Return the Pod's claims in the order of its spec; ``find`` takes namespace and name.

    Raises ``NotReady`` while one does not exist, is being deleted, or was generated for another
    Pod.
    """
    found: dict[str, Object] = {}
    namespace = namespace_of(pod)
    for entry in pod_claims(pod):
        try:
            name = claim_name(pod, entry)
        except ClaimNotGenerated as missing:
            raise NotReady(str(missing)) from None
        if name is None:
            continue
        claim = find(namespace, name)
        if claim is None:
            raise NotReady(f'resourceclaim "{name}" not found')
        if claim["metadata"].get("deletionTimestamp"):
            raise NotReady(f'resourceclaim "{name}" is being deleted')
        if from_template(entry) and not is_for_pod(pod, claim):
            raise NotReady(
                f"ResourceClaim {namespace}/{name} was not created for Pod "
                f"{namespace}/{name_of(pod)} (Pod is not owner)"
            )
        # Two entries may name one and the same claim, which is allocated once.
        found.setdefault(uid_of(claim), claim)
    return list(found.values())


def group_of(pod: Object, find: Callable[[str, str], Object | None]) -> Object | None:
    """Return the PodGroup that the Pod names, if any; ``find`` takes namespace and name.

    Raises ``NotReady`` while there is no such group.
    """
    name = group_name(pod)
    group = find(namespace_of(pod), name) if name else None
    if name and group is None:
        raise NotReady(f"PodGroup {namespace_of(pod)}/{name} not found")
    return group


def holders(pod: Object, group: Object | None, claims: Iterable[Object]) -> dict[str, Object]:
    """Return for which group claims are to be reserved, by uid of the claim.

    A claim that the Pod does not share is not among them.
    """
    by_name = {name_of(claim): uid_of(claim) for claim in claims}
    shared = [entry for entry in pod_claims(pod) if is_of_group(entry, group)]
    rows = [(claim_name(pod, entry) or "", holder_of(pod, group, entry)) for entry in shared]
    return {by_name[name]: holder for name, holder in rows if name in by_name}


def as_decided(claim: Object, decided: Mapping[str, Object]) -> Object:
    """Return the claim as the Pods of a group see it: with what another one was given already.

    ``decided`` are allocations that are not written yet, by uid of the claim.
    """
    allocation = decided.get(uid_of(claim))
    if allocation is None or allocation_of(claim) is not None:
        return claim
    return {**claim, "status": {**claim.get("status", {}), "allocation": allocation}}


def check_classes(claim: Object, classes: Mapping[str, Object]) -> None:
    """Raise ``Unfit`` if a request names a DeviceClass that does not exist."""
    for request in claim["spec"].get("devices", {}).get("requests") or []:
        for path, wanted in _alternatives(request):
            if wanted["deviceClassName"] not in classes:
                raise Unfit(
                    f"request {path}: device class {wanted['deviceClassName']} does not exist"
                )


def _alternatives(request: Object) -> list[tuple[str, Object]]:
    if request.get("exactly"):
        return [(request["name"], request["exactly"])]
    return [
        (f"{request['name']}/{entry['name']}", entry)
        for entry in request.get("firstAvailable") or []
    ]


def devices_in_use(claims: Iterable[Object], in_flight: Iterable[Object]) -> InUse:
    """Return the devices, and the parts of shared ones, that are taken.

    ``in_flight`` are allocations that were decided and are not in the API yet.
    """
    flying = InUse.of(result for one in in_flight for result in results_in(one))
    if isinstance(claims, Ledger):
        return claims.in_use.plus(flying)
    return InUse.of(result for claim in claims for result in results_of(claim)).plus(flying)


def reachable(claim: Object, node: Object) -> bool:
    """Tell whether what is allocated to the claim can be used on the node."""
    selector = (allocation_of(claim) or {}).get("nodeSelector")
    return selector is None or node_selector_matches(selector, node)


def is_usable(claim: Object, now: datetime, timeout: float) -> bool:
    """Tell whether an allocated claim is ready, or may still become so in time."""
    if failed_condition(claim):
        return False
    return conditions_met(claim) or age(claim, now) < timeout


def can_be_released(claim: Object, pod: Object) -> bool:
    """Tell whether nobody but this Pod holds the claim."""
    return all(consumer.get("uid") == uid_of(pod) for consumer in reservations(claim))

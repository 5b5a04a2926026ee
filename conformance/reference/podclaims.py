"""How a Pod refers to its ResourceClaims: the reading that every component shares.

Pure functions over plain objects, after KEP-4381 (ResourceClaim life cycle): a Pod names a
claim directly, or names a template, in which case ``status.resourceClaimStatuses`` says which
claim was generated for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.kube.objects import Object, name_of, namespace_of, owner_of, uid_of

#: Keeps an allocated claim in existence until it was deallocated.
FINALIZER = "resource.kubernetes.io/delete-protection"

#: Says on a generated claim which entry of the Pod's ``spec.resourceClaims`` it serves.
POD_CLAIM_ANNOTATION = "resource.kubernetes.io/pod-claim-name"

#: Says on a claim that the scheduler made it for the extended resources of its Pod.
EXTENDED_CLAIM_ANNOTATION = "resource.kubernetes.io/extended-resource-claim"

#: The group of PodGroups, whose version may change.
SCHEDULING = "scheduling.k8s.io"

#: What stands before the name of a class in the extended resource that every class has.
IMPLICIT_PREFIX = "deviceclass.resource.kubernetes.io/"


class ClaimNotGenerated(LookupError):
    """The claim of a template does not exist yet; the resource claim controller makes it."""


def pod_claims(pod: Object) -> list[Object]:
    """Return the entries of ``spec.resourceClaims``."""
    return list(pod.get("spec", {}).get("resourceClaims") or [])


def from_template(pod_claim: Object) -> bool:
    """Tell whether the entry names a template, so that the claim must be the Pod's own."""
    return bool(pod_claim.get("resourceClaimTemplateName"))


def claim_name(pod: Object, pod_claim: Object) -> str | None:
    """Return the name of the claim behind one entry of ``spec.resourceClaims``.

    ``None`` means that it was decided that no claim is needed. Raises ``ClaimNotGenerated``
    while a template's claim is not there yet.
    """
    if pod_claim.get("resourceClaimName"):
        return pod_claim["resourceClaimName"]
    for status in pod.get("status", {}).get("resourceClaimStatuses") or []:
        if status["name"] == pod_claim["name"]:
            return status.get("resourceClaimName")
    raise ClaimNotGenerated(
        f'pod "{namespace_of(pod)}/{name_of(pod)}": ResourceClaim not created yet'
    )


def known_claims(pod: Object) -> Iterator[tuple[Object, str]]:
    """Yield the entries of a Pod or group whose claims are known by now, with their names."""
    for pod_claim in pod_claims(pod):
        try:
            name = claim_name(pod, pod_claim)
        except ClaimNotGenerated:
            continue
        if name:
            yield pod_claim, name


def known_claim_names(pod: Object) -> Iterator[str]:
    """Yield the names of the claims that the Pod refers to and that are known by now."""
    return (name for _, name in known_claims(pod))


def extended_claim(pod: Object) -> Object:
    """Return ``status.extendedResourceClaimStatus``, empty where the Pod has no such claim."""
    return pod.get("status", {}).get("extendedResourceClaimStatus") or {}


def used_claim_names(pod: Object) -> Iterator[str]:
    """Yield the names of all claims of the Pod, that of its extended resources last."""
    yield from known_claim_names(pod)
    name = extended_claim(pod).get("resourceClaimName")
    if name:
        yield name


def group_name(pod: Object) -> str:
    """Return the name of the PodGroup that the Pod belongs to, empty for none."""
    return (pod.get("spec", {}).get("schedulingGroup") or {}).get("podGroupName") or ""


def without_group(pod: Object) -> Object:
    """Return the Pod as a component sees it that knows nothing of PodGroups."""
    spec: Object = {key: one for key, one in pod["spec"].items() if key != "schedulingGroup"}
    return {**pod, "spec": spec}


def is_owned_by(owner: Object, claim: Object) -> bool:
    """Tell whether this object, by uid, is the controller of a generated claim."""
    reference = owner_of(claim)
    return reference is not None and reference.get("uid") == uid_of(owner)


def is_for_pod(pod: Object, claim: Object) -> bool:
    """Tell whether a generated claim was made for this Pod, by uid, or for its PodGroup.

    A Pod knows no uid of its group: kind and name decide (KEP-5729).
    """
    owner = owner_of(claim)
    if owner is None or owner.get("uid") == uid_of(pod):
        return owner is not None
    return (
        owner.get("kind") == "PodGroup"
        and owner.get("apiVersion", "").startswith(f"{SCHEDULING}/")
        and owner.get("name") == group_name(pod)
    )


def is_of_group(pod_claim: Object, group: Object | None) -> bool:
    """Tell whether an entry of a Pod is one of its group: all that both may say must agree."""
    fields = ("name", "resourceClaimName", "resourceClaimTemplateName")
    return group is not None and any(
        all(one.get(field) == pod_claim.get(field) for field in fields) for one in pod_claims(group)
    )


def reservations(claim: Object) -> list[Object]:
    """Return ``status.reservedFor``."""
    return list(claim.get("status", {}).get("reservedFor") or [])


def is_reserved_for(pod: Object, claim: Object) -> bool:
    """Tell whether the claim is reserved for this Pod, by uid, or for its PodGroup, by name."""
    return any(
        consumer.get("uid") == uid_of(pod)
        or (is_group_consumer(consumer) and consumer.get("name") == group_name(pod))
        for consumer in reservations(claim)
    )


def is_group_consumer(consumer: Object) -> bool:
    """Tell whether an entry of ``status.reservedFor`` stands for a PodGroup."""
    return consumer.get("apiGroup") == SCHEDULING and consumer.get("resource") == "podgroups"


def allocation_of(claim: Object) -> Object | None:
    """Return ``status.allocation``, or nothing while the claim is not allocated."""
    return claim.get("status", {}).get("allocation")


def results_of(claim: Object) -> list[Object]:
    """Return the devices that are allocated to the claim."""
    return results_in(allocation_of(claim))


def results_in(allocation: Object | None) -> list[Object]:
    """Return the devices of one allocation."""
    return list((allocation or {}).get("devices", {}).get("results") or [])


def consumer_reference(pod: Object) -> dict[str, Any]:
    """Return the entry of ``status.reservedFor`` that stands for this Pod."""
    return {"resource": "pods", "name": name_of(pod), "uid": uid_of(pod)}


def holder_of(pod: Object, group: Object | None, pod_claim: Object) -> dict[str, Any]:
    """Return for whom the claim of an entry is reserved: the Pod, or its group for all of them."""
    if group is None or not is_of_group(pod_claim, group):
        return consumer_reference(pod)
    return {
        "apiGroup": SCHEDULING,
        "resource": "podgroups",
        "name": name_of(group),
        "uid": uid_of(group),
    }


def priority_of(pod: Object) -> int:
    """Return the priority of a Pod; that of a Pod without one is 0."""
    return pod.get("spec", {}).get("priority") or 0


def is_finished(pod: Object) -> bool:
    """Tell whether the Pod ran to its end."""
    return pod.get("status", {}).get("phase") in {"Succeeded", "Failed"}


def is_done(pod: Object) -> bool:
    """Tell whether the Pod will not run (any more): finished, or deleted before scheduling."""
    deleted = bool(pod["metadata"].get("deletionTimestamp"))
    return is_finished(pod) or (deleted and not pod.get("spec", {}).get("nodeName"))

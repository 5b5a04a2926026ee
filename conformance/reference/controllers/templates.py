"""From a ResourceClaimTemplate to the ResourceClaim of one Pod.

Source: KEP-4381, and kube-controller-manager 1.37 (resourceclaim controller).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from conformance.kube.objects import Object, copy_of, name_of, namespace_of, uid_of
from conformance.reference.client.informer import Informer
from conformance.reference.controllers.watching import BY_OWNER
from conformance.reference.podclaims import (
    POD_CLAIM_ANNOTATION,
    ClaimNotGenerated,
    claim_name,
    is_owned_by,
)

#: The base of a generated name: 63 characters less a hyphen and five random ones.
_BASE_LENGTH = 57


def generate_name(pod_name: str, pod_claim_name: str) -> str:
    """Return the ``generateName`` of a claim: ``<pod>-<claim>-``, both parts shortened alike."""
    whole = f"{pod_name}-{pod_claim_name}-"
    if len(whole) <= _BASE_LENGTH:
        return whole
    pod_part = pod_name[: len(pod_name) * _BASE_LENGTH // len(whole)]
    claim_part = pod_claim_name[: len(pod_claim_name) * _BASE_LENGTH // len(whole)]
    return f"{pod_part}-{claim_part}"


def claim_from_template(pod: Object, pod_claim: Object, template: Object) -> Object:
    """Return the claim to create for one entry of the Pod's ``spec.resourceClaims``."""
    wanted = template.get("spec", {})
    metadata = wanted.get("metadata") or {}
    annotations = dict(metadata.get("annotations") or {})
    annotations[POD_CLAIM_ANNOTATION] = pod_claim["name"]
    claim: Object = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "generateName": generate_name(name_of(pod), pod_claim["name"]),
            "namespace": namespace_of(pod),
            "annotations": annotations,
            "ownerReferences": [
                {
                    "apiVersion": "v1",
                    "kind": "Pod",
                    "name": name_of(pod),
                    "uid": uid_of(pod),
                    "controller": True,
                }
            ],
        },
        "spec": copy_of(wanted.get("spec") or {}),
    }
    if metadata.get("labels"):
        claim["metadata"]["labels"] = dict(metadata["labels"])
    return claim


class GeneratedClaims(Iterable[Object]):
    """All claims that are known, and among them quickly those of one Pod.

    ``created`` are claims that were created here and may not be in the informer yet.
    """

    def __init__(self, claims: Informer, created: Mapping[str, Object]) -> None:
        self._claims = claims
        self._created = created

    def __iter__(self) -> Iterator[Object]:
        yield from self._claims.values()
        yield from self._created.values()

    def of(self, pod: Object) -> list[Object]:
        """Return the claims that the Pod owns."""
        own = (claim for claim in self._created.values() if is_owned_by(pod, claim))
        return [*self._claims.find(BY_OWNER, uid_of(pod)), *own]


def generated_for(pod: Object, pod_claim: Object, claims: Iterable[Object]) -> Object | None:
    """Return the claim that was already generated for this entry, if any.

    Covers a controller that was interrupted between creating a claim and noting it in the
    status of the Pod.
    """
    for claim in claims.of(pod) if isinstance(claims, GeneratedClaims) else claims:
        annotation = claim["metadata"].get("annotations", {}).get(POD_CLAIM_ANNOTATION)
        deleted = claim["metadata"].get("deletionTimestamp")
        if annotation == pod_claim["name"] and is_owned_by(pod, claim) and not deleted:
            return claim
    return None


def noted_claim(group: Object, entry: Object, claims: Informer) -> Object | None:
    """Return the claim that a group's status names for an entry, once it is there."""
    try:
        name = claim_name(group, entry)
    except ClaimNotGenerated:
        return None
    claim = claims.get(f"{namespace_of(group)}/{name}")
    return claim if claim is not None and is_owned_by(group, claim) else None

"""What the metrics of the resource claim controller say of claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from conformance.kube.objects import Object, owner_of
from conformance.reference.podclaims import (
    EXTENDED_CLAIM_ANNOTATION,
    POD_CLAIM_ANNOTATION,
    allocation_of,
)

#: The metric of claims that were made, or could not be.
CREATES = "dynamic_resource_allocation_resourceclaim_creates_total"


def counted(claims: Iterable[Object]) -> list[tuple[dict[str, str], float]]:
    """Return how many claims there are, by allocation, admin access and where they came from."""
    rows = Counter(
        (_spelled(allocation_of(claim) is not None), _admin_access(claim), _source(claim))
        for claim in claims
    )
    return [
        ({"allocated": allocated, "admin_access": admin, "source": source}, float(number))
        for (allocated, admin, source), number in sorted(rows.items())
    ]


def creation_labels(claim: Object) -> dict[str, str]:
    """Return the labels of a claim that is made, but for how that ended."""
    owner = owner_of(claim) or {}
    group = str(owner.get("apiVersion", "")).rpartition("/")[0]
    kind = str(owner.get("kind", ""))
    return {
        "admin_access": _admin_access(claim),
        "owner_api_group": group,
        "owner_api_kind": kind,
    }


def _source(claim: Object) -> str:
    annotations = claim["metadata"].get("annotations") or {}
    if POD_CLAIM_ANNOTATION in annotations:
        return "resource_claim_template"
    return "extended_resource" if annotations.get(EXTENDED_CLAIM_ANNOTATION) else ""


def _admin_access(claim: Object) -> str:
    requests: list[Object] = claim["spec"].get("devices", {}).get("requests") or []
    return _spelled(any((one.get("exactly") or {}).get("adminAccess") for one in requests))


def _spelled(value: bool) -> str:
    return "true" if value else "false"

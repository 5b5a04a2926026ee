"""API servers that overlook a rule for the claims of PodGroups and the groups of Pods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.kube.fields import ErrorKind
from conformance.kube.objects import Object, copy_of
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur


def _believes_new_statuses(real: Any, plural: str, obj: Object, features: Any, now: Any) -> None:
    sent = copy_of(obj).get("status")
    real(plural, obj, features, now)
    if plural == "podgroups" and sent:
        obj["status"] = sent


def _keeps_statuses(real: Any, plural: str, new: Object, old: Object, *rest: Any) -> None:
    sent = (copy_of(new).get("status") or {}).get("resourceClaimStatuses")
    claimless = not (old.get("spec") or {}).get("resourceClaims")
    real(plural, new, old, *rest)
    if plural == "podgroups" and claimless and sent:
        new["status"]["resourceClaimStatuses"] = sent


def _lets_pods_leave(real: Any, plural: str, new: Object, old: Object, *rest: Any) -> Any:
    group = old.get("spec", {}).get("schedulingGroup")
    if plural == "pods" and group:
        return real(plural, {**new, "spec": {**new["spec"], "schedulingGroup": group}}, old, *rest)
    return real(plural, new, old, *rest)


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-claims-of-groups-without-a-name": overlooking(
        r"spec\.resourceClaims\[\d+\]\.name", ErrorKind.REQUIRED, resource="podgroups"
    ),
    "apiserver-accepts-any-name-of-claims-of-groups": overlooking(
        r"spec\.resourceClaims\[\d+\]\.name", ErrorKind.INVALID, resource="podgroups"
    ),
    "apiserver-accepts-claims-of-groups-of-one-name": overlooking(
        r"spec\.resourceClaims\[\d+\]", ErrorKind.DUPLICATE, resource="podgroups"
    ),
    "apiserver-does-not-limit-claims-of-groups": overlooking(
        r"spec\.resourceClaims", ErrorKind.TOO_MANY, resource="podgroups"
    ),
    "apiserver-accepts-claims-of-groups-that-are-nowhere": overlooking(
        r"spec\.resourceClaims\[\d+\]",
        ErrorKind.INVALID,
        says="must specify one of",
        resource="podgroups",
    ),
    "apiserver-accepts-claims-of-groups-that-are-both": overlooking(
        r"spec\.resourceClaims\[\d+\]",
        ErrorKind.INVALID,
        says="exactly one of",
        resource="podgroups",
    ),
    "apiserver-accepts-any-claim-of-groups": overlooking(
        r"spec\.resourceClaims\[\d+\]\.resourceClaimName", ErrorKind.INVALID, resource="podgroups"
    ),
    "apiserver-accepts-any-template-of-groups": overlooking(
        r"spec\.resourceClaims\[\d+\]\.resourceClaimTemplateName",
        ErrorKind.INVALID,
        resource="podgroups",
    ),
    "apiserver-lets-claims-of-groups-change": overlooking(
        r"spec\.resourceClaims", ErrorKind.INVALID, resource="podgroups"
    ),
    "apiserver-accepts-statuses-of-claims-that-no-group-has": overlooking(
        r"status\.resourceClaimStatuses\[\d+\]\.name", ErrorKind.INVALID, resource="podgroups"
    ),
    "apiserver-accepts-statuses-of-one-claim-of-groups": overlooking(
        r"status\.resourceClaimStatuses\[\d+\]", ErrorKind.DUPLICATE, resource="podgroups"
    ),
    "apiserver-does-not-limit-statuses-of-claims-of-groups": overlooking(
        r"status\.resourceClaimStatuses", ErrorKind.TOO_MANY, resource="podgroups"
    ),
    "apiserver-accepts-statuses-of-any-claim-of-groups": overlooking(
        r"status\.resourceClaimStatuses\[\d+\]\.resourceClaimName",
        ErrorKind.INVALID,
        resource="podgroups",
    ),
    "apiserver-accepts-groups-of-pods-without-a-name": overlooking(
        r"spec\.schedulingGroup\.podGroupName",
        ErrorKind.INVALID,
        says="must specify",
        resource="pods",
    ),
    "apiserver-accepts-any-group-of-pods": overlooking(
        r"spec\.schedulingGroup\.podGroupName",
        ErrorKind.INVALID,
        says_not="must specify",
        resource="pods",
    ),
    "apiserver-believes-statuses-of-new-groups": _believes_new_statuses,
    "apiserver-keeps-statuses-of-claims-without-the-gate": _keeps_statuses,
    "apiserver-lets-pods-change-their-group": _lets_pods_leave,
}

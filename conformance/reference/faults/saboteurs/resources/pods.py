"""How an API server can overlook rules for the claims of a Pod."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.kube.fields import ErrorKind, FieldError, duplicate
from conformance.kube.objects import Object
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

_USED = "spec.containers[0].resources.claims[1]"


def _refuses_a_second_request(real: Any, plural: str, obj: Object, *rest: Any) -> list[FieldError]:
    errors: list[FieldError] = real(plural, obj, *rest)
    if plural != "pods":
        return errors
    used = [one.get("name") for one in obj["spec"]["containers"][0]["resources"].get("claims", [])]
    more = [duplicate(_USED, name) for name in set(used) if used.count(name) > 1]
    return [*errors, *more]


def _lets_change(field: str) -> Saboteur:
    """Return a saboteur that takes any change of this field of a Pod's spec."""

    def saboteur(real: Any, plural: str, new: Object, old: Object, *rest: Any) -> list[FieldError]:
        errors: list[FieldError] = real(plural, new, old, *rest)
        if plural != "pods" or new["spec"].get(field) == old["spec"].get(field):
            return errors
        return [error for error in errors if error.path != "spec"]

    return saboteur


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-pod-claim-without-a-name": overlooking(
        r"spec\.resourceClaims\[\d+\]\.name", ErrorKind.REQUIRED, resource="pods"
    ),
    "apiserver-accepts-pod-claim-of-any-name": overlooking(
        r"spec\.resourceClaims\[\d+\]\.name", ErrorKind.INVALID, resource="pods"
    ),
    "apiserver-accepts-two-pod-claims-of-one-name": overlooking(
        r"spec\.resourceClaims\[\d+\]\.name", ErrorKind.DUPLICATE, resource="pods"
    ),
    "apiserver-accepts-pod-claim-from-two-sources": overlooking(
        r"spec\.resourceClaims\[\d+\]", ErrorKind.INVALID, says="at most one", resource="pods"
    ),
    "apiserver-accepts-pod-claim-from-nowhere": overlooking(
        r"spec\.resourceClaims\[\d+\]", ErrorKind.INVALID, says="must specify", resource="pods"
    ),
    "apiserver-accepts-pod-that-names-a-claim-by-what-is-no-dns-subdomain": overlooking(
        r"spec\.resourceClaims\[\d+\]\.resourceClaimName", ErrorKind.INVALID, resource="pods"
    ),
    "apiserver-accepts-pod-that-names-a-template-by-what-is-no-dns-subdomain": overlooking(
        r"spec\.resourceClaims\[\d+\]\.resourceClaimTemplateName",
        ErrorKind.INVALID,
        resource="pods",
    ),
    "apiserver-accepts-container-that-uses-a-claim-without-a-name": overlooking(
        r"spec\.containers\[\d+\]\.resources\.claims\[\d+\]", ErrorKind.REQUIRED, resource="pods"
    ),
    "apiserver-accepts-container-that-uses-a-claim-which-its-pod-does-not-name": overlooking(
        r"spec\.containers\[\d+\]\.resources\.claims\[\d+\]", ErrorKind.NOT_FOUND, resource="pods"
    ),
    "apiserver-accepts-container-that-uses-a-claim-twice": overlooking(
        r"spec\.containers\[\d+\]\.resources\.claims\[\d+\]", ErrorKind.DUPLICATE, resource="pods"
    ),
    "apiserver-accepts-container-that-uses-a-request-whose-name-is-no-dns-label": overlooking(
        r"spec\.containers\[\d+\]\.resources\.claims\[\d+\]\.request",
        ErrorKind.INVALID,
        resource="pods",
    ),
    "apiserver-accepts-init-container-that-uses-a-claim-which-its-pod-does-not-name": overlooking(
        r"spec\.initContainers\[\d+\]\.resources\.claims\[\d+\]",
        ErrorKind.NOT_FOUND,
        resource="pods",
    ),
    "apiserver-refuses-container-that-uses-two-requests-of-one-claim": _refuses_a_second_request,
    "apiserver-accepts-change-of-the-claims-that-a-pod-names": _lets_change("resourceClaims"),
    "apiserver-accepts-change-of-the-claims-that-a-container-uses": _lets_change("containers"),
    "apiserver-accepts-status-of-a-claim-which-the-pod-does-not-name": overlooking(
        r"status\.resourceClaimStatuses\[\d+\]\.name", ErrorKind.INVALID, resource="pods"
    ),
    "apiserver-accepts-status-of-a-claim-by-what-is-no-dns-subdomain": overlooking(
        r"status\.resourceClaimStatuses\[\d+\]\.resourceClaimName",
        ErrorKind.INVALID,
        resource="pods",
    ),
    "apiserver-accepts-extended-status-without-mappings": overlooking(
        r"status\.extendedResourceClaimStatus\.requestMappings", ErrorKind.REQUIRED, resource="pods"
    ),
    "apiserver-accepts-extended-status-without-a-claim": overlooking(
        r"status\.extendedResourceClaimStatus\.resourceClaimName",
        ErrorKind.REQUIRED,
        resource="pods",
    ),
    "apiserver-accepts-extended-status-with-a-claim-name-that-is-no-dns-subdomain": overlooking(
        r"status\.extendedResourceClaimStatus\.resourceClaimName",
        ErrorKind.INVALID,
        resource="pods",
    ),
    "apiserver-accepts-extended-status-with-a-mapping-that-stands-twice": overlooking(
        r"status\.extendedResourceClaimStatus\.requestMappings\[\d+\]\..*",
        ErrorKind.DUPLICATE,
        resource="pods",
    ),
    "apiserver-accepts-extended-status-with-a-request-name-that-is-no-dns-label": overlooking(
        r"status\.extendedResourceClaimStatus\.requestName", ErrorKind.INVALID, resource="pods"
    ),
    "apiserver-accepts-health-report-about-any-claim": overlooking(
        r"status\.containerStatuses\[\d+\]\.allocatedResourcesStatus\[\d+\]\.name",
        ErrorKind.INVALID,
        says="claims",
        resource="pods",
    ),
    "apiserver-accepts-health-report-about-any-resource": overlooking(
        r"status\.containerStatuses\[\d+\]\.allocatedResourcesStatus\[\d+\]\.name",
        ErrorKind.INVALID,
        says="requests",
        resource="pods",
    ),
    "apiserver-accepts-health-report-with-an-unknown-health": overlooking(
        r"status\.containerStatuses.*\.resources\[\d+\]\.health",
        ErrorKind.NOT_SUPPORTED,
        resource="pods",
    ),
    "apiserver-accepts-two-health-reports-about-one-device": overlooking(
        r"status\.containerStatuses.*\.resources\[\d+\]\.resourceID",
        ErrorKind.DUPLICATE,
        resource="pods",
    ),
    "apiserver-accepts-health-report-with-an-empty-message": overlooking(
        r"status\.containerStatuses.*\.resources\[\d+\]\.message",
        ErrorKind.REQUIRED,
        resource="pods",
    ),
    "apiserver-does-not-limit-message-of-a-health-report-to-1024-characters": overlooking(
        r"status\.containerStatuses.*\.resources\[\d+\]\.message",
        ErrorKind.TOO_LONG,
        resource="pods",
    ),
    "apiserver-accepts-what-a-foreign-claim-takes-of-the-node": overlooking(
        r"status\.nodeAllocatableResourceClaimStatuses\[\d+\]\.resourceClaimName",
        ErrorKind.INVALID,
        resource="pods",
    ),
    "apiserver-accepts-resources-of-the-node-that-a-node-does-not-have": overlooking(
        r"status\.nodeAllocatableResourceClaimStatuses\[\d+\]\.(mapping|overhead)\[\d+\]\.name",
        ErrorKind.INVALID,
        resource="pods",
    ),
    "apiserver-accepts-negative-quantity-that-a-claim-takes-of-the-node": overlooking(
        r"status\.nodeAllocatableResourceClaimStatuses\[\d+\]\.mapping\[\d+\]\.quantity",
        ErrorKind.INVALID,
        resource="pods",
    ),
    "apiserver-accepts-overhead-without-an-amount-in-the-status-of-a-pod": overlooking(
        r"status\.nodeAllocatableResourceClaimStatuses\[\d+\]\.overhead\[\d+\]",
        ErrorKind.INVALID,
        resource="pods",
    ),
    "apiserver-accepts-negative-overhead-of-the-pod-in-its-status": overlooking(
        r"status\.nodeAllocatableResourceClaimStatuses\[\d+\]\.overhead\[\d+\]\.perPod",
        ErrorKind.INVALID,
        resource="pods",
    ),
    "apiserver-accepts-negative-overhead-of-each-container-in-the-status-of-a-pod": overlooking(
        r"status\.nodeAllocatableResourceClaimStatuses\[\d+\]\.overhead\[\d+\]\.perContainer",
        ErrorKind.INVALID,
        resource="pods",
    ),
}

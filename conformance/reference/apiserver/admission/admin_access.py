"""Admin access: only in namespaces that a cluster admin has labelled for it.

Source: Kubernetes 1.37 pkg/registry/resource/utils.go. It is no validation of the object
alone: the namespace decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.dra import validation
from conformance.dra.vocabulary import ADMIN_ACCESS_LABEL
from conformance.kube import fields
from conformance.kube.fields import FieldError
from conformance.kube.objects import Object

_DETAIL = (
    f"admin access to devices requires the `{ADMIN_ACCESS_LABEL}: true` label on the containing "
    "namespace"
)


def in_spec(plural: str, obj: Object, namespace: Object | None) -> list[FieldError]:
    """Return what forbids admin access in the spec of a new claim or template."""
    if plural not in ("resourceclaims", "resourceclaimtemplates"):
        return []
    spec = obj.get("spec") or {}
    claim = (spec.get("spec") or {}) if plural == "resourceclaimtemplates" else spec
    return validation.admin_access(claim, namespace or {})


def in_status(new: Object, old: Object, namespace: Object | None) -> Iterator[FieldError]:
    """Yield the result that may not be written into the status of a claim."""
    if is_labelled(namespace) or any(result.get("adminAccess") for result in _results(old)):
        return
    for index, result in enumerate(_results(new)):
        if result.get("adminAccess"):
            path = f"status.allocation.devices.results[{index}].adminAccess"
            yield fields.forbidden(path, _DETAIL)
            return


def is_labelled(namespace: Object | None) -> bool:
    """Say whether claims of this namespace may ask for admin access."""
    labels = (namespace or {}).get("metadata", {}).get("labels", {})
    return labels.get(ADMIN_ACCESS_LABEL) == "true"


def _results(claim: Object) -> Sequence[Object]:
    allocation = (claim.get("status") or {}).get("allocation") or {}
    return (allocation.get("devices") or {}).get("results") or ()

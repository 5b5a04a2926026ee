"""Device health in the status of a Pod: fields that exist only while their gates are on.

Source: Kubernetes 1.37 pkg/api/pod/util.go. A field that the old object uses stays.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.kube.objects import Object

_STATUSES = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")


def drop_disabled(new: Object, old: Object, features: Features) -> None:
    """Remove what disabled gates leave out of ``new``, in place."""
    if not features.enabled("ResourceHealthStatus") and not any(_resources(old)):
        _replace(new, keep=False)
    elif not features.enabled("ResourceHealthStatusMessage") and not any(
        "message" in resource for resource in _resources(old)
    ):
        _replace(new, keep=True)


def _rows(pod: Object) -> Iterator[Object]:
    for key in _STATUSES:
        yield from pod.get("status", {}).get(key) or []


def _resources(pod: Object) -> Iterator[Object]:
    for row in _rows(pod):
        for status in row.get("allocatedResourcesStatus") or []:
            yield from status.get("resources") or []


def _replace(pod: Object, *, keep: bool) -> None:
    for row in _rows(pod):
        statuses = copy.deepcopy(row.pop("allocatedResourcesStatus", None))
        if not statuses or not keep:
            continue
        for resource in (one for status in statuses for one in status.get("resources") or []):
            resource.pop("message", None)
        row["allocatedResourcesStatus"] = statuses

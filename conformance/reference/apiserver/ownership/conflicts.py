"""What an applier is told that wants a field which another manager owns with another value."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.ownership import paths
from conformance.reference.apiserver.ownership.managers import Manager
from conformance.reference.apiserver.ownership.paths import Paths


def conflict(found: Mapping[Manager, Paths]) -> StatusError:
    """Return 409 with one cause for every field of every other manager."""
    causes: list[Object] = []
    for manager in sorted(found, key=str):
        for path in sorted(found[manager]):
            cause = {
                "reason": "FieldManagerConflict",
                "message": f"conflict with {manager}",
                "field": paths.spell(path),
            }
            causes.append(cause)
    told = [f"{cause['message']}: {cause['field']}" for cause in causes]
    several = "s" if len(told) > 1 else ""
    return StatusError(
        code=409,
        reason="Conflict",
        message=f"Apply failed with {len(told)} conflict{several}: " + "\n".join(told),
        details={"causes": causes},
    )

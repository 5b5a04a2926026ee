"""API servers that overlook a rule of validation, one module per area of the suite.

``overlooking`` makes them: the errors of a rule are left out of what the real rules say.
"""

from __future__ import annotations

from collections.abc import Mapping

from conformance.reference.faults.saboteurs.validation import (
    administration,
    allocations,
    alternatives,
    capacities,
    claims,
    devices,
    inventory,
    pod_groups,
    requests,
    slices,
    status,
)
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of these areas by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    **administration.SABOTEURS,
    **allocations.SABOTEURS,
    **alternatives.SABOTEURS,
    **capacities.SABOTEURS,
    **claims.SABOTEURS,
    **devices.SABOTEURS,
    **inventory.SABOTEURS,
    **pod_groups.SABOTEURS,
    **requests.SABOTEURS,
    **slices.SABOTEURS,
    **status.SABOTEURS,
}

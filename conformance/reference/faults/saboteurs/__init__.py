"""The functions that commit the faults, one module per area of the suite.

Each module ends in ``SABOTEURS``, a table from fault name to a function that is called in
place of the real one and gets it first: ``saboteur(real, *args)``. An asynchronous seam
wants an asynchronous saboteur. The modules know nothing of each other and import no
component; what they may touch is what the seam hands them. ``altering`` is what several of
them change the allocator's view with. This file joins the tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from conformance.reference.faults.saboteurs import (
    admin,
    binding_conditions,
    consumer,
    device_status,
    driver,
    features,
    health,
    metadata,
    pool_status,
    prescheduled,
    validation,
    workflow,
)
from conformance.reference.faults.saboteurs.access import (
    authorization,
    policies,
    quota,
    status_parts,
)
from conformance.reference.faults.saboteurs.devices import metrics, taints
from conformance.reference.faults.saboteurs.drivers import cdi, publishing, room, state
from conformance.reference.faults.saboteurs.drivers import health as driver_health
from conformance.reference.faults.saboteurs.drivers import inventory as driver_inventory
from conformance.reference.faults.saboteurs.drivers import lifecycle as driver_lifecycle
from conformance.reference.faults.saboteurs.drivers import metadata as driver_metadata
from conformance.reference.faults.saboteurs.drivers import metrics as driver_metrics
from conformance.reference.faults.saboteurs.drivers import rights as driver_rights
from conformance.reference.faults.saboteurs.lifecycle import claim_controller, kubelet, pod_groups
from conformance.reference.faults.saboteurs.resources import allocatable, extended, pods
from conformance.reference.faults.saboteurs.scheduling import (
    allocation,
    choosing,
    comparing,
    counting,
    gangs,
    inventory,
    preempting,
    searching,
    waiting,
)
from conformance.reference.faults.saboteurs.selection import words
from conformance.reference.faults.saboteurs.serving import api, requests, versions
from conformance.reference.faults.saboteurs.writes import applying, deletion
from conformance.reference.faults.seams import Saboteur

#: Every saboteur by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    **admin.SABOTEURS,
    **applying.SABOTEURS,
    **api.SABOTEURS,
    **authorization.SABOTEURS,
    **allocatable.SABOTEURS,
    **allocation.SABOTEURS,
    **binding_conditions.SABOTEURS,
    **choosing.SABOTEURS,
    **claim_controller.SABOTEURS,
    **comparing.SABOTEURS,
    **consumer.SABOTEURS,
    **counting.SABOTEURS,
    **deletion.SABOTEURS,
    **device_status.SABOTEURS,
    **taints.SABOTEURS,
    **cdi.SABOTEURS,
    **room.SABOTEURS,
    **driver.SABOTEURS,
    **driver_health.SABOTEURS,
    **driver_inventory.SABOTEURS,
    **driver_lifecycle.SABOTEURS,
    **driver_metadata.SABOTEURS,
    **driver_metrics.SABOTEURS,
    **driver_rights.SABOTEURS,
    **extended.SABOTEURS,
    **features.SABOTEURS,
    **gangs.SABOTEURS,
    **health.SABOTEURS,
    **inventory.SABOTEURS,
    **kubelet.SABOTEURS,
    **metadata.SABOTEURS,
    **metrics.SABOTEURS,
    **pods.SABOTEURS,
    **pod_groups.SABOTEURS,
    **pool_status.SABOTEURS,
    **preempting.SABOTEURS,
    **prescheduled.SABOTEURS,
    **publishing.SABOTEURS,
    **requests.SABOTEURS,
    **policies.SABOTEURS,
    **quota.SABOTEURS,
    **state.SABOTEURS,
    **words.SABOTEURS,
    **validation.SABOTEURS,
    **status_parts.SABOTEURS,
    **versions.SABOTEURS,
    **waiting.SABOTEURS,
    **workflow.SABOTEURS,
    **searching.SABOTEURS,
}

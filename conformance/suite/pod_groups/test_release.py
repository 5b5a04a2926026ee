"""A reservation for a group holds as long as the group is there, and no longer."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.claims import NO_DEVICES
from conformance.harness.world import World

pytestmark = pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
    serves=["scheduling.k8s.io/v1beta1"],
)

#: Keeps an allocated claim from going.
FINALIZER = "resource.kubernetes.io/delete-protection"


def held_by(world: World, grouped: Any, group: dict[str, Any]) -> dict[str, Any]:
    """Create a claim that is allocated and reserved for the group; return it."""
    made = world.apply(
        "claim_controller/claim", metadata={"name": "claim", "finalizers": [FINALIZER]}
    )
    holders = [grouped.holder(group)]
    world.claims.write_status("claim", allocation=NO_DEVICES, reservedFor=holders)
    return made.of("ResourceClaim")


@pytest.mark.requirement("DRA-PGR-21")
def test_the_reservation_outlives_the_pods(world: World, grouped: Any) -> None:
    """The last Pod of the group is deleted: the claim is still reserved for the group."""
    shared = grouped.entry(claim="claim")
    group = grouped.group("group", shared)
    held_by(world, grouped, group)
    grouped.pod("pod", shared, node=world.own_node("bare"))

    world.pods.delete("pod", grace=0)
    world.pods.gone("pod")

    grouped.stays_reserved_for("claim", group)


@pytest.mark.requirement("DRA-PGR-22")
def test_without_its_group_a_claim_is_released(world: World, grouped: Any) -> None:
    """The group is gone: the claim is reserved for nobody and not allocated any more."""
    group = grouped.group("group", grouped.entry(claim="claim"))
    held_by(world, grouped, group)

    grouped.delete(group)

    grouped.reserved_for("claim")
    world.claims.deallocated("claim")


@pytest.mark.requirement("DRA-PGR-23")
def test_a_claim_is_reserved_for_the_group_of_a_prescheduled_pod(
    world: World, grouped: Any
) -> None:
    """A Pod of the group that has a node already: the allocated claim is the group's."""
    shared = grouped.entry(claim="claim")
    group = grouped.group("group", shared)
    world.apply("claim_controller/claim", metadata={"name": "claim"})
    world.claims.write_status("claim", allocation=NO_DEVICES)

    grouped.pod("pod", shared, node=world.own_node("bare"))

    grouped.reserved_for("claim", group)

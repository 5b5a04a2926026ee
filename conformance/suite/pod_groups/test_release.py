"""A reservation for a group holds as long as the group is there, and no longer."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.claims import NO_DEVICES
from conformance.harness.world import World

pytestmark = pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
    serves=["scheduling.k8s.io/v1beta1"],
)

#: Keeps an allocated claim from going.
FINALIZER = "resource.kubernetes.io/delete-protection"


def held_by(
    world: World, grouped: Any, group: dict[str, Any], *pods: dict[str, Any]
) -> dict[str, Any]:
    """Create a claim that is allocated and reserved for the group and Pods; return it."""
    made = world.apply(
        "claim_controller/claim", metadata={"name": "claim", "finalizers": [FINALIZER]}
    )
    users = [
        {"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}
        for pod in pods
    ]
    grouped.allocate(grouped.holder(group), *users)
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


@pytest.mark.requirement("DRA-PGR-42")
def test_who_else_holds_the_claim_keeps_it(world: World, grouped: Any) -> None:
    """The group is gone, and a Pod of no group has the claim: it stays allocated for it."""
    shared = grouped.entry(claim="claim")
    group = grouped.group("group", shared)
    pod = grouped.pod("pod", shared, group="")
    held_by(world, grouped, group, pod)

    grouped.delete(group)

    grouped.reserved_for("claim", pod)
    grouped.stays_reserved_for("claim", pod)
    expect.present(world.claims.get("claim"), "status.allocation")


@pytest.mark.requirement("DRA-PGR-38")
def test_an_allocated_claim_goes_with_its_group(grouped: Any) -> None:
    """The claim that was made for the group is allocated, protected and reserved: it goes."""
    group = grouped.group()
    claim = grouped.claim_for(group, FINALIZER)
    grouped.allocate(grouped.holder(group))

    grouped.delete(group)

    grouped.gone(claim)


@pytest.mark.requirement("DRA-PGR-39")
def test_the_devices_of_a_group_are_free_when_it_is_gone(
    world: World, flow: Any, grouped: Any
) -> None:
    """The only device stays with a group without Pods, and is somebody else's without the group."""
    flow.publish("device-1")
    flow.claim()
    grouped.template(wanted={"devices": {"requests": [flow.exactly()]}})
    group = grouped.group()
    node = world.own_node("bare")
    grouped.pod(place={"kubernetes.io/hostname": node})
    world.pods.scheduled("pod")
    world.pods.delete("pod", grace=0)
    flow.pod("other", place={"kubernetes.io/hostname": node})
    flow.refused("other")

    grouped.delete(group)

    world.pods.scheduled("other", bound="claim-deallocated")
    expect.same(flow.devices(), ["device-1"], path="devices")


@pytest.mark.requirement("DRA-PGR-40")
def test_the_claims_of_a_group_that_waits_for_its_pods_stay(world: World, grouped: Any) -> None:
    """The group was deleted and its Pod may run: the claim is allocated and the group's."""
    group = grouped.group()
    claim = grouped.claim_for(group, FINALIZER)
    grouped.allocate(grouped.holder(group))
    grouped.pod("pod", node=world.own_node("bare"))

    grouped.delete(group)

    grouped.stays(claim)
    grouped.reserved_for("claim", group)
    stored = world.claims.get("claim")
    expect.present(stored, "status.allocation")
    expect.absent(stored, "metadata.deletionTimestamp")


@pytest.mark.requirement("DRA-PGR-41")
@pytest.mark.parametrize("name", ["nobody", "group"])
def test_a_reservation_for_a_group_that_is_not_there_is_removed(
    world: World, grouped: Any, name: str
) -> None:
    """No group of that name, or another group of that name: the uid counts."""
    group = grouped.group("group", grouped.entry(claim="claim"))
    gone = {**grouped.holder(group), "name": name, "uid": "00000000-0000-4000-8000-000000000001"}

    world.apply("claim_controller/claim", metadata={"name": "claim"})
    grouped.allocate(gone)

    grouped.reserved_for("claim")


@pytest.mark.requirement("DRA-PGR-43")
def test_nothing_is_reserved_before_there_is_a_group(world: World, grouped: Any) -> None:
    """A Pod has a node and no group: its claim is nobody's, and the group's once that is there."""
    shared = grouped.entry(claim="claim")
    world.apply("claim_controller/claim", metadata={"name": "claim"})
    grouped.allocate()
    grouped.pod("pod", shared, node=world.own_node("bare"))
    grouped.stays_reserved_for("claim")

    group = grouped.group("group", shared)

    grouped.reserved_for("claim", group)

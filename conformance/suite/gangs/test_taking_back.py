"""What becomes of the claims of a group whose Pods cannot be scheduled."""

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

READY, BROKEN = "conformance.test/ready", "conformance.test/broken"


def holder_of(pod: dict[str, Any]) -> dict[str, Any]:
    """Return the row by which a claim is reserved for a Pod."""
    return {"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}


def on(node: str) -> dict[str, Any]:
    """Return an allocation without devices that can be used on one node."""
    here = {"key": "metadata.name", "operator": "In", "values": [node]}
    return {**NO_DEVICES, "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [here]}]}}


def is_nobodys(world: World, grouped: Any) -> None:
    """Expect that the claim loses its allocation, gets no other, and is reserved for nobody."""
    world.claims.deallocated("claim")
    world.claims.stays_unallocated("claim", for_="claims-quiet")
    grouped.reserved_for("claim")


@pytest.fixture
def shared(flow: Any, grouped: Any) -> Any:
    """Publish a device, create a claim for it, and return the entry that names the claim."""
    flow.publish("device-1")
    flow.claim()
    return grouped.entry(claim="claim")


@pytest.mark.requirement("DRA-PGR-52")
def test_an_allocation_that_no_pod_can_use_is_taken_back(
    world: World, grouped: Any, shared: Any
) -> None:
    """The claim was allocated on a node that is gone: the Pod gets what there is elsewhere."""
    group = grouped.group("group", shared)
    holder = [grouped.holder(group)]
    world.claims.write_status("claim", allocation=on("nowhere"), reservedFor=holder)

    grouped.pod("pod", shared, place={})

    world.pods.scheduled("pod")
    claim = world.claims.get("claim")
    expect.field(claim, "status.allocation.devices.results[0].device", "device-1")
    expect.field(claim, "status.reservedFor", holder)


@pytest.mark.requirement("DRA-PGR-52")
def test_an_allocation_that_no_gang_can_use_is_taken_back(
    world: World, grouped: Any, shared: Any
) -> None:
    """One of two Pods goes nowhere, and the claim is of use for neither: it is nobody's."""
    group = grouped.gang(2, shared)
    holder = [grouped.holder(group)]
    world.claims.write_status("claim", allocation=on("nowhere"), reservedFor=holder)

    grouped.pod("first", shared, place={})
    grouped.pod("second", shared)

    is_nobodys(world, grouped)


@pytest.mark.requirement("DRA-PGR-53")
def test_nothing_is_reserved_for_a_group_that_goes_nowhere(
    world: World, grouped: Any, shared: Any
) -> None:
    """The claim could be used, but no node takes the Pod: it is reserved for nobody."""
    group = grouped.group("group", shared)
    grouped.allocate(grouped.holder(group))

    grouped.pod("pod", shared)

    world.pods.unschedulable("pod")
    grouped.reserved_for("claim")
    grouped.stays_reserved_for("claim")


@pytest.mark.requirement("DRA-PGR-53")
def test_nothing_is_reserved_for_a_gang_that_goes_nowhere(
    world: World, grouped: Any, shared: Any
) -> None:
    """One of two Pods could use the claim, and the other one goes nowhere."""
    group = grouped.gang(2, shared)
    grouped.allocate(grouped.holder(group))

    grouped.pod("first", shared, place={})
    grouped.pod("second", shared)

    world.pods.unschedulable("second")
    grouped.reserved_for("claim")
    world.pods.stays_unscheduled("first", for_="claims-quiet")


@pytest.mark.requirement("DRA-PGR-54")
@pytest.mark.parametrize(
    "elsewhere",
    [
        pytest.param(False, id="the Pod goes nowhere"),
        pytest.param(True, id="the claim is elsewhere"),
    ],
)
def test_a_pod_with_a_node_keeps_the_claim_for_the_group(
    world: World, grouped: Any, shared: Any, elsewhere: bool
) -> None:
    """The first Pod has the claim, and the second can't be scheduled: nothing changes."""
    near, far = world.own_node("near"), world.own_node("far")
    group = grouped.group("group", shared)
    world.claims.write_status("claim", allocation=on(near), reservedFor=[grouped.holder(group)])
    grouped.pod("first", shared, place={"kubernetes.io/hostname": near})
    world.pods.scheduled("first")

    places = {False: {"dra-conformance/never": "true"}, True: {"kubernetes.io/hostname": far}}
    grouped.pod("second", shared, place=places[elsewhere])

    world.pods.unschedulable("second")
    grouped.stays_reserved_for("claim", group)
    selector = "status.allocation.nodeSelector"
    expect.field(world.claims.get("claim"), selector, on(near)["nodeSelector"])


@pytest.mark.requirement("DRA-PGR-60")
def test_a_device_that_fails_is_taken_from_the_group(world: World, flow: Any, grouped: Any) -> None:
    """The device of the claim breaks while the Pod waits for it: the group gets another one."""
    limits = {"bindingConditions": [READY], "bindingFailureConditions": [BROKEN]}
    values = {"slice": "slice", "count": 1, "devices": [{"name": "weak", **limits}]}
    published = world.apply("workflow/slice", **values).of("ResourceSlice")
    flow.claim()
    shared = grouped.entry(claim="claim")
    group = grouped.group("group", shared)
    grouped.pod("pod", shared, place={})
    expect.same(flow.devices(), ["weak"], path="devices")
    world.withdraw(published)

    world.claims.condition("claim", BROKEN)

    world.claims.deallocated("claim")
    grouped.reserved_for("claim")
    flow.publish("device-1", slice="spare")
    world.pods.scheduled("pod")
    expect.same(flow.devices(), ["device-1"], path="devices")
    grouped.reserved_for("claim", group)


@pytest.mark.requirement("DRA-PGR-61")
def test_who_else_holds_the_claim_keeps_it(world: World, grouped: Any, shared: Any) -> None:
    """The Pods of the group can't use the claim, and a Pod of no group holds it: it is its own."""
    group = grouped.group("group", shared)
    other = grouped.pod("other", shared, group="")
    rows = [grouped.holder(group), holder_of(other)]
    world.claims.write_status("claim", allocation=on("nowhere"), reservedFor=rows)

    grouped.pod("pod", shared, place={})

    world.pods.unschedulable("pod")
    grouped.reserved_for("claim", other)
    grouped.stays_reserved_for("claim", other)
    expect.present(world.claims.get("claim"), "status.allocation.nodeSelector")


@pytest.mark.requirement("DRA-PGR-62")
def test_an_allocation_that_ties_a_gang_to_a_node_is_taken_back(
    world: World, grouped: Any, shared: Any
) -> None:
    """The first Pod could go where the claim is, and not elsewhere; the second goes nowhere."""
    near = world.own_node("near")
    world.own_node("far")
    group = grouped.gang(2, shared)
    world.claims.write_status("claim", allocation=on(near), reservedFor=[grouped.holder(group)])

    grouped.pod("first", shared, place={})
    grouped.pod("second", shared)

    is_nobodys(world, grouped)


@pytest.mark.requirement("DRA-PGR-62")
def test_what_ties_a_pod_of_a_gang_to_a_node_is_taken_back(
    world: World, flow: Any, grouped: Any, shared: Any
) -> None:
    """The first Pod could go where its own claim is; the second Pod of the gang goes nowhere."""
    near = world.own_node("near")
    world.own_node("far")
    flow.claim(claim="spare")
    grouped.gang(2)
    since = {"allocationTimestamp": "2026-01-01T00:00:00Z"}
    world.claims.write_status("claim", allocation={**on(near), **since})

    grouped.pod("first", shared, place={})
    grouped.pod("second", grouped.entry(claim="spare"))

    world.claims.deallocated("claim")
    world.claims.stays_unallocated("claim", for_="claims-quiet")

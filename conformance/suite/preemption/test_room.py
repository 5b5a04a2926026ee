"""CPU of Pods with lower priority: they are evicted for a Pod with claims, which stay in order."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World


@pytest.mark.requirement("DRA-PMP-04")
def test_a_pod_with_a_claim_gets_the_cpu_of_another(world: World, flow: Any, ranked: Any) -> None:
    """The device is free, and the CPU is not: the Pod of low priority has to go."""
    flow.publish("device-1")
    flow.claim()
    ranked.settled("low", "low", requests=ranked.most)

    ranked.pod("high", "high", "claim", requests=ranked.most)

    world.pods.gone("low")
    world.pods.scheduled("high")
    expect.same(flow.devices(), ["device-1"], path="devices")


@pytest.mark.requirement("DRA-PMP-05")
def test_a_pod_that_evicts_nobody_waits_with_its_claim(
    world: World, flow: Any, ranked: Any
) -> None:
    """The priority of the Pod is high, and its preemptionPolicy is Never."""
    ranked.peaceful()
    flow.publish("device-1")
    flow.claim()
    ranked.settled("low", "low", requests=ranked.most)

    ranked.pod("high", "peaceful", "claim", requests=ranked.most)

    world.pods.unschedulable("high")
    ranked.stays("low")
    expect.unset(world.claims.get("claim"), "status.allocation")


@pytest.mark.requirement("DRA-PMP-06")
def test_a_claim_waits_unallocated_for_others_to_end(world: World, flow: Any, ranked: Any) -> None:
    """While the other Pod ends, the Pod has a nominated node, and its claim no device."""
    flow.publish("device-1")
    flow.claim()
    flow.claim(claim="other")
    ranked.settled("low", "low", requests=ranked.most, grace=30)
    ranked.pod("high", "high", "claim", requests=ranked.most)
    ranked.leaving("low")

    ranked.pod("other", "low", "other")

    world.pods.scheduled("other")
    expect.same(flow.devices("other"), ["device-1"], path="devices")
    expect.field(world.pods.get("high"), "status.nominatedNodeName", ranked.node)
    expect.unset(world.claims.get("claim"), "status.allocation")
    expect.unset(world.claims.get("claim"), "status.reservedFor")


@pytest.mark.requirement("DRA-PMP-07")
@pytest.mark.parametrize("own", [True, False], ids=["a claim by name", "a generated claim"])
def test_the_device_of_who_is_evicted_is_free(
    world: World, flow: Any, ranked: Any, own: bool
) -> None:
    """A Pod is evicted for its CPU; another one that waits for its device gets it."""
    flow.publish("device-1")
    world.apply("workflow/template")
    flow.claim(claim="held")
    flow.claim(claim="wanted")
    uses = {True: (("held",), {}), False: ((), {"template": "template"})}
    claims, more = uses[own]
    ranked.settled("low", "low", *claims, requests=ranked.most, **more)
    ranked.pod("waiting", "low", "wanted")
    world.pods.unschedulable("waiting")

    ranked.pod("high", "high", requests=ranked.most)

    world.pods.scheduled("high")
    world.pods.scheduled("waiting")
    expect.same(flow.devices("wanted"), ["device-1"], path="devices")


@pytest.mark.requirement("DRA-PMP-08")
def test_a_claim_of_others_stays_allocated(world: World, flow: Any, ranked: Any) -> None:
    """The Pod that is evicted shares its claim with another one, and with who takes its place."""
    flow.publish("device-1", "device-2")
    flow.claim()
    before = ranked.allocate("claim", "device-2")
    keeper = ranked.settled("keeper", "low", "claim")
    ranked.settled("low", "low", "claim", requests=ranked.most)

    high = ranked.pod("high", "high", "claim", requests=ranked.most)

    world.pods.scheduled("high")
    ranked.stays("keeper")
    expect.field(world.claims.reserved("claim", high), "status.allocation", before)
    world.claims.reserved("claim", keeper)


@pytest.mark.requirement("DRA-PMP-09")
@pytest.mark.parametrize("held", [False, True], ids=["to be allocated", "allocated already"])
def test_others_are_evicted_only_where_the_claim_can_be_used(
    world: World, flow: Any, ranked: Any, held: bool
) -> None:
    """The Pod of the lowest priority is on the wrong node: the one beside the device has to go."""
    far = ranked.another("far")
    flow.publish_on(ranked.node, "device-1")
    flow.claim()
    ranked.settled("low", "low", requests=ranked.most, place=ranked.on(far))
    holders = {False: (), True: ("claim",)}
    ranked.settled("middle", "middle", *holders[held], requests=ranked.most)

    ranked.pod("high", "high", "claim", requests=ranked.most, place=ranked.anywhere)

    world.pods.gone("middle")
    placed = world.pods.scheduled("high")
    expect.field(placed, "spec.nodeName", ranked.node)
    ranked.stays("low")


@pytest.mark.requirement("DRA-PMP-10")
@pytest.mark.variant(gates={"DRANodeAllocatableResources": True})
def test_what_devices_take_of_a_node_is_room_to_be_made(
    world: World, flow: Any, ranked: Any
) -> None:
    """The device of a Pod stands for most CPUs of the node: it is evicted for them."""
    ranked.publish_taking(ranked.most["cpu"])
    flow.claim()
    ranked.settled("low", "low", "claim")

    ranked.pod("high", "high", requests=ranked.most)

    world.pods.gone("low")
    world.pods.scheduled("high")

"""Devices of Pods with lower priority: nobody is evicted for them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World


@pytest.mark.requirement("DRA-PMP-01")
def test_nobody_is_evicted_for_a_device(world: World, flow: Any, ranked: Any) -> None:
    """The only device is held by a Pod of low priority: the other one waits until it is free."""
    flow.publish("device-1")
    flow.claim(claim="held")
    flow.claim(claim="wanted")
    ranked.settled("low", "low", "held")

    ranked.pod("high", "high", "wanted")

    world.pods.unschedulable("high")
    ranked.stays("low")
    expect.unset(world.claims.get("wanted"), "status.allocation")
    world.pods.delete("low", grace=0)
    world.pods.scheduled("high")


@pytest.mark.requirement("DRA-PMP-01")
@pytest.mark.variant(gates={"DRAExtendedResource": True})
def test_nobody_is_evicted_for_a_device_that_is_an_extended_resource(
    world: World, flow: Any, ranked: Any
) -> None:
    """Both Pods request the device as an extended resource of their containers."""
    resource = f"{world.driver}/device"
    values = {"resource": resource, "class": f"{world.name}-extended"}
    world.apply("extended_resources/class", **values)
    flow.publish("device-1")
    ranked.settled("low", "low", limits={resource: "1"})

    ranked.pod("high", "high", limits={resource: "1"})

    world.pods.unschedulable("high")
    ranked.stays("low")
    world.pods.delete("low", grace=0)
    world.pods.scheduled("high")


@pytest.mark.requirement("DRA-PMP-02")
def test_nobody_is_evicted_in_vain(world: World, flow: Any, ranked: Any) -> None:
    """The Pod needs CPU and the device of the other one: with the CPU alone it is not helped."""
    flow.publish("device-1")
    flow.claim(claim="held")
    flow.claim(claim="wanted")
    ranked.settled("low", "low", "held", requests=ranked.most)

    ranked.pod("high", "high", "wanted", requests=ranked.most)

    world.pods.unschedulable("high")
    ranked.stays("low")


@pytest.mark.requirement("DRA-PMP-03")
def test_who_waits_for_a_device_gets_it_by_priority(world: World, flow: Any, ranked: Any) -> None:
    """Three Pods wait for the device of a fourth: it goes to the one with the highest priority."""
    flow.publish("device-1")
    flow.claim(claim="held")
    ranked.settled("first", "low", "held")
    for rank in ("low", "high", "middle"):
        flow.claim(claim=f"for-{rank}")
        ranked.pod(rank, rank, f"for-{rank}")
        world.pods.unschedulable(rank)
    ranked.stays("first")

    world.pods.delete("first", grace=0)

    world.pods.scheduled("high")
    expect.unset(world.claims.get("for-low"), "status.allocation")
    expect.unset(world.claims.get("for-middle"), "status.allocation")

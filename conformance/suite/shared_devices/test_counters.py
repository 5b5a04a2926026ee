"""Which partitions fit beside those that are in use."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

RESULTS = "status.allocation.devices.results"


def counters(**values: str) -> dict[str, Any]:
    """Return counters with these values."""
    return {name: {"value": value} for name, value in values.items()}


def drawing(name: str, *sets: str, **values: str) -> dict[str, Any]:
    """Return a partition that draws these values from each counter set, by default ``gpu``."""
    draws = [{"counterSet": one, "counters": counters(**values)} for one in sets or ("gpu",)]
    return {"name": name, "consumesCounters": draws}


GPU = [{"name": "gpu", "counters": counters(memory="40Gi", cores="8")}]


def hold(flow: Any, *devices: str) -> None:
    """Let a Pod use a device, and wait until it has it."""
    flow.claim(claim="holder")
    flow.pod("holder", claim="holder")
    expect.same(flow.devices("holder"), list(devices), path=RESULTS)


@pytest.mark.requirement("DRA-SHD-17")
def test_counters_that_are_given_back_can_be_had_again(world: World, flow: Any) -> None:
    """The second Pod waits until the first one is gone."""
    devices = [drawing("one", memory="30Gi"), drawing("two", memory="30Gi")]
    world.apply("shared_devices/pool", counters=GPU, devices=devices)
    hold(flow, "one")
    flow.claim()
    flow.pod()
    world.pods.unschedulable("pod")

    world.pods.delete("holder", grace=0)

    world.pods.scheduled("pod", bound="claim-deallocated")


@pytest.mark.requirement("DRA-SHD-18")
def test_every_counter_of_a_set_counts(world: World, flow: Any) -> None:
    """Enough memory is left for the second partition, and too few cores are."""
    devices = [drawing("one", memory="10Gi", cores="6"), drawing("two", memory="10Gi", cores="4")]
    world.apply("shared_devices/pool", counters=GPU, devices=devices)
    hold(flow, "one")
    flow.claim()
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-SHD-19")
def test_every_counter_set_of_a_device_counts(world: World, flow: Any) -> None:
    """The second device draws from two sets, and in the second one too little is left."""
    sets = [{"name": name, "counters": counters(memory="40Gi")} for name in ("gpu", "link")]
    devices = [drawing("one", "link", memory="30Gi"), drawing("two", "gpu", "link", memory="20Gi")]
    world.apply("shared_devices/pool", counters=sets, devices=devices)
    hold(flow, "one")
    flow.claim()
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-SHD-20")
def test_counters_of_another_pool_are_others(world: World, flow: Any) -> None:
    """Both pools have a set of the same name; what is drawn from one is left in the other."""
    for number in ("1", "2"):
        devices = [drawing(f"device-{number}", memory="30Gi")]
        pool = f"{world.pool}-{number}"
        world.apply("shared_devices/pool", counters=GPU, devices=devices, pool=pool)
    hold(flow, "device-1")
    flow.claim()
    flow.pod()

    expect.same(flow.devices(), ["device-2"], path=RESULTS)


@pytest.mark.requirement("DRA-SHD-21")
def test_a_device_that_draws_nothing_is_given_beside_a_full_set(world: World, flow: Any) -> None:
    """All counters are in use, and the last device of the pool does not need them."""
    devices = [drawing("one", memory="40Gi"), drawing("two", memory="40Gi"), {"name": "free"}]
    world.apply("shared_devices/pool", counters=GPU, devices=devices)
    hold(flow, "one")
    flow.claim()
    flow.pod()

    expect.same(flow.devices(), ["free"], path=RESULTS)


@pytest.mark.requirement("DRA-SHD-22")
def test_a_device_is_given_on_the_node_that_it_names(world: World, flow: Any) -> None:
    """The devices of one slice are on a node each."""
    nodes = {name: world.own_node(name) for name in ("one", "two")}
    devices = [{**drawing(name, memory="10Gi"), "nodeName": on} for name, on in nodes.items()]
    world.apply("shared_devices/spread_pool", counters=GPU, devices=devices)
    flow.claim()
    flow.pod(place={"kubernetes.io/hostname": nodes["two"]})

    expect.same(flow.devices(), ["two"], path=RESULTS)


@pytest.mark.requirement("DRA-SHD-23")
def test_devices_of_different_nodes_draw_from_one_set(world: World, flow: Any) -> None:
    """What is in use on one node is not left for the other one."""
    nodes = {name: world.own_node(name) for name in ("one", "two")}
    devices = [{**drawing(name, memory="30Gi"), "nodeName": on} for name, on in nodes.items()]
    world.apply("shared_devices/spread_pool", counters=GPU, devices=devices)
    flow.claim(claim="holder")
    flow.pod("holder", claim="holder", place={"kubernetes.io/hostname": nodes["one"]})
    flow.devices("holder")
    flow.claim()
    flow.pod(place={"kubernetes.io/hostname": nodes["two"]})

    flow.refused()


@pytest.mark.requirement("DRA-SHD-24")
def test_an_allocation_names_the_node_that_its_device_names(world: World, flow: Any) -> None:
    """The slice is for no node as a whole; its device is on one."""
    node = world.own_node("one")
    devices = [{**drawing("one", memory="10Gi"), "nodeName": node}]
    world.apply("shared_devices/spread_pool", counters=GPU, devices=devices)
    flow.claim()
    flow.pod()

    claim = world.claims.allocated("claim")

    path = "status.allocation.nodeSelector.nodeSelectorTerms[0].matchFields[0].values"
    expect.field(claim, path, [node])


@pytest.mark.requirement("DRA-SHD-25")
def test_a_shared_device_draws_its_counters_once(world: World, flow: Any) -> None:
    """The device draws more than half of the counters, and two claims share it."""
    device = {**drawing("shared", memory="30Gi"), "allowMultipleAllocations": True}
    world.apply("shared_devices/pool", counters=GPU, devices=[device])
    hold(flow, "shared")
    flow.claim()
    flow.pod()

    expect.same(flow.devices(), ["shared"], path=RESULTS)

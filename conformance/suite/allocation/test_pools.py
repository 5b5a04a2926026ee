"""Pools that are replaced, incomplete, or contradict themselves."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

RESULTS = "status.allocation.devices.results"


@pytest.mark.requirement("DRA-ALC-12")
def test_devices_of_an_older_generation_are_not_given(flow: Any, pools: Any) -> None:
    """The slice that comes first by its name is of the generation before."""
    pools.publish("a", "gone")
    pools.publish("b", "there", generation=2)
    flow.claim()
    pools.pod()

    expect.same(flow.devices(), ["there"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-13")
def test_a_pool_that_lacks_slices_is_not_used(flow: Any, pools: Any) -> None:
    """The pool says that it has three slices, and one of them is there."""
    pools.publish("a", "device-1", count=3)
    flow.claim()
    pools.pod()

    flow.refused()


@pytest.mark.requirement("DRA-ALC-14")
def test_a_pool_is_used_once_its_last_slice_is_there(flow: Any, pools: Any) -> None:
    """The device of the slice that was there first is given when the second slice has come."""
    pools.publish("a", "device-1", count=2)
    flow.claim()
    pools.pod()
    flow.world.pods.unschedulable("pod")

    pools.publish("b", "device-2", count=2)

    expect.same(flow.devices(), ["device-1"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-15")
def test_a_pool_with_two_devices_of_one_name_is_not_used(flow: Any, pools: Any) -> None:
    """Both slices of the pool hold a device of the same name, one of them another one, too."""
    pools.publish("a", "twice", count=2)
    pools.publish("b", "twice", "once", count=2)
    flow.claim()
    pools.pod()

    flow.refused()


@pytest.mark.requirement("DRA-ALC-16")
@pytest.mark.parametrize(
    ("devices", "count"),
    [
        pytest.param(["device-1"], 2, id="a pool that lacks a slice"),
        pytest.param(["twice", "twice"], 2, id="a pool with a name that stands twice"),
    ],
)
def test_a_pool_beside_one_that_cannot_be_used_is_used(
    world: World, flow: Any, pools: Any, devices: list[str], count: int
) -> None:
    """The pool that comes first by its name can't be used; the next one can."""
    for number, name in enumerate(devices):
        pools.publish(f"broken-{number}", name, count=count, pool=f"{world.pool}-a")
    pools.publish("whole", "whole", pool=f"{world.pool}-b")
    flow.claim()
    pools.pod()

    expect.same(flow.devices(), ["whole"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-17")
def test_all_devices_are_not_given_while_a_pool_lacks_slices(
    world: World, flow: Any, pools: Any
) -> None:
    """Beside a whole pool there is one that lacks a slice: nobody knows what all devices are."""
    pools.publish("lacking", "device-1", count=2, pool=f"{world.pool}-a")
    pools.publish("whole", "whole", pool=f"{world.pool}-b")
    flow.claim(flow.exactly(allocationMode="All"))
    pools.pod()

    flow.refused()


@pytest.mark.requirement("DRA-ALC-18")
def test_slices_of_one_pool_serve_a_node_each(world: World, flow: Any, pools: Any) -> None:
    """The pool has a slice for each of two nodes; a claim on either gets the device of its node."""
    other = world.own_node("other")
    pools.publish("here", "here", count=2)
    pools.publish("there", "there", count=2, node=other)
    flow.claim()
    pools.pod(node=other)

    expect.same(flow.devices(), ["there"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-19")
def test_an_allocation_of_a_local_device_names_its_node(flow: Any, pools: Any) -> None:
    """What the claim got can be used on the node of the slice and nowhere else."""
    pools.publish("a", "device-1")
    flow.claim()
    pools.pod()

    claim = flow.world.claims.allocated("claim")

    wanted = {"key": "metadata.name", "operator": "In", "values": [pools.node]}
    terms = [{"matchFields": [wanted]}]
    expect.field(claim, "status.allocation.nodeSelector", {"nodeSelectorTerms": terms})


@pytest.mark.requirement("DRA-ALC-20")
def test_an_allocation_that_every_node_reaches_names_none(flow: Any) -> None:
    """The slice is for all nodes: its device binds the claim to no node."""
    flow.publish("device-1")
    flow.claim()
    flow.pod()

    expect.unset(flow.world.claims.allocated("claim"), "status.allocation.nodeSelector")


@pytest.mark.requirement("DRA-ALC-21")
def test_an_allocation_carries_the_labels_of_the_nodes_that_reach_it(
    world: World, flow: Any
) -> None:
    """The slice is for nodes with a label: so is what the claim got."""
    label = f"{world.driver}/reaches"
    node = world.own_node("labelled", {label: "yes"})
    world.apply("allocation/labelled_slice", label=label, devices=[{"name": "device-1"}])
    flow.claim()
    flow.pod(place={"kubernetes.io/hostname": node})

    claim = world.claims.allocated("claim")

    wanted = {"key": label, "operator": "In", "values": ["yes"]}
    terms = [{"matchExpressions": [wanted]}]
    expect.field(claim, "status.allocation.nodeSelector", {"nodeSelectorTerms": terms})


@pytest.mark.requirement("DRA-ALC-22")
def test_a_local_device_beside_one_of_the_network_ties_the_claim_to_its_node(
    world: World, flow: Any, pools: Any
) -> None:
    """One device is on the node, the other one can be reached from everywhere."""
    pools.publish("local", "local", pool=f"{world.pool}-local")
    flow.publish("remote")
    flow.claim(flow.exactly(count=2))
    pools.pod()

    claim = world.claims.allocated("claim")

    path = "status.allocation.nodeSelector.nodeSelectorTerms[0].matchFields[0].values"
    expect.field(claim, path, [pools.node])

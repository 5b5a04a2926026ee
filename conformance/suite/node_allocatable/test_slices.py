"""Which slices with nodeAllocatableResources the API server takes."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

with_gate = pytest.mark.variant(gates={"DRANodeAllocatableResources": True})
without_gate = pytest.mark.variant(gates={"DRANodeAllocatableResources": False})


def taking_of(resource: str) -> list[dict[str, Any]]:
    """Return a device that takes of a resource of its node."""
    amounts = {resource: {"mapping": {"deviceMultiplier": "1"}}}
    return [{"name": "device-1", "nodeAllocatableResources": amounts}]


@with_gate
@pytest.mark.requirement("DRA-NAR-05b")
@pytest.mark.parametrize("resource", ["d.example/device", "pods"])
def test_only_resources_of_nodes_are_taken(world: World, taking: Any, resource: str) -> None:
    """A device takes CPU, memory, hugepages or local storage, and nothing else."""
    taking.on_node()
    field = f"spec.devices[0].nodeAllocatableResources[{resource}]"

    with expect.refused(422, field):
        world.apply("workflow/local_slice", node=taking.node, devices=taking_of(resource))


@without_gate
@pytest.mark.requirement("DRA-NAR-13")
def test_the_field_is_dropped_without_the_gate(flow: Any, world: World) -> None:
    """With the gate off, a slice is stored without what its author wrote."""
    made = world.apply("workflow/slice", slice="slice", count=1, devices=taking_of("cpu"))

    stored = world.read(made.of("ResourceSlice"))

    expect.field(stored, "spec.devices[0].name", "device-1")
    expect.absent(stored, "spec.devices[0].nodeAllocatableResources")


@with_gate
@pytest.mark.requirement("DRA-NAR-17")
def test_a_node_must_declare_that_it_knows_the_feature(world: World) -> None:
    """A slice for a node that declares nothing is refused."""
    node = world.own_node("older")

    with expect.refused(403):
        world.apply("workflow/local_slice", node=node, devices=taking_of("cpu"))


@with_gate
@pytest.mark.requirement("DRA-NAR-17")
def test_a_node_must_be_there(world: World) -> None:
    """A slice for a node that does not exist is refused, since nobody knows what it can."""
    with expect.refused(403):
        world.apply("workflow/local_slice", node=f"{world.name}-missing", devices=taking_of("cpu"))

"""Pools of a node of the check's own, so that no other check meets what is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.world import World


class Pools:
    """Slices for one node, and Pods that go nowhere else."""

    def __init__(self, world: World, flow: Any) -> None:
        self.world = world
        self.flow = flow
        self.node = world.own_node("pools")

    def publish(self, slice_: str, *devices: str, **values: Any) -> Any:
        """Publish a slice of the world's pool with these devices."""
        usual = {"node": self.node, "generation": 1, "count": 1, "pool": self.world.pool}
        rows = [{"name": name} for name in devices]
        made = {**usual, **values, "slice": slice_, "devices": rows}
        return self.world.apply("allocation/slice", **made).of("ResourceSlice")

    def pod(self, pod: str = "pod", *, node: str = "") -> None:
        """Create a Pod that uses the claim on the node."""
        self.flow.pod(pod, place={"kubernetes.io/hostname": node or self.node})


@pytest.fixture
def pools(world: World, flow: Any) -> Pools:
    """Return the pools of a node that no other check uses."""
    return Pools(world, flow)

"""A search for devices that would take years: 32 are asked for on a node that has 31."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

#: As many as a claim can hold.
MOST = 32


class Node:
    """A node of the check's own, with a slice of devices and a Pod that asks for one more."""

    def __init__(self, world: World, flow: Any) -> None:
        self.place = {"kubernetes.io/hostname": world.own_node("searched")}
        values = {"slice": "slice", "generation": 1, "count": 1, "devices": devices(MOST - 1)}
        node = self.place["kubernetes.io/hostname"]
        found = world.apply("allocation/slice", node=node, pool=world.pool, **values)
        self.published = found.of("ResourceSlice")
        flow.claim(flow.exactly(count=MOST))
        flow.pod("pod", place=self.place)


@pytest.fixture
def searched(world: World, flow: Any) -> Node:
    """Return the node on which a Pod's devices are searched for."""
    return Node(world, flow)


def devices(count: int) -> list[dict[str, str]]:
    """Return so many devices."""
    return [{"name": f"device-{number}"} for number in range(count)]


def timed_out(world: World) -> None:
    """Wait until the Pod tells that the search for its devices timed out."""

    def look() -> bool:
        said = expect.condition(world.pods.get("pod"), "PodScheduled", "False").get("message", "")
        path = "status.conditions[PodScheduled].message"
        expect.that("timed out" in said, "that it timed out", path=path, observed=said)
        return True

    world.until("the search is given up", look, bound="search-abandoned")


@pytest.mark.requirement("DRA-ALC-34")
@pytest.mark.usefixtures("searched")
def test_a_search_that_takes_too_long_is_given_up(world: World) -> None:
    """The Pod waits, and its condition tells why; nothing is allocated."""
    timed_out(world)

    expect.unset(world.claims.get("claim"), "status.allocation")


@pytest.mark.requirement("DRA-ALC-35")
def test_a_search_is_begun_again(world: World, searched: Node) -> None:
    """Another device appears, and the Pod gets all of them."""
    world.pods.unschedulable("pod", bound="search-abandoned")

    change = {"op": "replace", "path": "/spec/devices", "value": devices(MOST)}
    world.patch(searched.published, [change])

    world.pods.scheduled("pod", bound="search-abandoned")


@pytest.mark.requirement("DRA-ALC-36")
def test_a_search_that_was_given_up_takes_nothing(world: World, flow: Any, searched: Node) -> None:
    """Another Pod asks for one of the devices, and gets it."""
    world.pods.unschedulable("pod", bound="search-abandoned")
    flow.claim(claim="small")

    flow.pod("other", claim="small", place=searched.place)

    world.pods.scheduled("other", bound="search-abandoned")

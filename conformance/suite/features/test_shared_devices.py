"""Devices that overlap, and devices that several claims share."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World


def partition(name: str, memory: str) -> dict[str, Any]:
    """Return a partition that draws so much memory from the physical device."""
    draw = {"counterSet": "gpu", "counters": {"memory": {"value": memory}}}
    return {"name": name, "consumesCounters": [draw]}


@pytest.mark.requirement("DRA-FEA-03")
def test_partitions_never_exceed_the_physical_device(world: World, flow: Any) -> None:
    """Of 40Gi two partitions of 20Gi can be had; the third, of 10Gi, can not."""
    sizes = {"one": "20Gi", "two": "20Gi", "three": "10Gi"}
    world.apply("features/counters", devices=[partition(*row) for row in sizes.items()])
    for name in sizes:
        flow.claim(claim=name)
    flow.pod("first", claim="one")
    flow.pod("second", claim="two")
    given = sorted([*flow.devices("one"), *flow.devices("two")])

    flow.pod("third", claim="three")

    expect.same(given, ["one", "two"], path="status.allocation.devices.results")
    world.pods.unschedulable("third")
    world.claims.stays_unallocated("three")


@pytest.mark.requirement("DRA-FEA-03")
def test_a_partition_that_fits_beside_others_is_taken(world: World, flow: Any) -> None:
    """With 30Gi in use the partition of 20Gi is passed over for the one of 10Gi."""
    sizes = {"most": "30Gi", "half": "20Gi", "rest": "10Gi"}
    world.apply("features/counters", devices=[partition(*row) for row in sizes.items()])
    flow.claim()
    flow.pod()
    first = flow.devices()

    flow.claim(claim="second")
    flow.pod("second", claim="second")

    expect.same(first, ["most"], path="status.allocation.devices.results")
    expect.same(flow.devices("second"), ["rest"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-FEA-04")
def test_claims_share_a_device_up_to_its_capacity(world: World, flow: Any) -> None:
    """Of 10Gi two claims get 4Gi each; the third stays without."""
    capacity = {"memory": {"value": "10Gi"}}
    flow.publish({"name": "shared", "allowMultipleAllocations": True, "capacity": capacity})
    part = flow.exactly(capacity={"requests": {"memory": "4Gi"}})
    for name in ("one", "two", "three"):
        flow.claim(part, claim=name)
    flow.pod("first", claim="one")
    flow.pod("second", claim="two")
    given = [*flow.devices("one"), *flow.devices("two")]

    flow.pod("third", claim="three")

    expect.same(given, ["shared", "shared"], path="status.allocation.devices.results")
    world.pods.unschedulable("third")
    world.claims.stays_unallocated("three")


@pytest.mark.requirement("DRA-FEA-04")
def test_each_share_says_what_it_is(world: World, flow: Any) -> None:
    """The result of a share carries its id and what it consumes; no two ids are the same."""
    capacity = {"memory": {"value": "10Gi"}}
    flow.publish({"name": "shared", "allowMultipleAllocations": True, "capacity": capacity})
    part = flow.exactly(capacity={"requests": {"memory": "4Gi"}})
    for name in ("one", "two"):
        flow.claim(part, claim=name)
        flow.pod(name, claim=name)

    claims = [world.claims.allocated(name) for name in ("one", "two")]

    results = [claim["status"]["allocation"]["devices"]["results"][0] for claim in claims]
    consumed = [one.get("consumedCapacity") for one in results]
    expect.same(consumed, [{"memory": "4Gi"}] * 2, path="results[0].consumedCapacity")
    shares = {expect.present(one, "shareID") for one in results}
    expect.same(len(shares), 2, path="different values of results[0].shareID")

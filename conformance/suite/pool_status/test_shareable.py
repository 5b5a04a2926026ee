"""The shareable summary: how much of the devices that several claims share is left."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.observe import pools
from conformance.harness.world import World

pytestmark = pytest.mark.variant(gates={"DRAResourcePoolStatus": True})

#: One claim uses 4Gi of one of two devices with 10Gi each.
USED = {"name": "memory", "total": "20Gi", "consumed": "4Gi", "available": "16Gi"}

#: Keeps the claim allocated: the controller that takes allocations back knows no such kind.
CONSUMER = {
    "apiGroup": "conformance.test",
    "resource": "others",
    "name": "other",
    "uid": "00000000-0000-4000-8000-000000000000",
}


def consume(world: World) -> None:
    """Allocate a part of the first device to the claim, in the place of the scheduler."""
    result = {
        "request": "device",
        "driver": world.driver,
        "pool": world.pool,
        "device": "shared-1",
        "shareID": "5f0f8a2c-3d52-4b8e-9d0e-0c6a4f5f7b11",
        "consumedCapacity": {"memory": "4Gi"},
    }
    allocation = {"devices": {"results": [result]}}
    world.claims.write_status("claim", allocation=allocation, reservedFor=[CONSUMER])


@pytest.mark.requirement("DRA-PST-20a")
def test_devices_are_counted_by_what_is_left_of_them(world: World) -> None:
    """One of two devices is used in part: one is fully available, one partially."""
    world.apply("pool_status/shareable")
    consume(world)

    pool = pools.of(pools.answer(world), world.pool)

    expect.field(pool, "shareableSummary.fullyAvailableDevices", 1)
    expect.field(pool, "shareableSummary.partiallyAvailableDevices", 1)


@pytest.mark.requirement("DRA-PST-20b")
def test_capacity_is_summed_over_the_pool(world: World) -> None:
    """Total, consumed and available amounts are those of all devices together."""
    world.apply("pool_status/shareable")
    consume(world)

    pool = pools.of(pools.answer(world), world.pool)

    expect.field(pool, "shareableSummary.capacity", [USED])


@pytest.mark.requirement("DRA-PST-20b")
def test_available_capacity_is_never_negative(world: World) -> None:
    """A pool that shrank below what is consumed has nothing available, not less."""
    published = world.apply("pool_status/shareable").of("ResourceSlice")
    consume(world)
    shrunk = [
        {"op": "replace", "path": f"/spec/devices/{device}/capacity/memory/value", "value": "1Gi"}
        for device in (0, 1)
    ]

    world.patch(published, shrunk)
    pool = pools.of(pools.answer(world), world.pool)

    expect.field(pool, "shareableSummary.capacity[0].consumed", "4Gi")
    expect.field(pool, "shareableSummary.capacity[0].available", "0")


@pytest.mark.requirement("DRA-PST-21a")
def test_a_pool_without_shareable_devices_has_no_summary(world: World) -> None:
    """A pool whose devices go to one claim each is reported without the summary."""
    world.apply("pool_status/one_pool")

    pool = pools.of(pools.answer(world), world.pool)

    expect.field(pool, "totalDevices", 2)
    expect.absent(pool, "shareableSummary")


@pytest.mark.requirement("DRA-PST-21b")
@pytest.mark.variant(gates={"DRAPartitionableDevicesType": False})
def test_the_summary_does_not_need_the_partition_gate(world: World) -> None:
    """With DRAPartitionableDevicesType off the shareable summary is there all the same."""
    world.apply("pool_status/shareable")
    consume(world)

    pool = pools.of(pools.answer(world), world.pool)

    expect.present(pool, "shareableSummary")

"""A driver that names the types of its partitions: each has one, and each type has one cost."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.observe import partitions
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World

pytestmark = [
    pytest.mark.variant(gates={"DRAResourcePoolStatus": True, "DRAPartitionableDevicesType": True}),
    pytest.mark.driver(publishes="partitions"),
]


@pytest.mark.requirement("DRA-PST-23")
def test_every_partition_of_the_pool_has_a_type(world: World, driver: Driver) -> None:
    """In a pool with types, each device that draws from counters has a string to name its own."""
    found = partitions.of(Life(world, driver).inventory())

    untyped = partitions.untyped(found)

    expect.same(untyped, [], path="spec.devices[]", hint="partitionTypeAttribute and its string")


@pytest.mark.requirement("DRA-PST-18")
def test_partitions_of_one_type_draw_the_same(world: World, driver: Driver) -> None:
    """Devices with one type draw the same amounts from the same counters."""
    found = partitions.of(Life(world, driver).inventory())

    uneven = partitions.uneven(found)

    expect.same(uneven, [], path="spec.devices[].consumesCounters", hint="one cost per type")

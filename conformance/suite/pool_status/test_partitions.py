"""The partition summary: how many of each partition type still fit."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.observe import pools
from conformance.harness.world import World

pytestmark = pytest.mark.variant(
    gates={"DRAResourcePoolStatus": True, "DRAPartitionableDevicesType": True}
)

#: The attributes of the device that takes the whole counter.
FULL = {"profile": {"string": "Full"}, "other": {"string": "Same"}}


def row(attribute: str, kind: str, total: int, allocatable: int) -> dict[str, Any]:
    """Return one row of a partition summary."""
    return {"attribute": attribute, "type": kind, "total": total, "allocatable": allocatable}


@pytest.mark.requirement("DRA-PST-14")
def test_a_free_pool_reports_every_partition_as_allocatable(world: World) -> None:
    """With the counters untouched, each type fits as often as it is published."""
    profile = f"{world.driver}/profile"
    world.apply("pool_status/partitions", attribute=profile, full=FULL)

    pool = pools.of(pools.answer(world), world.pool)

    expected = [row(profile, "Full", 1, 1), row(profile, "Half", 2, 2)]
    expect.field(pool, "partitionSummary", expected)


@pytest.mark.requirement("DRA-PST-14")
def test_a_used_partition_takes_room_from_the_others(world: World) -> None:
    """With one half in use, one half still fits and the full device does not."""
    profile = f"{world.driver}/profile"
    world.apply("pool_status/partitions", attribute=profile, full=FULL)
    world.apply("pool_status/half_user")
    world.pods.scheduled("pod")

    pool = pools.of(pools.answer(world), world.pool)

    expected = [row(profile, "Full", 1, 0), row(profile, "Half", 2, 1)]
    expect.field(pool, "partitionSummary", expected)


@pytest.mark.requirement("DRA-PST-15")
def test_the_slices_attribute_wins_over_the_requests(world: World) -> None:
    """Slice and request name different attributes: partitions are grouped by the slice's."""
    profile = f"{world.driver}/profile"
    world.apply("pool_status/partitions", attribute=profile, full=FULL)

    status = pools.answer(world, defaultPartitionTypeAttribute=f"{world.driver}/other")

    summary = expect.present(pools.of(status, world.pool), "partitionSummary")
    grouped = [(one["attribute"], one["type"]) for one in summary]
    expect.same(grouped, [(profile, "Full"), (profile, "Half")], path="partitionSummary")


@pytest.mark.requirement("DRA-PST-15")
def test_the_requests_attribute_counts_where_the_slice_names_none(world: World) -> None:
    """The slice names no attribute: partitions are grouped by the request's."""
    profile = f"{world.driver}/profile"
    world.apply("pool_status/partitions", attribute=None, full=FULL)

    status = pools.answer(world, defaultPartitionTypeAttribute=profile)

    summary = expect.present(pools.of(status, world.pool), "partitionSummary")
    grouped = [(one["attribute"], one["type"]) for one in summary]
    expect.same(grouped, [(profile, "Full"), (profile, "Half")], path="partitionSummary")


@pytest.mark.requirement("DRA-PST-16")
@pytest.mark.parametrize(
    "full",
    [
        pytest.param({"other": {"string": "Same"}}, id="a device without the attribute"),
        pytest.param({"profile": {"int": 1}}, id="an integer"),
        pytest.param({"profile": {"bool": True}}, id="a boolean"),
        pytest.param({"profile": {"version": "1.0.0"}}, id="a version"),
        pytest.param(
            {"profile": {"strings": ["Full"]}},
            id="a list of strings",
            marks=pytest.mark.variant(gates={"DRAListTypeAttributes": True}),
        ),
    ],
)
def test_a_partition_without_a_type_is_an_error(world: World, full: dict[str, Any]) -> None:
    """One device without a string there gives an error in the place of a summary.

    The request names the attribute: where the slice does, it is refused when it is written.
    """
    world.apply("pool_status/partitions", attribute=None, full=full)

    status = pools.answer(world, defaultPartitionTypeAttribute=f"{world.driver}/profile")

    expect.present(pools.of(status, world.pool), "validationError")
    expect.absent(pools.of(status, world.pool), "partitionSummary")


@pytest.mark.requirement("DRA-PST-17")
def test_no_attribute_means_no_summary_and_no_error(world: World) -> None:
    """Neither slice nor request names an attribute: the pool is counted, nothing more."""
    world.apply("pool_status/partitions", attribute=None, full=FULL)

    pool = pools.of(pools.answer(world), world.pool)

    expect.absent(pool, "partitionSummary")
    expect.absent(pool, "validationError")
    expect.field(pool, "totalDevices", 3)


@pytest.mark.requirement("DRA-PST-24")
@pytest.mark.variant(gates={"DRAPartitionableDevicesType": False})
def test_no_summary_without_the_gate(world: World) -> None:
    """With the gate off, there is no summary, and the numbers are as before."""
    world.apply("pool_status/partitions", attribute=f"{world.driver}/profile", full=FULL)

    pool = pools.of(pools.answer(world), world.pool)

    expect.absent(pool, "partitionSummary")
    expect.field(pool, "totalDevices", 3)
    expect.field(pool, "availableDevices", 3)

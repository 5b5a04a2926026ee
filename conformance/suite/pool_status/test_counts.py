"""The numbers of a pool: which pools, which devices, and what is left."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.observe import pools
from conformance.harness.world import World
from conformance.kube.objects import Object

pytestmark = pytest.mark.variant(gates={"DRAResourcePoolStatus": True})

COUNTS = ("totalDevices", "allocatedDevices", "availableDevices", "unavailableDevices")


def counts(pool: Object) -> dict[str, Any]:
    """Return the four numbers of devices of a pool."""
    return {name: pool.get(name) for name in COUNTS}


@pytest.mark.requirement("DRA-PST-02")
@pytest.mark.parametrize(
    ("spec", "count", "listed"),
    [
        pytest.param({}, 3, 3, id="no filter and no limit"),
        pytest.param({"limit": 3}, 3, 3, id="a limit that is just enough"),
        pytest.param({"limit": 2}, 3, 2, id="a limit that truncates"),
        pytest.param({"limit": 1}, 3, 1, id="a limit of one"),
    ],
)
def test_pool_count_does_not_depend_on_the_limit(
    world: World, spec: dict[str, Any], count: int, listed: int
) -> None:
    """Every matching pool counts in poolCount; the limit shortens the list alone."""
    world.apply("pool_status/three_pools", node=world.node)

    status = pools.answer(world, **spec)

    expect.field(status, "poolCount", count)
    expect.same(len(status.get("pools") or []), listed, path="status.pools")


@pytest.mark.requirement("DRA-PST-02")
@pytest.mark.parametrize(
    ("suffix", "count"),
    [pytest.param("-b", 1, id="one pool"), pytest.param("-none", 0, id="no pool")],
)
def test_pool_count_counts_what_the_name_matches(world: World, suffix: str, count: int) -> None:
    """With poolName, poolCount is the number of pools of that name."""
    world.apply("pool_status/three_pools", node=world.node)

    status = pools.answer(world, poolName=f"{world.pool}{suffix}", limit=10)

    expect.field(status, "poolCount", count)
    expect.same(len(status.get("pools") or []), count, path="status.pools")


@pytest.mark.requirement("DRA-PST-03")
def test_a_pool_is_described_at_its_newest_generation(world: World) -> None:
    """Driver, name, generation, slices and devices are those of the newest generation."""
    world.apply("pool_status/busy_pool")
    world.pods.scheduled("pod")

    pool = pools.of(pools.answer(world), world.pool)

    expect.field(pool, "driver", world.driver)
    expect.field(pool, "poolName", world.pool)
    expect.field(pool, "generation", 3)
    expect.field(pool, "resourceSliceCount", 2)
    expect.field(pool, "totalDevices", 4)
    expect.field(pool, "allocatedDevices", 1)
    missing = [name for name in COUNTS if name not in pool]
    expect.same(missing, [], path="counts that are missing")


@pytest.mark.requirement("DRA-PST-03")
def test_a_pool_of_one_node_names_the_node(world: World) -> None:
    """A nodeName stands at the pool that belongs to a node, and at no other."""
    node = world.node
    world.apply("pool_status/three_pools", node=node)

    status = pools.answer(world)

    expect.field(pools.of(status, f"{world.pool}-b"), "nodeName", node)
    expect.absent(pools.of(status, f"{world.pool}-a"), "nodeName")


@pytest.mark.requirement("DRA-PST-04")
def test_available_is_what_is_neither_allocated_nor_unavailable(world: World) -> None:
    """Of four devices one is allocated and one is tainted: two are available."""
    world.apply("pool_status/busy_pool")
    world.pods.scheduled("pod")

    pool = pools.of(pools.answer(world), world.pool)

    expect.same(counts(pool), dict(zip(COUNTS, (4, 1, 2, 1), strict=True)), path="status.pools[0]")


@pytest.mark.requirement("DRA-PST-04")
def test_all_devices_of_an_unused_pool_are_available(world: World) -> None:
    """Of two free devices both are available."""
    world.apply("pool_status/one_pool")

    pool = pools.of(pools.answer(world), world.pool)

    expect.same(counts(pool), dict(zip(COUNTS, (2, 0, 2, 0), strict=True)), path="status.pools[0]")


@pytest.mark.requirement("DRA-PST-05")
@pytest.mark.parametrize("effect", ["NoSchedule", "NoExecute"])
def test_a_tainted_device_is_unavailable(world: World, effect: str) -> None:
    """A device with a taint that keeps Pods away counts as unavailable."""
    world.apply("pool_status/tainted_pool", effect=effect)

    pool = pools.of(pools.answer(world), world.pool)

    expect.field(pool, "unavailableDevices", 1)
    expect.field(pool, "totalDevices", 2)


@pytest.mark.requirement("DRA-PST-06")
def test_an_incomplete_pool_is_never_counted(world: World) -> None:
    """While a slice of the pool is missing, no numbers are given without validationError."""
    world.apply("pool_status/half_pool")

    request = pools.ask(world)

    world.stays(
        "the incomplete pool is not counted",
        lambda: not_counted(world.read(request)),
        for_="pool-status-processed",
    )


@pytest.mark.requirement("DRA-PST-07a")
def test_a_processed_request_is_complete(world: World) -> None:
    """The condition Complete is True, and Failed is not."""
    world.apply("pool_status/one_pool")

    status = pools.answer(world)

    expect.condition({"status": status}, "Complete", "True")
    failed = [one["type"] for one in status["conditions"] if one["type"] == "Failed"]
    expect.same(failed, [], path="status.conditions")


def not_counted(request: Object) -> bool:
    """Tell whether every pool without validationError is left out of the status."""
    listed: list[Object] = (request.get("status") or {}).get("pools") or []
    return all(pool.get("validationError") and "totalDevices" not in pool for pool in listed)

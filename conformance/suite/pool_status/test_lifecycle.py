"""A request is answered once and removed one hour later."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.observe import pools
from conformance.harness.world import World

pytestmark = pytest.mark.variant(gates={"DRAResourcePoolStatus": True})


@pytest.mark.requirement("DRA-PST-08")
def test_a_status_does_not_follow_later_changes(world: World) -> None:
    """A new pool changes nothing in the answer that was given before it was published."""
    world.apply("pool_status/one_pool")
    request = pools.ask(world)
    before = pools.processed(world, request)

    world.apply("pool_status/another_pool")

    world.stays(
        "the answer is the same", lambda: expect.field(world.read(request), "status", before)
    )
    expect.field(pools.answer(world, "later"), "poolCount", 2)


@pytest.mark.requirement("DRA-PST-11")
def test_a_completed_request_is_removed_after_an_hour(world: World) -> None:
    """A completed request is readable for an hour, and gone soon after."""
    world.apply("pool_status/one_pool")
    request = pools.ask(world)
    pools.processed(world, request)

    world.stays("the request is there", lambda: world.read(request), for_="pool-status-kept")

    world.until(
        "the request is removed", lambda: pools.gone(world, request), bound="pool-status-removed"
    )

"""A failure condition ends the wait: the allocation goes and the Pod starts over."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.world import World

READY = "conformance.test/ready"
FAILED = "conformance.test/failed"
BROKEN = "conformance.test/broken"


@pytest.mark.requirement("DRA-BND-02")
@pytest.mark.parametrize("failure", [FAILED, BROKEN])
def test_any_failure_condition_clears_the_allocation(world: World, failure: str) -> None:
    """Any failure condition that is True aborts binding and clears the allocation."""
    objects = world.apply(
        "binding_conditions/one_device", conditions=[READY], failures=[FAILED, BROKEN]
    )
    world.claims.allocated("claim")
    world.withdraw(objects.of("ResourceSlice"))

    world.claims.condition("claim", failure, "True")

    world.claims.deallocated("claim")
    expect.absent(world.pods.get("pod"), "spec.nodeName")


@pytest.mark.requirement("DRA-BND-02")
def test_the_pod_is_rescheduled_after_a_failure(world: World) -> None:
    """After the failure the Pod is placed again, with a device that works."""
    objects = world.apply("binding_conditions/one_device", conditions=[READY], failures=[FAILED])
    world.claims.allocated("claim")
    world.withdraw(objects.of("ResourceSlice"))
    world.claims.condition("claim", FAILED, "True")
    world.claims.deallocated("claim")

    world.apply("binding_conditions/spare_device")

    world.pods.scheduled("pod")
    expect.field(world.claims.get("claim"), "status.allocation.devices.results[0].device", "spare")


@pytest.mark.requirement("DRA-BND-02")
def test_a_failure_outweighs_success(world: World) -> None:
    """A device that reports both ready and failed at once is not bound."""
    objects = world.apply("binding_conditions/one_device", conditions=[READY], failures=[FAILED])
    world.claims.allocated("claim")
    world.withdraw(objects.of("ResourceSlice"))

    world.claims.conditions("claim", {READY: "True", FAILED: "True"})

    world.claims.deallocated("claim")
    expect.absent(world.pods.get("pod"), "spec.nodeName")

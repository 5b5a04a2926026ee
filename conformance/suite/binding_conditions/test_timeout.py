"""The wait for binding conditions is bounded, by 600 s or by what is configured."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.target import DEFAULT_BINDING_TIMEOUT
from conformance.harness.world import World

READY = "conformance.test/ready"
FAILED = "conformance.test/failed"


@pytest.mark.requirement("DRA-BND-03a")
@pytest.mark.needs(DEFAULT_BINDING_TIMEOUT)
def test_the_default_wait_ends_after_600_seconds(world: World) -> None:
    """The allocation is kept for 600 s without a condition, and no longer."""
    objects = world.apply("binding_conditions/one_device", conditions=[READY], failures=[FAILED])
    world.claims.allocated("claim")
    world.withdraw(objects.of("ResourceSlice"))

    world.claims.stays_allocated("claim", for_="binding-wait-default")

    world.claims.deallocated("claim", bound="binding-timeout-slack")


@pytest.mark.requirement("DRA-BND-03b")
def test_the_pod_is_rescheduled_at_the_timeout(world: World) -> None:
    """At the timeout the allocation is cleared and the Pod is placed again."""
    objects = world.apply("binding_conditions/one_device", conditions=[READY], failures=[FAILED])
    world.claims.allocated("claim")
    world.withdraw(objects.of("ResourceSlice"))
    world.claims.deallocated("claim", bound="binding-timeout-default")
    expect.absent(world.pods.get("pod"), "spec.nodeName")

    world.apply("binding_conditions/spare_device")

    world.pods.scheduled("pod")
    expect.field(world.claims.get("claim"), "status.allocation.devices.results[0].device", "spare")


@pytest.mark.requirement("DRA-BND-04")
@pytest.mark.variant(binding_timeout=60)
def test_the_wait_is_as_long_as_configured(world: World) -> None:
    """With bindingTimeout 60s the allocation is kept for 60 s, and no longer."""
    objects = world.apply("binding_conditions/one_device", conditions=[READY], failures=[FAILED])
    world.claims.allocated("claim")
    world.withdraw(objects.of("ResourceSlice"))

    world.claims.stays_allocated("claim", for_="binding-wait-configured")

    world.claims.deallocated("claim", bound="binding-timeout-slack")

"""Binding waits until every condition of every allocated device is True."""

from __future__ import annotations

import pytest

from conformance.harness.world import World

READY = "conformance.test/ready"
FAILED = "conformance.test/failed"


@pytest.mark.requirement("DRA-BND-01", "DRA-FEA-06")
@pytest.mark.parametrize(
    "condition",
    [
        pytest.param(READY, id="a condition with a domain"),
        pytest.param("DeviceAttached", id="a condition without a domain"),
    ],
)
def test_binding_is_delayed_until_the_condition_is_true(world: World, condition: str) -> None:
    """The Pod stays unbound while the condition is missing, and is bound once it is True."""
    world.apply("binding_conditions/one_device", conditions=[condition], failures=[FAILED])

    world.claims.allocated("claim")
    world.pods.stays_unscheduled("pod")
    world.claims.condition("claim", condition, "True")

    world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-BND-10")
@pytest.mark.parametrize("status", ["False", "Unknown"])
def test_a_condition_that_is_not_true_keeps_the_pod_waiting(world: World, status: str) -> None:
    """One True condition is not enough while the other one is False or Unknown."""
    second = "conformance.test/second"
    world.apply("binding_conditions/one_device", conditions=[READY, second], failures=[FAILED])

    world.claims.allocated("claim")
    world.claims.condition("claim", READY, "True")
    world.claims.condition("claim", second, status)
    world.pods.stays_unscheduled("pod")
    world.claims.condition("claim", second, "True")

    world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-BND-10")
def test_a_missing_condition_keeps_the_pod_waiting(world: World) -> None:
    """One True condition is not enough while the other one is missing."""
    second = "conformance.test/second"
    world.apply("binding_conditions/one_device", conditions=[READY, second], failures=[FAILED])

    world.claims.allocated("claim")
    world.claims.condition("claim", second, "True")
    world.pods.stays_unscheduled("pod")
    world.claims.condition("claim", READY, "True")

    world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-BND-10")
@pytest.mark.parametrize(
    ("early", "late"),
    [
        pytest.param("device-1", "device-2", id="the second device is late"),
        pytest.param("device-2", "device-1", id="the first device is late"),
    ],
)
def test_every_allocated_device_must_be_ready(world: World, early: str, late: str) -> None:
    """One ready device is not enough while the other one has not reported."""
    world.apply("binding_conditions/two_devices")

    world.claims.allocated("claim")
    world.claims.condition("claim", READY, "True", device=early)
    world.pods.stays_unscheduled("pod")
    world.claims.condition("claim", READY, "True", device=late)

    world.pods.scheduled("pod")

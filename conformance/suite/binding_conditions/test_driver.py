"""A driver whose devices have binding conditions: what it publishes, and how it reports them."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.observe import binding
from conformance.harness.subject.life import Life, Use
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World

pytestmark = pytest.mark.driver(publishes="binding-conditions")

USE = Use()


@pytest.mark.requirement("DRA-BND-12")
def test_a_device_has_conditions_and_failure_conditions(world: World, driver: Driver) -> None:
    """Whoever publishes one of the three fields publishes both lists of conditions."""
    devices = binding.using(Life(world, driver).inventory())

    lacking = binding.incomplete(devices)

    expect.same(lacking, [], path="spec.devices[]", hint=" and ".join(binding.FIELDS[:2]))


@pytest.mark.requirement("DRA-BND-07")
def test_each_condition_is_reported_whole(world: World, driver: Driver) -> None:
    """The conditions appear in the claim, with type, status, reason, message and time."""
    conditions = binding.reported(Life(world, driver), USE)

    binding.whole(conditions)


@pytest.mark.requirement("DRA-BND-07")
def test_the_transition_time_moves_with_the_status_alone(world: World, driver: Driver) -> None:
    """A lastTransitionTime is another when the status is another, and the same as long as not."""
    binding.followed(Life(world, driver), USE)

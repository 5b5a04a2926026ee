"""The driver that is judged, and what it publishes."""

from __future__ import annotations

import pytest

from conformance.harness.subject.inventory import Inventory
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World


@pytest.fixture
def published(world: World, driver: Driver) -> Inventory:
    """Return the slices of the driver once there are devices in them."""
    return Life(world, driver).inventory()

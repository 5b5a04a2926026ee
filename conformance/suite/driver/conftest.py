"""The driver that is judged, and a claim's life with it."""

from __future__ import annotations

import pytest

from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World


@pytest.fixture
def life(world: World, driver: Driver) -> Life:
    """Return what a check does with the driver, step by step."""
    return Life(world, driver)

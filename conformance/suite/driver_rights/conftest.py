"""The driver on the bench."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conformance.harness.bench.bench import Bench, opened
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World


@pytest.fixture
def bench(world: World, driver: Driver) -> Iterator[Bench]:
    """Yield the bench; what is with the driver at the end is taken back."""
    with opened(world, driver) as made:
        yield made

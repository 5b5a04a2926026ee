"""The driver on the bench, and the specs of a claim that it has prepared."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conformance.harness.bench import cdi
from conformance.harness.bench.bench import Bench, opened
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World


@pytest.fixture
def bench(world: World, driver: Driver) -> Iterator[Bench]:
    """Yield the bench; what is with the driver at the end is taken back."""
    with opened(world, driver) as made:
        yield made


@pytest.fixture
def specs(bench: Bench) -> list[cdi.Spec]:
    """Return the specs that describe the devices of a prepared claim."""
    answer = bench.prepared(bench.simple())
    return cdi.standing(bench.folder.read(), answer)

"""Garbage is looked for seldom in a run."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from conformance.plugin import memory


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


def test_what_was_loaded_is_not_looked_through_again() -> None:
    gc.set_threshold(700, 10, 10)

    memory.pytest_collection_finish()

    assert gc.get_freeze_count() > 10_000
    assert gc.get_count()[0] < 700 < gc.get_threshold()[0]


def test_a_cycle_is_garbage_all_the_same() -> None:
    memory.pytest_collection_finish()
    cycle: list[object] = []
    cycle.append(cycle)
    del cycle

    assert gc.collect() >= 1

"""The slices over time: put back, left alone, and the same after a restart."""

from __future__ import annotations

import pytest

from conformance.harness.bench import publication
from conformance.harness.bench.bench import opened
from conformance.harness.subject.life import Life
from conformance.harness.target import NODE_ACCESS


@pytest.mark.requirement("DRA-PUB-04")
def test_a_deleted_slice_is_published_again(life: Life) -> None:
    """What somebody deletes behind the driver's back is there again, and complete."""
    life.driver.must_be_ours("deletes a slice of the driver")
    before = publication.at_rest(life)

    with publication.one_removed(life, before):
        life.steps.in_its_time(
            "the deleted slice is published again",
            lambda: publication.same_content(life.world, life.driver, before),
            bound="slice-published",
        )


@pytest.mark.requirement("DRA-PUB-05")
def test_nothing_is_written_while_nothing_changes(life: Life) -> None:
    """Slices that are right are left alone."""
    before = publication.at_rest(life)

    life.world.stays(
        "the driver leaves its slices alone",
        lambda: publication.untouched(life.world, life.driver, before),
        for_="slices-quiet",
    )


@pytest.mark.requirement("DRA-PUB-06")
def test_names_stand_for_the_same_devices_after_a_restart(life: Life) -> None:
    """The driver that was started again publishes what it did before."""
    before = publication.settled(life)

    publication.restart(life)

    life.world.stays(
        "each device is what it was",
        lambda: publication.same_content(life.world, life.driver, before),
        for_="slices-settled",
    )


@pytest.mark.requirement("DRA-PUB-13")
@pytest.mark.needs(NODE_ACCESS)
def test_an_allocated_device_stays_published(life: Life) -> None:
    """A device in use is still what it was, for whoever reads the slices."""
    before = publication.settled(life)

    with opened(life.world, life.driver) as bench:
        bench.prepared(bench.simple())
        life.world.stays(
            "each device is what it was",
            lambda: publication.same_content(life.world, life.driver, before),
            for_="slices-settled",
        )

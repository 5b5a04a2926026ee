"""A driver that is killed in the middle of its work, or finds its state damaged or lost."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import crash
from conformance.harness.bench.bench import Bench
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)

UNPREPARED = "NodeUnprepareResourcesResponse.claims[].error"


@pytest.mark.requirement("DRA-DST-18")
def test_a_preparation_that_was_cut_short_is_repeated(bench: Bench) -> None:
    """Wherever the driver is killed, the next process prepares the claim and undoes it."""
    troubles = crash.while_preparing(bench, bench.devices(1)[0])

    expect.same(troubles, [], path="claims whose preparation was cut short")


@pytest.mark.requirement("DRA-DST-19")
def test_an_undoing_that_was_cut_short_is_repeated(bench: Bench) -> None:
    """Wherever the driver is killed, the next process undoes the claim."""
    troubles = crash.while_undoing(bench, bench.devices(1)[0])

    expect.same(troubles, [], path="claims whose undoing was cut short")


@pytest.mark.requirement("DRA-DST-20")
def test_damaged_state_is_not_overlooked(bench: Bench) -> None:
    """A driver that can't read what it has kept ends, or undoes its claims all the same."""
    before = bench.settled()
    claim = bench.simple()
    prepared = bench.prepared(claim)

    with crash.kept(bench):
        left = crash.left_after_damage(bench, claim, (before, prepared))

    expect.same(left, [], path="what a driver that goes on leaves of a claim")


@pytest.mark.requirement("DRA-DST-21")
def test_a_claim_is_undone_without_its_state(bench: Bench) -> None:
    """What lies on the node for a claim is removed, also where nothing is known of the claim."""
    before = bench.settled()
    claim = bench.simple()
    prepared = bench.prepared(claim)
    crash.lose(bench)

    answer = bench.unprepare(claim)

    expect.same(answer.error, "", path=UNPREPARED)
    expect.same(bench.folder.read().left(before, claim, prepared), [], path="CDI specs")

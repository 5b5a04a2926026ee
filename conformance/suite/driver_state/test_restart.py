"""What a driver knows after it was ended and started again."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import cdi
from conformance.harness.bench.bench import Bench, answered
from conformance.harness.bench.conduct import reboot
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)

PREPARED = "NodePrepareResourcesResponse.claims[]"
UNPREPARED = "NodeUnprepareResourcesResponse.claims[].error"

#: How a driver ends.
ENDS = [
    pytest.param("terminate", id="by-sigterm"),
    pytest.param("kill", id="by-sigkill"),
]

#: By how much the monotonic clock is ahead of the machine's, before a reboot and after it.
CLOCKS = [
    pytest.param(reboot.MONTH, 0, id="behind"),
    pytest.param(0, reboot.MONTH, id="ahead"),
]


@pytest.mark.requirement("DRA-DST-14")
@pytest.mark.parametrize("end", ENDS)
def test_a_prepared_claim_survives_the_driver(bench: Bench, end: str) -> None:
    """The driver answers for a claim as it did before it was started again."""
    claim = bench.simple()
    first = answered(bench.prepared(claim))
    bench.restart(end)

    again = answered(bench.prepare(claim))

    expect.same(again, first, path=PREPARED)


@pytest.mark.requirement("DRA-DST-15")
@pytest.mark.parametrize("end", ENDS)
def test_a_claim_is_undone_by_the_next_process(bench: Bench, end: str) -> None:
    """What one process has prepared another undoes, and nothing is left."""
    before = bench.settled()
    claim = bench.simple()
    prepared = bench.prepared(claim)
    bench.restart(end)

    answer = bench.unprepare(claim)

    expect.same(answer.error, "", path=UNPREPARED)
    expect.same(bench.folder.read().left(before, claim, prepared), [], path="CDI specs")


@pytest.mark.requirement("DRA-DST-16")
def test_lost_cdi_specs_are_provided_again(bench: Bench) -> None:
    """After a reboot a claim is prepared again, and each of its CDI devices is described."""
    claim = bench.simple()
    first = bench.prepared(claim)
    cdi.standing(bench.folder.read(), first)
    bench.reboot(first)

    again = bench.prepare(claim)

    expect.same(again.error, "", path=f"{PREPARED}.error")
    cdi.resolved(bench.folder.read(), again)


@pytest.mark.requirement("DRA-DST-28")
@pytest.mark.parametrize(("before", "after"), CLOCKS)
def test_a_claim_survives_a_clock_that_begins_anew(bench: Bench, before: int, after: int) -> None:
    """After a reboot the driver answers for a claim as before, and undoes it."""
    with reboot.booted(bench, before):
        claim = bench.simple()
        first = reboot.kept(bench, claim)

    again, error = reboot.asked_after_reboot(bench, claim, after)

    expect.same(again, first, path=PREPARED)
    expect.same(error, "", path=UNPREPARED)


@pytest.mark.requirement("DRA-DST-29")
@pytest.mark.parametrize(
    "seconds", [pytest.param(reboot.MONTH, id="ahead"), pytest.param(-reboot.MONTH, id="behind")]
)
def test_the_wall_clock_does_not_matter(bench: Bench, seconds: int) -> None:
    """Under another time of day the driver answers as before, prepares and undoes claims."""
    claim, later = bench.simple(), bench.simple("later")
    first = reboot.steady(bench, claim)

    with reboot.another_time_of_day(bench, seconds):
        again, error = answered(bench.prepare(claim)), bench.unprepare(claim).error
        then = bench.prepare(later)
    afterwards = answered(bench.prepare(later)), bench.unprepare(later).error

    expect.same(again, first, path=PREPARED)
    expect.same(error, "", path=UNPREPARED)
    expect.same(then.error, "", path=f"{PREPARED}.error")
    expect.same(afterwards, (answered(then), ""), path=PREPARED)

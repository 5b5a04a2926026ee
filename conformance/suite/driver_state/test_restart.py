"""What a driver knows after it was ended and started again."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import cdi
from conformance.harness.bench.bench import Bench, answered
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)

PREPARED = "NodePrepareResourcesResponse.claims[]"

#: How a driver ends.
ENDS = [
    pytest.param("terminate", id="by-sigterm"),
    pytest.param("kill", id="by-sigkill"),
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

    expect.same(answer.error, "", path="NodeUnprepareResourcesResponse.claims[].error")
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

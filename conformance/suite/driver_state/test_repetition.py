"""The same calls again and at one time, as kubelets make them after restarts."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.bench import wear
from conformance.harness.bench.bench import Bench, answered
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)

PREPARED = "NodePrepareResourcesResponse.claims[]"
UNPREPARED = "NodeUnprepareResourcesResponse.claims[].error"

TIMES = 3


@pytest.mark.requirement("DRA-DST-01")
def test_preparing_again_gives_the_same(bench: Bench) -> None:
    """However often a claim is prepared, the answer is that of the first time."""
    claim = bench.simple()
    first = answered(bench.prepared(claim))

    again = [answered(bench.prepare(claim)) for _ in range(TIMES)]

    expect.same(again, [first] * TIMES, path=PREPARED)


@pytest.mark.requirement("DRA-DST-02")
def test_calls_at_one_time_are_all_answered(bench: Bench) -> None:
    """Claims that are prepared and undone at one time, also the same one, bring no error."""
    places = bench.devices(1, at_most=4)
    claims = [bench.claim(f"claim-{number}", one) for number, one in enumerate(places)] * TIMES

    prepared = bench.prepare_at_once(claims)
    undone = bench.unprepare_at_once(claims)

    expect.same([one.error for one in prepared], [""] * len(claims), path=f"{PREPARED}.error")
    expect.same([one.error for one in undone], [""] * len(claims), path=UNPREPARED)


@pytest.mark.requirement("DRA-DST-02")
def test_claims_that_come_and_go_at_one_time_are_all_answered(bench: Bench) -> None:
    """While some claims are prepared others are undone, again and again, without an error."""
    before = bench.settled()
    places = bench.devices(2, at_most=4)
    claims = [bench.claim(f"claim-{number}", one) for number, one in enumerate(places)]

    errors = bench.come_and_go(claims, TIMES)

    after = bench.folder.read()
    left = [name for one in claims for name in after.left(before, one, Answer())]
    expect.same(errors, [], path=f"{PREPARED}.error")
    expect.same(left, [], path="CDI specs")


@pytest.mark.requirement("DRA-DST-26")
def test_repetition_wears_nothing_out(bench: Bench) -> None:
    """However often a claim is prepared and undone, the driver holds what it held before."""
    claim = bench.simple()

    grown = wear.growth(bench, claim)

    expect.same(grown, [], path="files, descriptors and memory of the driver")


@pytest.mark.requirement("DRA-DST-03")
def test_undoing_again_is_no_error(bench: Bench) -> None:
    """However often a claim is undone, there is no error."""
    claim = bench.simple()
    bench.prepared(claim)
    bench.unprepared(claim)

    again = [bench.unprepare(claim).error for _ in range(TIMES)]

    expect.same(again, [""] * TIMES, path=UNPREPARED)


@pytest.mark.requirement("DRA-DST-04")
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("simple", id="allocated-and-not-prepared"),
        pytest.param("never_created", id="unknown-to-the-api-server"),
    ],
)
def test_undoing_what_was_never_prepared_is_no_error(bench: Bench, kind: str) -> None:
    """A claim of which the driver has never heard is undone without an error."""
    claim: dict[str, Any] = getattr(bench, kind)("claim")

    answer = bench.unprepare(claim)

    expect.same(answer.error, "", path=UNPREPARED)


@pytest.mark.requirement("DRA-DST-05")
def test_a_claim_that_is_gone_is_undone(bench: Bench) -> None:
    """Without the ResourceClaim the driver undoes it by what it has kept in mind."""
    before = bench.settled()
    claim = bench.simple()
    prepared = bench.prepared(claim)
    bench.delete(claim)

    answer = bench.unprepare(claim)

    expect.same(answer.error, "", path=UNPREPARED)
    expect.same(bench.folder.read().left(before, claim, prepared), [], path="CDI specs")


@pytest.mark.requirement("DRA-DST-11")
def test_a_batch_of_32_is_answered_for_each(bench: Bench) -> None:
    """32 claims in one call bring 32 entries, and 32 when they are undone."""
    places = bench.devices(1, at_most=32)
    claims = [bench.claim(f"claim-{one}", places[one % len(places)]) for one in range(32)]

    prepared = bench.prepare_all(claims)
    undone = bench.unprepare_all(claims)

    expect.same([one.error for one in prepared][: len(places)], [""] * len(places), path=PREPARED)
    expect.same([one.error for one in undone], [""] * 32, path=UNPREPARED)

"""The slices while the API server gives trouble, as it does in every cluster from time to time."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import publication, trouble
from conformance.harness.subject.life import Life
from conformance.harness.target import DISTURBANCE

pytestmark = pytest.mark.needs(DISTURBANCE)


@pytest.mark.requirement("DRA-PUB-08")
def test_what_was_missed_is_found_out(life: Life) -> None:
    """A slice that was deleted while the server was away, and is forgotten, is there again."""
    before = publication.at_rest(life)

    with trouble.missed(life, before):
        life.steps.in_its_time(
            "the slice is published again that was deleted meanwhile",
            lambda: publication.same_content(life.world, life.driver, before),
            bound="slice-published",
        )


@pytest.mark.requirement("DRA-PUB-09")
@pytest.mark.parametrize(
    "obstacle",
    [
        pytest.param("conflict", id="409"),
        pytest.param("too-many-requests", id="429"),
        pytest.param("internal-error", id="500"),
        pytest.param("unavailable", id="503"),
        pytest.param("slow", id="slow-answers"),
        pytest.param("broken-connections", id="broken-connections"),
        pytest.param("token-refused", id="401"),
    ],
)
def test_a_slice_is_written_in_the_end(life: Life, obstacle: str) -> None:
    """What the server refuses for the moment is tried again."""
    before = publication.settled(life)

    with trouble.started(life, before, trouble.OBSTACLES[obstacle]):
        life.world.until(
            "the slice is published in the end",
            lambda: publication.same_names(life.world, life.driver, before),
            bound="slice-published",
        )


@pytest.mark.requirement("DRA-PUB-10")
def test_a_busy_server_is_left_alone_as_long_as_it_asks(life: Life) -> None:
    """The next write comes after the seconds that the server names."""
    before = publication.settled(life)

    with trouble.started(life, before, trouble.BUSY) as met:
        life.world.patience.elapse(life.world.options.bounds.seconds["slices-troubled"])

    waited = trouble.pause(met)
    wanted = f"at least {trouble.RETRY_AFTER} s from the refusal to the next write"
    expect.that(waited > trouble.RETRY_AFTER - 0.1, wanted, observed=f"{waited:.2f} s")


@pytest.mark.requirement("DRA-PUB-11")
def test_writes_that_fail_are_no_storm(life: Life) -> None:
    """A driver that can't write tries again, but less and less often."""
    before = publication.settled(life)

    with trouble.started(life, before, trouble.BROKEN) as met:
        life.world.patience.elapse(life.world.options.bounds.seconds["slices-troubled"])

    trouble.few(trouble.written(met))


@pytest.mark.requirement("DRA-PUB-12")
@pytest.mark.driver(publishes="binding-conditions")
def test_dropped_fields_are_no_storm(life: Life) -> None:
    """A server without a feature keeps less than it was sent, and the driver lets it be."""
    before = publication.settled(life)

    with trouble.started(life, before, trouble.without_gated(before)) as met:
        life.world.patience.elapse(life.world.options.bounds.seconds["slices-troubled"])

    trouble.few(trouble.written(met))


@pytest.mark.requirement("DRA-PUB-14")
def test_no_slice_is_invalid(life: Life) -> None:
    """Nothing that the driver writes from its start on is refused as invalid."""
    before = publication.settled(life)

    with trouble.started(life, before, trouble.WATCHED) as met:
        life.world.patience.elapse(life.world.options.bounds.seconds["slices-troubled"])

    codes = [code for code in trouble.written(met) if code in trouble.INVALID]
    expect.same(codes, [], path="answers to writes of ResourceSlices")


@pytest.mark.requirement("DRA-PUB-05")
def test_nothing_is_asked_for_while_nothing_changes(life: Life) -> None:
    """Not even a write that changes nothing is sent."""
    publication.at_rest(life)

    with trouble.watched(life) as met:
        life.world.patience.elapse(life.world.options.bounds.seconds["slices-troubled"])

    expect.same(trouble.writes(met), [], path="writes of ResourceSlices")

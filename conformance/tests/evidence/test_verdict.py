"""What follows from outcomes: the worst of several, and the verdict of a run."""

from __future__ import annotations

import pytest

from conformance.evidence.verdict import (
    MEANING,
    PRECEDENCE,
    Outcome,
    Verdict,
    accuses,
    decide,
    worst,
)

P, F, E, I = Outcome.PASSED, Outcome.FAILED, Outcome.ERRORED, Outcome.INCONCLUSIVE  # noqa: E741
U, S, W, N = Outcome.UNSUPPORTED, Outcome.SKIPPED, Outcome.WAIVED, Outcome.NOTRUN


def test_every_outcome_has_a_rank_and_a_meaning() -> None:
    assert set(PRECEDENCE) == set(Outcome) == set(MEANING)
    assert len(PRECEDENCE) == len(Outcome) == 8


def test_only_failed_accuses() -> None:
    assert [outcome for outcome in Outcome if accuses(outcome)] == [F]


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        pytest.param([], N, id="no check"),
        pytest.param([P, P], P, id="all passed"),
        pytest.param([P, F, E], F, id="a failure outweighs a breakage"),
        pytest.param([P, E, I], E, id="a breakage outweighs doubt"),
        pytest.param([P, I, W], I, id="doubt outweighs a waiver"),
        pytest.param([P, U], U, id="a pass hides nothing unsupported"),
        pytest.param([P, S], S, id="a pass hides nothing skipped"),
        pytest.param([P, W], W, id="a pass hides no waiver"),
    ],
)
def test_a_requirement_has_the_worst_outcome_of_its_checks(
    outcomes: list[Outcome], expected: Outcome | Verdict
) -> None:
    assert worst(outcomes) is expected


@pytest.mark.parametrize(
    ("outcomes", "complete", "expected"),
    [
        pytest.param([P, U, S, W], True, Verdict.CONFORMANT, id="passed and nothing accuses"),
        pytest.param([P, F], True, Verdict.NOT_CONFORMANT, id="one failure"),
        pytest.param([F], False, Verdict.NOT_CONFORMANT, id="a failure before the cut"),
        pytest.param([P], False, Verdict.INCOMPLETE, id="cut short"),
        pytest.param([P, E], True, Verdict.INCOMPLETE, id="something broke"),
        pytest.param([P, I], True, Verdict.INCOMPLETE, id="something is open"),
        pytest.param([P, N], True, Verdict.INCOMPLETE, id="a check was lost"),
        pytest.param([U, S, W], True, Verdict.INCOMPLETE, id="nothing passed"),
        pytest.param([], True, Verdict.INCOMPLETE, id="nothing ran"),
    ],
)
def test_the_verdict_of_a_run(
    outcomes: list[Outcome], complete: bool, expected: Outcome | Verdict
) -> None:
    assert decide(outcomes, complete=complete) is expected

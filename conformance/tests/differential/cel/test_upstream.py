"""Device selectors beside Kubernetes 1.37.2, asked afresh; needs Go or a finished build."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from conformance.tests.differential.cel import drawing, known, oracle, recording
from conformance.tests.differential.cel.question import Question, ours
from conformance.tests.differential.conversation import what_is_missing
from conformance.tests.differential.inventory import Dice

EXAMPLES = 2000
DEVICE = {"driver": "gpu.example.com", "device": {"name": "device-0"}}


@st.composite
def questions(draw: st.DrawFn) -> Question:
    # Hypothesis has a limit for the number of its choices; expressions need many.
    return drawing.question(Dice(draw(st.randoms(use_true_random=True)).randrange))


@pytest.fixture(scope="module")
def upstream() -> Iterator[oracle.Oracle]:
    if missing := what_is_missing():
        pytest.skip(missing)
    with oracle.running() as running:
        yield running


@pytest.mark.upstream
@pytest.mark.timeout(600)
def test_recorded_answers_are_still_those_of_upstream(upstream: oracle.Oracle) -> None:
    for asked, answer in recording.corpus()[:500]:
        assert upstream.ask(asked) == answer, asked["expression"]
    for name, scenario in recording.scenarios().items():
        assert upstream.ask(scenario["question"]) == scenario["upstream"], name


@pytest.mark.upstream
@pytest.mark.timeout(600)
@seed(20370)
@settings(
    max_examples=EXAMPLES,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(asked=questions())
def test_drawn_selector_is_answered_as_upstream_does(
    upstream: oracle.Oracle, asked: Question
) -> None:
    mine, answer = ours(asked), upstream.ask(asked)

    assert mine == answer or known.excuse(asked, mine, answer), asked["expression"]


@pytest.mark.upstream
@pytest.mark.timeout(600)
@pytest.mark.parametrize("row", known.rows(), ids=lambda row: row["example"])
def test_known_difference_is_one_still(upstream: oracle.Oracle, row: dict[str, Any]) -> None:
    gates = {"multi": True, "lists": True}
    asked = {**DEVICE, "expression": row["example"], "gates": gates}

    assert ours(asked) != upstream.ask(asked)

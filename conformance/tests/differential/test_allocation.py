"""Structured allocation: our answers are those of Kubernetes 1.37.2.

``scenarios/*.json`` are questions that were once answered differently, with upstream's answer;
they need nothing else. The drawn ones need the oracle, hence Go or a finished build.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from conformance.tests.differential import drawing, oracle
from conformance.tests.differential.conversation import what_is_missing
from conformance.tests.differential.inventory import Dice
from conformance.tests.differential.scenario import Scenario, kind, normal, ours, theirs

RECORDED = sorted(Path(__file__).with_name("scenarios").glob("*.json"))
EXAMPLES = 2000


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    return drawing.scenario(Dice(lambda sides: draw(st.integers(0, sides - 1))))


@pytest.fixture(scope="module")
def upstream() -> Iterator[oracle.Oracle]:
    if missing := what_is_missing():
        pytest.skip(missing)
    with oracle.running() as running:
        yield running


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_scenario_is_answered_as_upstream_did(path: Path) -> None:
    recorded = json.loads(path.read_text("utf-8"))

    assert ours(recorded["scenario"]) == recorded["upstream"]


def test_scenarios_are_recorded() -> None:
    assert RECORDED


@pytest.mark.upstream
@pytest.mark.timeout(600)
def test_recorded_answers_are_still_those_of_upstream(upstream: oracle.Oracle) -> None:
    for path in RECORDED:
        recorded = json.loads(path.read_text("utf-8"))

        assert upstream.ask(recorded["scenario"]) == recorded["upstream"], path.name


@pytest.mark.upstream
@pytest.mark.timeout(600)
@seed(20370)
@settings(
    max_examples=EXAMPLES,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(asked=scenarios())
def test_drawn_scenario_is_answered_as_upstream_does(
    upstream: oracle.Oracle, asked: Scenario
) -> None:
    assert ours(asked) == upstream.ask(asked)


def test_a_result_that_differs_in_one_device_is_seen() -> None:
    one = {"result": [{"devices": {"results": [{"device": "a", "shareID": "1"}]}}]}
    other = {"result": [{"devices": {"results": [{"device": "b", "shareID": "1"}]}}]}
    same = {"result": [{"devices": {"results": [{"device": "a", "shareID": "2"}]}}]}

    assert theirs(one) != theirs(other)
    assert theirs(one) == theirs(same)


def test_no_fit_is_no_empty_allocation() -> None:
    assert normal(None) != normal([{"devices": {"results": []}}])


def test_an_unknown_error_is_no_answer() -> None:
    with pytest.raises(ValueError, match="no known kind"):
        kind("the moon is full")


def test_what_the_oracle_does_not_understand_is_no_answer() -> None:
    with pytest.raises(ValueError, match="unknown field"):
        theirs({"result": None, "malformed": "json: unknown field"})

"""Device selectors: our answers are those that Kubernetes 1.37.2 gave; nothing else is needed."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.tests.differential.cel import known, recording
from conformance.tests.differential.cel.question import kind, ours, theirs

SCENARIOS = recording.scenarios()
#: What examples of known differences are asked about.
DEVICE = {"expression": "", "driver": "gpu.example.com", "device": {"name": "device-0"}}
GATES = {"multi": True, "lists": True}


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_scenario_is_answered_as_upstream_did(scenario: dict[str, Any]) -> None:
    assert ours(scenario["question"]) == scenario["upstream"]


def test_corpus_is_answered_as_upstream_did() -> None:
    recorded = recording.corpus()

    different = [asked for asked, upstream in recorded if ours(asked) != upstream]

    assert len(recorded) >= 1000
    assert different == []


def test_corpus_has_answers_of_every_sort() -> None:
    answers = [upstream for _, upstream in recording.corpus()]

    assert {one.get("error") for one in answers} >= {
        "cost exceeded",
        "no such key",
        "not a boolean",
        "other",
    }
    assert {one.get("matches") for one in answers} >= {True, False}
    assert sum(one["new"] is None for one in answers) > 100


@pytest.mark.parametrize("row", known.rows(), ids=lambda row: row["example"])
def test_known_difference_excuses_its_example(row: dict[str, Any]) -> None:
    asked = {**DEVICE, "expression": row["example"], "gates": GATES}
    other = {"new": -1, "stored": True}

    assert known.excuse(asked, {"new": None, "stored": False}, other) == row["reason"]


def test_another_result_of_the_same_compiled_expression_is_not_excused() -> None:
    asked = {**DEVICE, "expression": "[1].reverse() == [1]", "gates": GATES}
    yes: dict[str, Any] = {"new": 22, "stored": True, "matches": True}

    assert known.excuse(asked, yes, {**yes, "matches": False}) == ""


def test_what_the_oracle_does_not_understand_is_no_answer() -> None:
    with pytest.raises(ValueError, match="unknown field"):
        theirs({"malformed": "json: unknown field"})


def test_errors_are_told_apart_by_kind() -> None:
    assert kind("operation cancelled: actual cost limit exceeded") == "cost exceeded"
    assert kind("no such key: a. consider using") == "no such key"
    assert kind("the moon is full") == "other"

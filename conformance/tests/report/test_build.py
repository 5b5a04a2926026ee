"""A journal becomes a report: outcomes, numbers, reasons, order."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.evidence.record import Footer
from conformance.evidence.verdict import Outcome, Verdict
from conformance.report.build import build
from conformance.report.model import Report, Requirement
from conformance.tests.report import sample


@pytest.fixture(scope="module")
def report() -> Report:
    return build(sample.journal())


def by_id(report: Report) -> dict[str, Requirement]:
    return {item.clause.id: item for item in report.requirements}


def test_every_requirement_of_the_law_is_in_the_report_once(report: Report) -> None:
    expected = sorted(clause.id for clause in sample.CLAUSES)
    assert sorted(item.clause.id for item in report.requirements) == expected


@pytest.mark.parametrize(
    ("number", "outcome", "reason"),
    [
        ("01", Outcome.PASSED, ""),
        ("02", Outcome.PASSED, ""),
        ("04", Outcome.FAILED, sample.FAILURE),
        ("05", Outcome.ERRORED, "the connection was lost"),
        ("06", Outcome.INCONCLUSIVE, "needs 600 s, allowed are 60 s"),
        ("07", Outcome.WAIVED, "waived until the test is over"),
        ("08", Outcome.UNSUPPORTED, "the gate TestFeature is off"),
        ("09", Outcome.SKIPPED, "chosen by --skip"),
        ("10", Outcome.NOTRUN, "No check of it ran."),
        ("11", Outcome.NOTRUN, "Nothing can violate it."),
        ("13", Outcome.NOTRUN, "A fact that the document states: there is nothing to assert."),
        ("14", Outcome.SKIPPED, "The command chose other requirements."),
    ],
)
def test_a_requirement_has_its_outcome_and_the_reason(
    report: Report, number: str, outcome: Outcome, reason: str
) -> None:
    item = by_id(report)[f"DRA-TEST-{number}"]

    assert item.outcome is outcome
    assert item.reason == reason


def test_the_worst_stand_first(report: Report) -> None:
    outcomes = [item.outcome for item in report.requirements]

    assert outcomes[:4] == [
        Outcome.FAILED,
        Outcome.ERRORED,
        Outcome.INCONCLUSIVE,
        Outcome.WAIVED,
    ]
    assert outcomes[-1] is Outcome.PASSED


def test_numbers_add_up(report: Report) -> None:
    assert report.counts == {
        "failed": 1,
        "errored": 1,
        "inconclusive": 1,
        "waived": 1,
        "notrun": 4,
        "skipped": 2,
        "unsupported": 1,
        "passed": 3,
    }
    assert sum(report.check_counts.values()) == len(sample.CHECKS)
    assert all(sum(tally.counts.values()) == tally.total for tally in report.profiles)
    assert {tally.name: tally.total for tally in report.profiles} == {
        "core": 14,
        "extended/TestFeature": 4,
    }


def test_what_was_not_tested_is_marked_so(report: Report) -> None:
    untested = {item.clause.id[-2:] for item in report.requirements if item.untested}

    assert untested == {"08", "09", "10", "11", "12", "13", "14"}


def test_the_verdict_comes_with_its_numbers(report: Report) -> None:
    assert report.verdict is Verdict.NOT_CONFORMANT
    assert report.summary == "1 failed, 3 passed; 7 requirements of 14 judged."


def test_times_come_from_the_journal(report: Report) -> None:
    assert report.run.duration_seconds == 72.0
    assert report.run.check_seconds == 0.306
    assert report.run.virtual_seconds == 4800.0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"footer": None}, "its journal has no footer"),
        ({"footer": None, "torn": True}, "Its last line is torn"),
        ({"footer": Footer(finished="", interrupted=True, reason="Ctrl-C.")}, "ted: Ctrl-C. What"),
        ({}, "requirements were chosen"),
        ({}, "1 requirement that can be checked was not: nothing is said about them"),
        ({}, "1 requirement failed under a waiver, which is no pass."),
    ],
)
def test_a_reader_is_warned(changes: dict[str, Any], says: str) -> None:
    assert any(says in warning for warning in build(sample.journal(**changes)).warnings)


def test_a_run_that_was_cut_short_is_incomplete_and_has_no_duration() -> None:
    report = build(sample.journal(footer=None, checks=sample.CHECKS[:2]))

    assert report.verdict is Verdict.INCOMPLETE
    assert report.run.duration_seconds is None


def test_a_clean_run_is_conformant_without_warning() -> None:
    header = sample.header(clauses=sample.CLAUSES[:3])

    report = build(sample.journal(header=header, checks=sample.CHECKS[:2], notes=()))

    assert report.verdict is Verdict.CONFORMANT
    assert report.warnings == ()
    assert report.summary == "3 passed, none failed; 3 requirements of 3 judged."


def test_an_id_that_the_header_does_not_know_is_shown_all_the_same() -> None:
    stray = sample.check(Outcome.FAILED, 99)

    report = build(sample.journal(checks=(stray,)))

    assert by_id(report)["DRA-TEST-99"].outcome is Outcome.FAILED

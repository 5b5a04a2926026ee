"""Several journals become one: a failure stands, a pass outweighs what could not be told."""

from __future__ import annotations

import attrs
import pytest

from conformance.evidence.verdict import Outcome
from conformance.report.build import build
from conformance.tests.upstream.lane.journals import journal
from conformance.upstream.lane import merging


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        ("unsupported", "passed", "passed"),
        ("passed", "failed", "failed"),
        ("inconclusive", "passed", "passed"),
        ("errored", "passed", "errored"),
        ("skipped", "unsupported", "unsupported"),
        ("unsupported", "unsupported", "unsupported"),
    ],
)
def test_the_weightiest_outcome_counts(first: str, second: str, merged: str) -> None:
    one = merging.merge({"a": journal({"DRA-X-1/c": first}), "b": journal({"DRA-X-1/c": second})})

    assert [record.outcome for record in one.checks] == [Outcome(merged)]


def test_a_check_says_where_it_was_judged_and_what_the_others_said() -> None:
    one = merging.merge(
        {"off": journal({"DRA-X-1/c": "unsupported"}), "on": journal({"DRA-X-1/c": "passed"})}
    )

    (record,) = one.checks
    assert record.exhibits[0].title == ("judged on the cluster on; beside that: off unsupported")


def test_a_pass_keeps_what_was_seen_without_the_bodies() -> None:
    one = merging.merge({"a": journal({"DRA-X-1/c": "passed", "DRA-X-2/d": "failed"})})

    passed, failed = one.checks
    assert [exhibit.body for exhibit in passed.exhibits] == ["", ""]
    assert failed.exhibits[-1].body == "{}"


def test_the_header_names_no_place_on_this_machine() -> None:
    one = merging.merge({"a": journal({}), "b": journal({})})

    assert "/somewhere" not in str(attrs.asdict(one.header))
    assert one.header.target.facts == {"clusters": "a, b"}


def test_a_journal_without_an_end_makes_the_whole_incomplete() -> None:
    cut = attrs.evolve(journal({"DRA-X-1/c": "passed"}), footer=None)

    one = merging.merge({"a": journal({"DRA-X-1/c": "passed"}), "b": cut})

    assert build(one).verdict == "incomplete"


def test_notes_say_whose_they_are() -> None:
    one = merging.merge({"a": journal({}, notes=1)})

    assert [note.message for note in one.notes] == ["a: note 0"]


def test_nothing_can_not_be_merged() -> None:
    with pytest.raises(ValueError, match="no journal"):
        merging.merge({})


@pytest.mark.parametrize("second", ["passed", "failed"])
def test_what_failed_among_others_counts_as_it_was_when_asked_alone(second: str) -> None:
    one = merging.merge(
        {
            "a": journal({"DRA-X-1/c": "failed", "DRA-X-1/d": "passed"}),
            "a-again": journal({"DRA-X-1/c": second, "DRA-X-1/d": "failed", "DRA-X-2/e": "failed"}),
            "b": journal({"DRA-X-1/c": "passed"}),
        }
    )

    outcomes = {record.check: record.outcome for record in one.checks}
    assert outcomes == {"c": Outcome(second), "d": Outcome.PASSED}


def test_a_check_that_was_asked_twice_tells_both_answers() -> None:
    one = merging.merge(
        {"a": journal({"DRA-X-1/c": "failed"}), "a-again": journal({"DRA-X-1/c": "passed"})}
    )

    (record,) = one.checks
    told = record.exhibits[1]
    assert told.title == "failed on a beside other checks (it failed), then asked alone"


def test_failures_and_errors_are_what_is_asked_again() -> None:
    found = journal({"DRA-X-1/c": "failed", "DRA-X-2/d": "passed", "DRA-X-3/e": "errored"})

    assert [one.check for one in merging.failures(found)] == ["c", "e"]

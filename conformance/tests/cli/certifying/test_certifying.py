"""What ``certify`` says at its end, and how runs are held against each other."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import attrs
import pytest

from conformance.catalogue import loading
from conformance.cli.certifying import earlier, progress, telling, waiving, watching
from conformance.cli.exits import Refusal
from conformance.evidence.journal import encode
from conformance.evidence.record import CheckRecord, Footer
from conformance.evidence.verdict import Outcome
from conformance.report.build import build
from conformance.report.model import Report
from conformance.tests.report import sample

FAILED = Outcome.FAILED
PASSED = Outcome.PASSED


def report(*outcomes: Outcome) -> Report:
    """Return a report whose requirements came to these outcomes, in order."""
    checks = tuple(sample.check(one, number) for number, one in enumerate(outcomes, 1))
    return build(sample.journal(checks=checks, footer=Footer(finished="")))


def test_the_first_three_failures_have_their_commands(capsys: pytest.CaptureFixture[str]) -> None:
    telling.failures(report(FAILED, PASSED, FAILED, FAILED, FAILED, FAILED))

    said = capsys.readouterr().out
    assert said.count("  again: ") == 3
    assert "DRA-TEST-01" in said
    assert "and 2 more, all with --only-failed" in said


def test_only_what_is_open_is_judged_again(tmp_path: Path) -> None:
    recorded = sample.journal(
        checks=(sample.check(PASSED, 1), sample.check(FAILED, 2)), footer=Footer(finished="")
    )
    events = [recorded.header, *recorded.checks, Footer(finished="")]
    (tmp_path / "journal.jsonl").write_text("".join(map(encode, events)), "utf-8")

    assert earlier.failed(tmp_path) == ("DRA-TEST-02",)


def test_without_a_run_before_nothing_is_judged_again(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="--only-failed"):
        earlier.failed(tmp_path)


def test_differences_are_told_in_both_directions() -> None:
    found = list(earlier.differences(report(PASSED, FAILED), report(PASSED, PASSED, PASSED)))

    assert found == [
        "DRA-TEST-02 was passed and is failed",
        "DRA-TEST-03 was passed and is notrun",
    ]


def test_what_no_check_judged_before_is_no_difference() -> None:
    assert not list(earlier.differences(report(PASSED, PASSED, PASSED), report(PASSED, PASSED)))


@pytest.mark.parametrize(
    ("until", "outcome", "sentences"),
    [
        pytest.param("2026-12-31", Outcome.WAIVED, 0, id="needed"),
        pytest.param("2026-12-31", PASSED, 1, id="not needed"),
        pytest.param("2026-01-01", FAILED, 1, id="over"),
    ],
)
def test_a_waiver_stands_while_it_is_needed_and_no_longer(
    until: str, outcome: Outcome, sentences: int, tmp_path: Path
) -> None:
    name = next(iter(loading.load().requirements))
    path = tmp_path / "waivers.yaml"
    row = f"{{id: {name}, reason: It is known., until: {until}, link: https://example.com/1}}"
    path.write_text(f"waivers:\n- {row}\n", "utf-8")
    check = CheckRecord(check="check", requirements=(name,), outcome=outcome)
    header = attrs.evolve(sample.header(), clauses=(sample.clause(99, id=name),))
    journal = sample.journal(header=header, checks=(check,))

    found = list(waiving.stale(path, build(journal), date(2026, 11, 29)))

    assert len(found) == sentences


def test_the_whole_profile_is_told_in_its_parts(capsys: pytest.CaptureFixture[str]) -> None:
    told = progress.Progress(loading.load(), ("driver/all",))

    told.pytest_collection_finish(cast("pytest.Session", SimpleNamespace(items=[])))

    said = capsys.readouterr().err
    assert "driver/state: 0 checks of" in said
    assert "driver/all" not in said


def test_another_build_is_another_state(tmp_path: Path) -> None:
    program = tmp_path / "driver"
    missing = watching.state(program)
    program.write_text("one", "utf-8")
    first = watching.state(program)
    program.write_text("another", "utf-8")

    assert len({missing, first, watching.state(program)}) == 3


@pytest.mark.parametrize("command", [None, "no-such-program-anywhere --flag"])
def test_a_watch_needs_a_program(command: str | None) -> None:
    with pytest.raises(Refusal, match="--watch"):
        watching.program(command)

"""What a run of the suite writes down: whatever a check comes to, there is a record."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from conformance.evidence.record import CheckRecord
from conformance.evidence.verdict import Outcome
from conformance.plugin import journal_file
from conformance.plugin.judge import Judge
from conformance.tests.faults.running import run

PACKAGE = "conformance.suite.binding_conditions"
NODES = "DRA-BND-09"


def outcomes(records: list[CheckRecord]) -> dict[Outcome, int]:
    found: dict[Outcome, int] = {}
    for record in records:
        found[record.outcome] = found.get(record.outcome, 0) + 1
    return found


def test_what_was_not_selected_is_skipped_and_recorded() -> None:
    records = run([PACKAGE], f"--dra-only={NODES}", "--dra-seed=1")

    chosen = [record for record in records if NODES in record.requirements]
    assert outcomes(chosen) == {Outcome.PASSED: 2}
    assert set(outcomes(records)) == {Outcome.PASSED, Outcome.SKIPPED}


def test_a_gate_that_a_person_turned_off_is_unsupported() -> None:
    records = run(
        [PACKAGE],
        "--dra-only=DRA-BND-01",
        "--dra-feature-gates=DRADeviceBindingConditions=false",
    )

    chosen = [record for record in records if record.outcome is not Outcome.SKIPPED]
    assert outcomes(chosen) == {Outcome.UNSUPPORTED: 2}
    assert chosen[0].message == "DRADeviceBindingConditions is off"


def test_a_failure_carries_message_and_evidence(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    records = run(
        [PACKAGE],
        f"--dra-only={NODES}",
        "--dra-fault=slice-selector-ignored",
        f"--dra-journal={path}",
    )

    accused = [record for record in records if record.outcome is Outcome.FAILED]
    kinds = {exhibit.kind for record in accused for exhibit in record.exhibits}
    journal = journal_file.load(path)
    assert len(accused) == 2
    assert "because (How DRA Works, Example)" in accused[0].message
    assert kinds == {"http", "object"}
    assert journal.complete
    assert len(journal.checks) == len(records)
    assert journal.header.target.facts["faults"] == "slice-selector-ignored"


def test_a_known_failure_is_waived(tmp_path: Path) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date()
    waivers = tmp_path / "waivers.yaml"
    waivers.write_text(
        f"waivers:\n- id: {NODES}\n  reason: known\n  until: {tomorrow}\n"
        "  link: https://example.com/1\n",
        "utf-8",
    )

    records = run(
        [PACKAGE],
        f"--dra-only={NODES}",
        "--dra-fault=slice-selector-ignored",
        f"--dra-waivers={waivers}",
    )

    chosen = [record for record in records if NODES in record.requirements]
    assert outcomes(chosen) == {Outcome.WAIVED: 2}


def test_virtual_time_is_recorded() -> None:
    records = run([PACKAGE], "--dra-only=DRA-BND-03a")

    (judged,) = [record for record in records if record.outcome is Outcome.PASSED]
    assert judged.virtual_seconds is not None
    assert 590 <= judged.virtual_seconds <= 660
    assert judged.seconds < 30


@pytest.mark.parametrize(
    ("option", "said"),
    [
        pytest.param("--dra-only=DRA-BNX-01", "DRA-BNX-01", id="an unknown id"),
        pytest.param("--dra-profile=cores", "core", id="an unknown profile"),
        pytest.param("--dra-target=moon", "bundled or kube", id="an unknown target"),
        pytest.param("--dra-kubernetes-version=1.20", "1.20", id="an unknown version"),
        pytest.param("--dra-feature-gates=DRAX=true", "DRAX", id="an unknown gate"),
        pytest.param("--dra-fault=no-such-fault", "no-such-fault", id="an unknown fault"),
        pytest.param("--dra-max-wait=soon", "soon", id="no duration"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(option: str, said: str) -> None:
    with pytest.raises(AssertionError) as caught:
        run([PACKAGE], option)

    assert said in str(caught.value)


@pytest.fixture
def thresholds() -> Iterator[None]:
    """Leave the thresholds of the garbage collector as they were."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("thresholds")
def test_what_was_loaded_is_not_looked_through_again() -> None:
    gc.set_threshold(700, 10, 10)

    Judge.pytest_collection_finish()

    assert gc.get_freeze_count() > 10_000
    assert gc.get_count()[0] < 700 < gc.get_threshold()[0]


@pytest.mark.usefixtures("thresholds")
def test_a_cycle_is_garbage_all_the_same() -> None:
    Judge.pytest_collection_finish()
    cycle: list[object] = []
    cycle.append(cycle)
    del cycle

    assert gc.collect() >= 1

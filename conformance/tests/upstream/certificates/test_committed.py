"""The committed certificates say what they were made for, and where both ways differ and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue import loading, waivers
from conformance.evidence.journal import Journal
from conformance.evidence.record import CheckRecord, Exhibit, Footer
from conformance.evidence.verdict import Outcome
from conformance.tests.report import sample
from conformance.upstream.certificates import committed, hermetic
from conformance.upstream.lane import running

ROOT = Path(__file__).parents[4]
HOME = ROOT / hermetic.HOME


@pytest.fixture(params=hermetic.VARIANTS)
def folder(request: pytest.FixtureRequest) -> Path:
    return HOME / str(request.param)


def test_a_certificate_is_whole_and_free_of_failures(folder: Path) -> None:
    found = running.read(folder / "journal.jsonl")

    assert found.complete
    assert not [one.check for one in found.checks if one.outcome is Outcome.FAILED]


def test_every_waiver_is_needed(folder: Path) -> None:
    found = running.read(folder / "journal.jsonl")
    waived = {name for one in found.checks if one.outcome is Outcome.WAIVED
              for name in one.requirements}  # fmt: skip

    assert set(waivers.load(folder / "waivers.yaml", loading.load())) == waived


def test_the_real_cluster_says_the_same_or_there_is_a_reason(folder: Path) -> None:
    both = [running.read(folder / name) for name in ("journal.jsonl", "live.jsonl")]
    differing = committed.differing(both[0], both[1])

    assert set(differing) <= set(committed.reasons(HOME / "differences.yaml"))


def test_no_reason_is_given_in_vain() -> None:
    differing: set[str] = set()
    for profile in hermetic.VARIANTS:
        journals = [running.read(HOME / profile / name) for name in ("journal.jsonl", "live.jsonl")]
        differing |= set(committed.differing(journals[0], journals[1]))

    assert set(committed.reasons(HOME / "differences.yaml")) <= differing


@pytest.mark.parametrize("name", ["journal.jsonl", "live.jsonl"])
def test_no_path_of_a_machine_is_kept(folder: Path, name: str) -> None:
    header = running.read(folder / name).header

    assert header.command[0] == "dra-conformance"
    told = [*header.command, *header.target.facts.values()]
    assert not [word for word in told if word.startswith("/")]


def test_little_is_kept_of_what_passed() -> None:
    seen = (Exhibit(kind="http", title="GET", body="x"), Exhibit(kind="log", title="said"))
    checks = tuple(
        CheckRecord(check=str(one), requirements=("DRA-TEST-01",), outcome=one, exhibits=seen)
        for one in (Outcome.PASSED, Outcome.WAIVED)
    )
    whole = Journal(header=sample.header(), checks=checks, footer=Footer(finished=""))

    text = committed.brief(whole)

    assert text.count('"kind":"http"') == 0
    assert text.count('"kind":"log"') == 1

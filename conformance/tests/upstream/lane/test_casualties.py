"""What checks are worth after their cluster broke: the records before it stand, no others."""

from __future__ import annotations

import pytest

from conformance.evidence import journal as journals
from conformance.evidence.journal import encode
from conformance.evidence.verdict import Outcome
from conformance.tests.upstream.lane.journals import journal
from conformance.upstream.lane import casualties

WHY = "d: etcd was killed by signal 9 (log: /out/d-logs/etcd.log)"

CHECKS = {
    "DRA-X-1/before": "passed",
    "DRA-X-2/wrong": "failed",
    "DRA-X-3/after": "passed",
    "DRA-X-4/late": "failed",
    "DRA-X-5/away": "unsupported",
    "DRA-X-6/left": "skipped",
}


def lines() -> list[bytes]:
    found = journal(CHECKS)
    return [encode(event).encode() for event in (found.header, *found.checks)]


def test_what_was_said_while_everything_lived_stands() -> None:
    data = lines()

    found = casualties.errored(b"".join(data), len(b"".join(data[:3])), WHY)

    assert [one.outcome for one in found.checks] == [
        Outcome.PASSED,
        Outcome.FAILED,
        Outcome.ERRORED,
        Outcome.ERRORED,
        Outcome.UNSUPPORTED,
        Outcome.SKIPPED,
    ]
    assert all(one.message.startswith(WHY) for one in found.checks[2:4])
    assert found.footer is not None
    assert (found.footer.interrupted, found.footer.reason) == (True, WHY)


@pytest.mark.parametrize("sound", [0, 1, 50])
def test_without_a_whole_record_nothing_stands(sound: int) -> None:
    found = casualties.errored(b"".join(lines()), sound, WHY)

    assert {one.outcome for one in found.checks[:4]} == {Outcome.ERRORED}


def test_a_record_that_is_half_written_is_left_out() -> None:
    data = b"".join(lines())

    found = casualties.errored(data[:-20], len(data), WHY)

    assert len(found.checks) == len(CHECKS) - 1
    assert not found.torn


def test_nothing_at_all_is_no_journal() -> None:
    with pytest.raises(journals.JournalError):
        casualties.errored(b"", 0, WHY)

"""What the checks of a run are worth after a component of its cluster has died.

Nothing is known of a cluster that was half alive: whatever a check said from then on accuses
nobody and proves nothing. It counts as errored, with the reason and where the log lies. Pure.
"""

from __future__ import annotations

import attrs

from conformance.evidence import journal
from conformance.evidence.record import CheckRecord, Footer
from conformance.evidence.verdict import Outcome

#: Outcomes that were decided without asking the cluster.
_UNTOUCHED = frozenset({Outcome.SKIPPED, Outcome.UNSUPPORTED, Outcome.NOTRUN})


def errored(data: bytes, sound: int, why: str) -> journal.Journal:
    """Return the journal in ``data`` of a run whose cluster broke, ``why`` in a sentence.

    Its first ``sound`` bytes were written while every component lived, and stand. Raises
    ``JournalError`` where it has not even a header.
    """
    whole = _decoded(data)
    kept = len(_decoded(data[:sound]).checks) if b"\n" in data[:sound] else 0
    records = [*whole.checks[:kept], *(_spoilt(one, why) for one in whole.checks[kept:])]
    last = whole.footer.finished if whole.footer else whole.header.started
    return attrs.evolve(
        whole,
        checks=tuple(records),
        footer=Footer(finished=last, interrupted=True, reason=why),
        torn=False,
    )


def _decoded(data: bytes) -> journal.Journal:
    """Read the whole lines of a journal that may still grow."""
    lines, _, _ = data.rpartition(b"\n")
    return journal.decode(lines.decode("utf-8", "replace").split("\n"))


def _spoilt(record: CheckRecord, why: str) -> CheckRecord:
    if record.outcome in _UNTOUCHED:
        return record
    said = f"; the check said: {record.message}" if record.message else ""
    return attrs.evolve(record, outcome=Outcome.ERRORED, message=f"{why}{said}")

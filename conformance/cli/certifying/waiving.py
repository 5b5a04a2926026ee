"""Waivers are promises with a date: one that nobody needs any more must go."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from conformance.catalogue import loading, waivers
from conformance.evidence.verdict import Outcome
from conformance.report.model import Report


def stale(path: Path | None, report: Report, today: date) -> Iterator[str]:
    """Yield why waivers of a file no longer stand: their day is over, or nothing fails."""
    if path is None:
        return
    judged = {one.clause.id: one.outcome for one in report.requirements}
    for name, waiver in waivers.load(path, loading.load()).items():
        if not waiver.holds(today):
            yield f"the waiver of {name} ended on {waiver.until}"
        elif judged.get(name) is Outcome.PASSED:
            yield f"{name} is waived, and passes: take the waiver away"

"""The end of a certification: what failed first, and how it is judged again."""

from __future__ import annotations

from conformance.cli import console
from conformance.evidence.verdict import Outcome
from conformance.report.model import Report

#: So many failures are shown with their commands: whoever mends these runs it again anyway.
SHOWN = 3


def failures(report: Report) -> None:
    """Print the first failures, each with the command that judges it again."""
    failed = [one for one in report.requirements if one.outcome is Outcome.FAILED]
    for one in failed[:SHOWN]:
        console.data(f"{one.clause.id} ({one.clause.level}): {one.clause.statement}")
        console.data(f"  again: {one.reproduce}")
    if len(failed) > SHOWN:
        console.data(f"  and {len(failed) - SHOWN} more, all with --only-failed")

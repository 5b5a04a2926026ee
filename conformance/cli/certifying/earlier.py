"""Earlier certifications: what failed in one, and where another differs from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from conformance.cli.exits import ExitCode, Refusal
from conformance.evidence.verdict import Outcome
from conformance.plugin import journal_file
from conformance.report.build import build
from conformance.report.model import Report

#: What is judged again: everything that was not found out to be right.
_OPEN = (Outcome.FAILED, Outcome.ERRORED, Outcome.INCONCLUSIVE)


def read(path: Path, option: str) -> Report:
    """Return the report of a journal, or of the one in a folder; raises ``Refusal``."""
    path = path / "journal.jsonl" if path.is_dir() else path
    try:
        return build(journal_file.load(path))
    except journal_file.JournalFileError as error:
        raise Refusal(ExitCode.USAGE, f"{option}: {error}") from error


def failed(out: Path) -> tuple[str, ...]:
    """Return the ids that failed or stayed open in the run before; raises ``Refusal``."""
    found = read(out, "--only-failed")
    ids = tuple(one.clause.id for one in found.requirements if one.outcome in _OPEN)
    if not ids:
        raise Refusal(ExitCode.USAGE, f"--only-failed: nothing failed in the run that is in {out}")
    return ids


def differences(now: Report, then: Report) -> Iterator[str]:
    """Yield where two runs came to different outcomes, or judged different requirements.

    What the law of the earlier run did not know yet, or had no check for, is no difference.
    """
    known = {one.clause.id for one in then.requirements if one.outcome is not Outcome.NOTRUN}
    before = {one.clause.id: one.outcome for one in then.requirements if _is_judged(one.outcome)}
    after = {one.clause.id: one.outcome for one in now.requirements if _is_judged(one.outcome)}
    for name in sorted(known & (before.keys() | after.keys())):
        if before.get(name) != after.get(name):
            was, found = (side.get(name, Outcome.NOTRUN) for side in (before, after))
            yield f"{name} was {was} and is {found}"


def _is_judged(outcome: Outcome) -> bool:
    return outcome not in {Outcome.SKIPPED, Outcome.NOTRUN}

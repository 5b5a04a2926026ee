"""How single values look on the page: outcomes, durations, moments, the state of a row."""

from __future__ import annotations

from conformance.report.model import Tally

#: A sign for each outcome. It always stands beside the word: no outcome is told by colour or
#: by sign alone.
SYMBOLS = {
    "passed": "✓",
    "failed": "✗",
    "errored": "!",
    "inconclusive": "?",
    "waived": "≈",
    "notrun": "○",
    "skipped": "\N{EN DASH}",
    "unsupported": "∅",
    "conformant": "✓",
    "not conformant": "✗",
    "incomplete": "?",
}

_WORDS = {"notrun": "not run"}


def word(outcome: str) -> str:
    """Return the outcome in words."""
    return _WORDS.get(outcome, str(outcome))


def duration(seconds: float) -> str:
    """Return a duration for people: ``34 ms``, ``12.3 s``, ``1 h 2 min 3 s``."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(hours, "h"), (minutes, "min"), (rest, "s")]
    return " ".join(f"{number} {unit}" for number, unit in parts if number)


def moment(iso: str) -> str:
    """Return an ISO 8601 time to the second, with a blank for the ``T``."""
    date, _, time = iso.partition("T")
    if not time:
        return iso
    offset = "UTC" if time.endswith(("Z", "+00:00")) else time[time.rfind("+") :][-6:]
    return f"{date} {time[:8]} {offset}"


def state(tally: Tally) -> tuple[str, str]:
    """Return the outcome that colours a row of a table, and the words that say its state."""
    counts = tally.counts
    if counts["failed"]:
        return "failed", f"{counts['failed']} failed"
    if counts["errored"] or counts["inconclusive"]:
        return "inconclusive", "undecided"
    if counts["waived"]:
        return "waived", f"{counts['waived']} waived"
    if not counts["passed"]:
        return "notrun", "not tested"
    if counts["passed"] < tally.total:
        return "passed", "passed as far as tested"
    return "passed", "all passed"

"""The two closed vocabularies: what a check came to, and what a run came to.

Only ``failed`` accuses the target. Nothing but ``passed`` counts as a pass. The exit code
of a command follows from the verdict of its run:

==============  =========
verdict         exit code
==============  =========
conformant      0
not conformant  1
incomplete      4
==============  =========

Codes 2 (usage) and 3 (the target could not be asked) belong to commands that never got
as far as a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Outcome(StrEnum):
    """What a check, or a requirement judged by several checks, came to."""

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    SKIPPED = "skipped"
    INCONCLUSIVE = "inconclusive"
    ERRORED = "errored"
    WAIVED = "waived"
    NOTRUN = "notrun"


class Verdict(StrEnum):
    """What a run came to."""

    CONFORMANT = "conformant"
    NOT_CONFORMANT = "not conformant"
    INCOMPLETE = "incomplete"


#: Outcomes that speak against the target.
ACCUSING = frozenset({Outcome.FAILED})

#: Outcomes after which nobody can say that the run told everything it was asked for.
UNDECIDED = frozenset({Outcome.ERRORED, Outcome.INCONCLUSIVE, Outcome.NOTRUN})

#: Worst first. A requirement has the worst outcome of its checks: it passed only where
#: every one of them did, so a check that was left out is never hidden by one that passed.
PRECEDENCE = (
    Outcome.FAILED,
    Outcome.ERRORED,
    Outcome.INCONCLUSIVE,
    Outcome.WAIVED,
    Outcome.NOTRUN,
    Outcome.SKIPPED,
    Outcome.UNSUPPORTED,
    Outcome.PASSED,
)

#: What each outcome means, in words for the reader of a report.
MEANING = {
    Outcome.PASSED: "the target did what the document says",
    Outcome.FAILED: "the target answered wrongly",
    Outcome.UNSUPPORTED: "the target lacks the feature or the capability that the check needs",
    Outcome.SKIPPED: "somebody chose not to run it",
    Outcome.INCONCLUSIVE: "it could not be told, for instance because the wait was cut short",
    Outcome.ERRORED: "the tool or its surroundings broke, which says nothing about the target",
    Outcome.WAIVED: "it failed, and the failure is known, tracked and dated",
    Outcome.NOTRUN: "no check ran",
}


def accuses(outcome: Outcome) -> bool:
    """Say whether this outcome speaks against the target."""
    return outcome in ACCUSING


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the outcome of a requirement that these checks judged; ``notrun`` for none."""
    return min(outcomes, key=PRECEDENCE.index, default=Outcome.NOTRUN)


def decide(outcomes: Iterable[Outcome], *, complete: bool) -> Verdict:
    """Return the verdict of a run from the outcomes of its checks.

    ``complete`` says that the run came to its own end: the journal has a footer, and the
    footer does not say interrupted. A failure accuses even where the run was cut short.
    """
    seen = frozenset(outcomes)
    if seen & ACCUSING:
        return Verdict.NOT_CONFORMANT
    if not complete or seen & UNDECIDED or Outcome.PASSED not in seen:
        return Verdict.INCOMPLETE
    return Verdict.CONFORMANT

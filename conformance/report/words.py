"""The sentences of a report: what the verdict rests on, what to beware of, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from conformance.evidence.journal import Journal
from conformance.evidence.record import CheckRecord, Clause
from conformance.evidence.verdict import MEANING, UNDECIDED, Outcome, Verdict
from conformance.report.model import Requirement

#: Outcomes in the order in which numbers are shown: what was found out, then what was not.
SHOWN = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.ERRORED,
    Outcome.INCONCLUSIVE,
    Outcome.WAIVED,
    Outcome.UNSUPPORTED,
    Outcome.SKIPPED,
    Outcome.NOTRUN,
)

#: What each kind of gap means, as gaps.yaml names them.
GAPS = {
    "later": "A check is possible and not written yet",
    "policy": "Judged over manifests and configuration, not by the suite",
    "not-testable": "Nothing that a check could observe would violate it",
}


#: Colours and cursor movements of a terminal, as programs print them into their logs.
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Return text of unknown origin without what a terminal would obey."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", _TERMINAL.sub("", text))


def count(number: int, noun: str) -> str:
    """Return ``1 requirement`` or ``2 requirements``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def summary(verdict: Verdict, requirements: Sequence[Requirement]) -> str:
    """Return the verdict in a sentence, with the numbers that it rests on."""
    judged = [requirement for requirement in requirements if not requirement.untested]
    passed = sum(requirement.outcome is Outcome.PASSED for requirement in judged)
    failed = sum(requirement.outcome is Outcome.FAILED for requirement in judged)
    scope = f"{count(len(judged), 'requirement')} of {len(requirements)} judged"
    if verdict is Verdict.NOT_CONFORMANT:
        return f"{failed} failed, {passed} passed; {scope}."
    if verdict is Verdict.CONFORMANT:
        return f"{passed} passed, none failed; {scope}."
    undecided = sum(requirement.outcome in UNDECIDED for requirement in judged)
    return f"None failed, {passed} passed, {undecided} undecided; {scope}."


def warnings(journal: Journal, requirements: Sequence[Requirement]) -> Iterator[str]:
    """Yield what a reader must know before believing the verdict."""
    footer = journal.footer
    if footer is None:
        torn = " Its last line is torn." if journal.torn else ""
        yield (
            "The run was cut short: its journal has no footer."
            f"{torn} What follows is what was recorded until then."
        )
    elif footer.interrupted:
        why = f": {footer.reason.rstrip('.')}" if footer.reason else ""
        yield f"The run was interrupted{why}. What follows is what was done until then."
    chosen = sum(requirement.clause.selected for requirement in requirements)
    if chosen < len(requirements):
        asked = journal.header.profiles
        by = f" by {count(len(asked), 'profile')} ({', '.join(asked)})" if asked else ""
        yield f"{chosen} of {len(requirements)} requirements were chosen{by}; the others stay open."
    lost = sum(was_lost(requirement) for requirement in requirements)
    if lost:
        verb = "was" if lost == 1 else "were"
        yield (
            f"{count(lost, 'requirement')} that can be checked {verb} not: nothing is said about"
            " them, whatever the verdict."
        )
    waived = sum(requirement.outcome is Outcome.WAIVED for requirement in requirements)
    if waived:
        yield f"{count(waived, 'requirement')} failed under a waiver, which is no pass."


def by_test(clause: Clause) -> bool:
    """Say whether checks of the suite judge a requirement, and not policies alone."""
    return bool(clause.check) and clause.check != "policy"


def was_lost(requirement: Requirement) -> bool:
    """Say whether a requirement was chosen and can be checked, but no check of it ran."""
    clause = requirement.clause
    can_be_checked = by_test(clause) and not clause.gap and clause.level != "INFO"
    return can_be_checked and clause.selected and not requirement.checks


def reason(clause: Clause, outcome: Outcome, records: Sequence[CheckRecord]) -> str:
    """Return why a requirement has its outcome; ``records`` stand worst first.

    The worst check speaks for the requirement; the others speak for themselves below it.
    """
    if not records:
        return _without_check(clause)
    if outcome is Outcome.PASSED:
        return ""
    return records[0].message or MEANING[outcome]


def _without_check(clause: Clause) -> str:
    if clause.gap:
        return clause.gap
    if not clause.selected:
        return "The command chose other requirements."
    if clause.level == "INFO":
        return "A fact that the document states: there is nothing to assert."
    if not by_test(clause):
        return "Judged by policies over manifests and configuration: dra-conformance lint, doctor."
    return "No check of it ran."

"""A journal becomes a report: count, sort and say why, and nothing else."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from datetime import datetime

from conformance.evidence.journal import Journal
from conformance.evidence.record import CheckRecord, Clause, Header
from conformance.evidence.verdict import PRECEDENCE, Outcome, decide, worst
from conformance.report import words
from conformance.report.model import Check, Report, Requirement, Run, Tally
from conformance.report.reproduce import command_for, tidy

#: Outcomes from which nothing was learned about the target.
_UNTESTED = frozenset({Outcome.UNSUPPORTED, Outcome.SKIPPED, Outcome.NOTRUN})


def build(journal: Journal) -> Report:
    """Return the report of a run; a run that was cut short has one too."""
    header = journal.header
    clauses = [*header.clauses, *_unknown(header, journal.checks)]
    records = _by_requirement(journal.checks)
    judged = (_judged(one, records.get(one.id, ()), journal.header) for one in clauses)
    requirements = sorted(judged, key=_worst_first)
    outcomes = [record.outcome for record in journal.checks]
    # What was chosen and can be checked, but was not, is undecided.
    unjudged = [Outcome.NOTRUN for requirement in requirements if words.was_lost(requirement)]
    verdict = decide([*outcomes, *unjudged], complete=journal.complete)
    counts = _counts(requirement.outcome for requirement in requirements)
    return Report(
        verdict=verdict,
        summary=words.summary(verdict, requirements),
        warnings=tuple(words.warnings(journal, requirements)),
        run=_run(journal),
        counts=counts,
        check_counts=_counts(outcomes),
        profiles=_tallies(requirements, _profiles, header.profile_sentences),
        features=_tallies(requirements, _feature, header.features),
        roles=_tallies(requirements, lambda clause: (clause.role,), {}),
        levels=_tallies(requirements, lambda clause: (clause.level,), {}),
        requirements=tuple(requirements),
        checks=tuple(_check(record) for record in journal.checks),
        notes=tuple(note.message for note in journal.notes),
    )


def _unknown(header: Header, records: Iterable[CheckRecord]) -> list[Clause]:
    """Return a row for every id that a check names and the header does not."""
    known = {clause.id for clause in header.clauses}
    named = {name for record in records for name in record.requirements}
    return [
        Clause(
            id=name,
            level="INFO",
            role="unknown",
            statement="The journal does not say what this requirement states.",
            source="none",
        )
        for name in sorted(named - known)
    ]


def _by_requirement(records: Iterable[CheckRecord]) -> dict[str, list[CheckRecord]]:
    """Return what was recorded of each requirement, in the order of the journal."""
    found: dict[str, list[CheckRecord]] = {}
    for record in records:
        for name in dict.fromkeys(record.requirements):
            found.setdefault(name, []).append(record)
    return found


def _judged(clause: Clause, found: Iterable[CheckRecord], header: Header) -> Requirement:
    records = sorted(found, key=lambda record: PRECEDENCE.index(record.outcome))
    outcome = worst(record.outcome for record in records)
    if not records and not clause.gap and not clause.selected:
        outcome = Outcome.SKIPPED
    has_check = bool(records) or bool(words.by_test(clause) and not clause.gap)
    return Requirement(
        clause=clause,
        outcome=outcome,
        reason=words.reason(clause, outcome, records),
        untested=outcome in _UNTESTED,
        checks=tuple(record.check for record in records),
        reproduce=command_for(header.command, clause.id, seed=header.seed) if has_check else "",
    )


def _worst_first(requirement: Requirement) -> tuple[int, str]:
    return PRECEDENCE.index(requirement.outcome), requirement.clause.id


def _check(record: CheckRecord) -> Check:
    return Check(
        name=record.check,
        outcome=record.outcome,
        message=record.message,
        requirements=record.requirements,
        parameters=record.parameters,
        seconds=record.seconds,
        virtual_seconds=record.virtual_seconds,
        worker=record.worker,
        exhibits=record.exhibits,
    )


def _run(journal: Journal) -> Run:
    header, footer = journal.header, journal.footer
    virtual = [
        record.virtual_seconds for record in journal.checks if record.virtual_seconds is not None
    ]
    finished = footer.finished if footer else ""
    return Run(
        id=header.run_id,
        tool_version=header.tool_version,
        command=shlex.join(tidy(header.command)),
        target=header.target,
        feature_gates=dict(sorted(header.feature_gates.items())),
        profiles=header.profiles,
        seed=header.seed,
        max_wait_seconds=header.max_wait,
        started=header.started,
        finished=finished,
        duration_seconds=_between(header.started, finished),
        check_seconds=round(sum(record.seconds for record in journal.checks), 3),
        virtual_seconds=round(sum(virtual), 3) if virtual else None,
    )


def _between(started: str, finished: str) -> float | None:
    try:
        passed = datetime.fromisoformat(finished) - datetime.fromisoformat(started)
    except (ValueError, TypeError):
        # No footer, or times of which only one has an offset.
        return None
    return round(passed.total_seconds(), 3)


def _profiles(clause: Clause) -> tuple[str, ...]:
    return clause.profiles


def _feature(clause: Clause) -> tuple[str, ...]:
    return (clause.feature,) if clause.feature else ()


def _tallies(
    requirements: Iterable[Requirement],
    names_of: Callable[[Clause], tuple[str, ...]],
    sentences: dict[str, str],
) -> tuple[Tally, ...]:
    outcomes: dict[str, list[Outcome]] = {}
    for requirement in requirements:
        for name in names_of(requirement.clause):
            outcomes.setdefault(name, []).append(requirement.outcome)
    return tuple(
        Tally(
            name=name,
            sentence=sentences.get(name, ""),
            total=len(outcomes[name]),
            counts=_counts(outcomes[name]),
        )
        for name in sorted(outcomes)
    )


def _counts(outcomes: Iterable[Outcome]) -> dict[str, int]:
    seen = list(outcomes)
    return {str(outcome): seen.count(outcome) for outcome in PRECEDENCE}

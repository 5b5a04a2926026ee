"""One journal of several: the same law, judged on clusters that were set up differently.

No single cluster has every gate both on and off, so each check counts where it could be told.
A failure anywhere stands, whatever the other clusters said. A check that failed while others ran
beside it was asked once more, alone: that answer counts, and the first one is told beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from conformance.evidence.journal import Journal
from conformance.evidence.record import CheckRecord, Clause, Exhibit, Footer, Header, Note, Target
from conformance.evidence.verdict import Outcome

#: Which of several outcomes of one check counts, the first that occurs: a cluster that was asked
#: and lacks what the check needs tells more than one that was not asked.
_COUNTS = (
    Outcome.FAILED,
    Outcome.ERRORED,
    Outcome.PASSED,
    Outcome.INCONCLUSIVE,
    Outcome.WAIVED,
    Outcome.UNSUPPORTED,
    Outcome.SKIPPED,
    Outcome.NOTRUN,
)

_ASKED_AGAIN = (Outcome.FAILED, Outcome.ERRORED)

#: How the name of a run ends that asked once more what had failed in the run of the name before it.
AGAIN = "-again"

#: The command that a merged journal names: how somebody gets another one like it.
COMMAND = ("dra-conformance", "upstream", "judge", "--out", "DIR")


def merge(journals: Mapping[str, Journal]) -> Journal:
    """Return one journal of these, by the name of the cluster; ``ValueError`` for none."""
    if not journals:
        raise ValueError("there is no journal to merge")
    parts = list(journals.values())
    return Journal(
        header=_header(journals),
        checks=_checks(journals),
        notes=tuple(
            Note(message=f"{name}: {note.message}")
            for name, journal in journals.items()
            for note in journal.notes
        ),
        footer=_footer(parts),
        torn=any(part.torn for part in parts),
    )


def weightiest(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the outcome that counts of one check on several clusters."""
    return min(outcomes, key=_COUNTS.index, default=Outcome.NOTRUN)


def _header(journals: Mapping[str, Journal]) -> Header:
    parts = [journal.header for journal in journals.values()]
    first = parts[0]
    return attrs.evolve(
        first,
        run_id="-".join(part.run_id for part in parts),
        target=Target(
            name=f"Kubernetes {first.target.kubernetes_version}, built from its source",
            kind=first.target.kind,
            kubernetes_version=first.target.kubernetes_version,
            facts={"clusters": ", ".join(journals)},
        ),
        started=min(part.started for part in parts),
        command=COMMAND,
        seed=None,
        max_wait=max((part.max_wait or 0.0 for part in parts), default=None),
        clauses=_clauses(parts),
    )


def _clauses(headers: Iterable[Header]) -> tuple[Clause, ...]:
    """Return the clauses of all headers; one is selected where any run selected it."""
    found: dict[str, Clause] = {}
    for clause in (clause for header in headers for clause in header.clauses):
        known = found.setdefault(clause.id, clause)
        found[clause.id] = attrs.evolve(known, selected=known.selected or clause.selected)
    return tuple(found.values())


def _checks(journals: Mapping[str, Journal]) -> tuple[CheckRecord, ...]:
    found: dict[str, list[tuple[str, CheckRecord]]] = {}
    for name, journal in journals.items():
        if name.endswith(AGAIN):
            continue
        second = journals.get(name + AGAIN)
        later = {} if second is None else {record.check: record for record in second.checks}
        for record in journal.checks:
            counts = _answered_again(name, record, later.get(record.check))
            found.setdefault(record.check, []).append((name, counts))
    return tuple(_chosen(records) for _, records in sorted(found.items()))


def failures(journal: Journal) -> list[CheckRecord]:
    """Return the records that a second question may answer otherwise."""
    return [one for one in journal.checks if one.outcome in _ASKED_AGAIN]


def _answered_again(name: str, first: CheckRecord, second: CheckRecord | None) -> CheckRecord:
    """Return what counts of a check that may have been asked twice."""
    if second is None or first.outcome not in _ASKED_AGAIN:
        return first
    title = f"{first.outcome} on {name} beside other checks ({first.message}), then asked alone"
    told = Exhibit(kind="note", title=title)
    return attrs.evolve(second, exhibits=(told, *second.exhibits))


def _chosen(records: list[tuple[str, CheckRecord]]) -> CheckRecord:
    counts = weightiest(record.outcome for _, record in records)
    name, record = next(one for one in records if one[1].outcome is counts)
    others = ", ".join(f"{other} {each.outcome}" for other, each in records if other != name)
    beside = f"; beside that: {others}" if others else ""
    origin = Exhibit(kind="note", title=f"judged on the cluster {name}{beside}")
    return attrs.evolve(record, exhibits=(origin, *_kept(record)))


def _kept(record: CheckRecord) -> tuple[Exhibit, ...]:
    """Return the evidence of a check; of one that passed what was seen, without the bodies."""
    if record.outcome is not Outcome.PASSED:
        return record.exhibits
    return tuple(attrs.evolve(exhibit, body="") for exhibit in record.exhibits)


def _footer(parts: list[Journal]) -> Footer | None:
    """Return the end of them all, or None where one of them has none."""
    footers = [part.footer for part in parts if part.footer is not None]
    if len(footers) < len(parts):
        return None
    reasons = [footer.reason for footer in footers if footer.reason]
    return Footer(
        finished=max(footer.finished for footer in footers),
        interrupted=any(footer.interrupted for footer in footers),
        reason="; ".join(reasons),
    )

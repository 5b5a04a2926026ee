"""How far two targets agree: the same requirements, the same checks, two journals.

A check is comparable where both targets decided it, that is passed or failed it. A requirement
is comparable where one of its checks is; it agrees where its verdict over these checks is the
same on both. The numbers count requirements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from conformance.evidence.journal import Journal
from conformance.evidence.record import CheckRecord, Clause
from conformance.evidence.verdict import Outcome, worst

#: Outcomes by which a target answered the question.
DECIDED = frozenset({Outcome.PASSED, Outcome.FAILED})


@attrs.frozen(kw_only=True)
class Row:
    """One requirement, as the two targets meet it."""

    id: str
    statement: str
    bundled: Outcome
    upstream: Outcome
    #: True or False where they can be compared, None where they can't.
    agrees: bool | None
    #: Checks that both decided.
    shared: int
    #: Why a target did not decide, or how they differ; empty where they agree on all checks.
    reason: str = ""


@attrs.frozen(kw_only=True)
class Agreement:
    """Every requirement that has a check on either target."""

    version: str
    rows: tuple[Row, ...]

    @property
    def comparable(self) -> int:
        """How many requirements can be compared."""
        return sum(row.agrees is not None for row in self.rows)

    @property
    def agreeing(self) -> int:
        """On how many of these both targets have the same verdict."""
        return sum(row.agrees is True for row in self.rows)

    @property
    def sentence(self) -> str:
        """The numbers as a person reads them."""
        left = len(self.rows) - self.comparable
        return (
            f"The bundled reference agrees with Kubernetes {self.version} on {self.agreeing} of "
            f"{self.comparable} comparable requirements; {left} cannot be compared."
        )

    def falls_below(self, other: Agreement) -> bool:
        """Say whether fewer requirements agree, or more differ, than in ``other``."""
        differing = self.comparable - self.agreeing
        return self.agreeing < other.agreeing or differing > other.comparable - other.agreeing


def compare(bundled: Journal, upstream: Journal) -> Agreement:
    """Return how far the bundled reference and a real cluster agree."""
    clauses: dict[str, Clause] = {}
    for journal in (upstream, bundled):
        clauses.update({clause.id: clause for clause in journal.header.clauses})
    ours, theirs = _by_requirement(bundled), _by_requirement(upstream)
    rows = [
        _row(one, clauses[one].statement if one in clauses else "", ours, theirs)
        for one in sorted(ours.keys() | theirs.keys())
    ]
    return Agreement(version=upstream.header.target.kubernetes_version, rows=tuple(rows))


_Checks = Mapping[str, CheckRecord]


def _by_requirement(journal: Journal) -> dict[str, dict[str, CheckRecord]]:
    found: dict[str, dict[str, CheckRecord]] = {}
    for record in journal.checks:
        for one in record.requirements:
            found.setdefault(one, {})[record.check] = record
    return found


def _row(
    one: str, statement: str, bundled: Mapping[str, _Checks], upstream: Mapping[str, _Checks]
) -> Row:
    ours, theirs = bundled.get(one, {}), upstream.get(one, {})
    shared = sorted(_decided(ours) & _decided(theirs))
    mine = worst(ours[check].outcome for check in shared)
    yours = worst(theirs[check].outcome for check in shared)
    return Row(
        id=one,
        statement=statement,
        bundled=mine if shared else worst(record.outcome for record in ours.values()),
        upstream=yours if shared else worst(record.outcome for record in theirs.values()),
        agrees=mine is yours if shared else None,
        shared=len(shared),
        reason=_reason(ours, theirs, shared),
    )


def _decided(records: _Checks) -> set[str]:
    return {name for name, record in records.items() if record.outcome in DECIDED}


def _reason(ours: _Checks, theirs: _Checks, shared: Iterable[str]) -> str:
    """Return what keeps checks from being compared, or what they differ in, once each."""
    together = set(shared)
    found = [
        f"{who}: {record.message}"
        for who, records in (("bundled", ours), ("upstream", theirs))
        for name, record in sorted(records.items())
        if record.outcome is not Outcome.PASSED and (name not in together or record.message)
    ]
    return "; ".join(dict.fromkeys(" ".join(one.split())[:300] for one in found))

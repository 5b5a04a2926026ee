"""Journals of a few checks, written down."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.evidence.journal import Journal
from conformance.evidence.record import CheckRecord, Clause, Exhibit, Footer, Header, Note, Target

CLAUSES = tuple(
    Clause(
        id=f"DRA-X-{number}", level="MUST", role="controller", statement=f"X{number}", source="S"
    )
    for number in (1, 2, 3)
)


def journal(outcomes: Mapping[str, str], *, selected: bool = True, notes: int = 0) -> Journal:
    """Return a journal; ``outcomes`` by ``ID/check``, such as ``DRA-X-1/a``."""
    target = Target(name="/somewhere/kubeconfig", kind="kube", kubernetes_version="1.37")
    header = Header(
        tool_version="1",
        run_id="r",
        target=target,
        started="2026-01-01T00:00:00+00:00",
        clauses=CLAUSES if selected else (),
        max_wait=60.0,
    )
    return Journal(
        header=header,
        checks=tuple(_check(name, outcome) for name, outcome in outcomes.items()),
        notes=tuple(Note(message=f"note {number}") for number in range(notes)),
        footer=Footer(finished="2026-01-01T00:01:00+00:00"),
    )


def _check(name: str, outcome: str) -> CheckRecord:
    requirement, _, check = name.partition("/")
    return CheckRecord(
        check=check,
        requirements=(requirement,),
        outcome=outcome,
        message="" if outcome == "passed" else f"it {outcome}",
        exhibits=(Exhibit(kind="http", title="GET /", body="{}"),),
    )

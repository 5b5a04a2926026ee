"""The rows of ``reports.yaml``: from a report to the requirements that would have found it."""

from __future__ import annotations

from pathlib import Path

import attrs

from conformance.catalogue import loading
from conformance.catalogue.reading import Cell, read

FILE = loading.LAW / "reports.yaml"


@attrs.frozen(kw_only=True)
class FieldReport:
    """One row: requirements that would have found the fault, or the reason why none can."""

    id: str
    reference: str
    requirements: tuple[str, ...] = ()
    reason: str = ""


def load(path: Path = FILE) -> tuple[FieldReport, ...]:
    """Return the rows of the table; raises ``CatalogueError`` for a malformed one."""
    root = read(path).fields(("reports",))
    return tuple(_row(cell) for cell in root["reports"].items())


def _row(cell: Cell) -> FieldReport:
    fields = cell.fields(("id", "reference"), ("requirements", "reason"))
    if ("requirements" in fields) is ("reason" in fields):
        raise cell.refuse("a report has requirements, or a reason why none can find the fault")
    return FieldReport(
        id=fields["id"].text(),
        reference=fields["reference"].text(),
        requirements=tuple(one.text() for one in fields["requirements"].items())
        if "requirements" in fields
        else (),
        reason=fields["reason"].text() if "reason" in fields else "",
    )

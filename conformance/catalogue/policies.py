"""What the policies of a folder judge, read from their files.

A file is ``<area>.yaml`` of rows ``{id, requirements: [ids], message, ...}``. What a policy
says about objects is none of the law's business: here stands only which ids it judges.
"""

from __future__ import annotations

from pathlib import Path

from attrs import field, frozen

from conformance.catalogue.model import Position
from conformance.catalogue.reading import Cell, named, read


@frozen(kw_only=True)
class PolicyRow:
    """A policy, and the requirements that it judges."""

    id: str
    message: str
    requirements: tuple[str, ...]
    position: Position = field(eq=False)


def scan(folder: Path) -> tuple[PolicyRow, ...]:
    """Return every policy of a folder; none where there is no such folder.

    Raises ``CatalogueError`` for a malformed file.
    """
    return tuple(
        _row(cell)
        for path in sorted(folder.glob("*.yaml"))
        for cell in read(path, named(path, folder)).fields(("area", "policies"))["policies"].items()
    )


def _row(cell: Cell) -> PolicyRow:
    row = {name: value for name, (_, value) in cell.entries().items()}
    for name in ("id", "requirements", "message"):
        if name not in row:
            raise cell.refuse(f"the field {name!r} is missing")
    return PolicyRow(
        id=row["id"].text(),
        message=row["message"].text(),
        requirements=row["requirements"].texts(),
        position=row["id"].position,
    )

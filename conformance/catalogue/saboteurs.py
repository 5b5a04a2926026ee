"""The named faults that prove that checks can fail, read from their tables.

A table is a file ``<area>.yaml`` of rows ``{name, sentence, seam, breaks: [ids]}``; where it says
``independent: true``, those may be committed together that do not say ``alone: true``. The code
that commits a fault is none of the law's business: here stands only which ids it must break.
"""

from __future__ import annotations

from pathlib import Path

from attrs import field, frozen

from conformance.catalogue.model import Position
from conformance.catalogue.reading import Cell, named, read


@frozen(kw_only=True)
class Saboteur:
    """A fault, and the requirements that it makes fail."""

    name: str
    sentence: str
    seam: str
    breaks: tuple[str, ...]
    position: Position = field(eq=False)


def scan(folder: Path) -> tuple[Saboteur, ...]:
    """Return every saboteur of a folder of tables; none where there is no such folder.

    Raises ``CatalogueError`` for a malformed table.
    """
    return tuple(
        _saboteur(cell)
        for path in sorted(folder.glob("*.yaml"))
        for cell in read(path, named(path, folder))
        .fields(("faults",), ("independent",))["faults"]
        .items()
    )


def _saboteur(cell: Cell) -> Saboteur:
    # A row may say more than that (what it needs, what it is given): that is for whoever runs it.
    row = {name: value for name, (_, value) in cell.entries().items()}
    for name in ("name", "sentence", "breaks"):
        if name not in row:
            raise cell.refuse(f"the field {name!r} is missing")
    return Saboteur(
        name=row["name"].text(),
        sentence=row["sentence"].text(),
        seam=row["seam"].text() if "seam" in row else "",
        breaks=row["breaks"].texts(),
        position=row["name"].position,
    )

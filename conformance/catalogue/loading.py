"""From the files of the law to the one ``Catalogue``.

Every command asks for it, so it is read once and fast: the decoders refuse what is malformed,
while the JSON Schemas (for editors, and stricter) are held against the files by ``lint``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TypeVar

from conformance.catalogue import decoding
from conformance.catalogue.errors import CatalogueError
from conformance.catalogue.model import Catalogue, Document, Position, Requirement
from conformance.catalogue.reading import Cell, named, read

#: Where the law of this program lies.
LAW = Path(__file__).parent


class Row(Protocol):
    """A decoded row: it knows where it stands."""

    @property
    def position(self) -> Position:
        """Where the row stands."""
        ...


Value = TypeVar("Value", bound=Row)


@functools.cache
def load(folder: Path = LAW) -> Catalogue:
    """Return the law of a folder, this program's own by default; raises ``CatalogueError``."""
    return Catalogue(
        requirements=_keyed(_requirements(folder), lambda row: row.id, "requirement"),
        features=_keyed(_rows(folder, "features", decoding.feature), lambda row: row.name),
        profiles=_keyed(_rows(folder, "profiles", decoding.profile), lambda row: row.name),
        gaps=_keyed(_rows(folder, "gaps", decoding.gap), lambda row: row.id, "gap"),
        waits=_keyed(_rows(folder, "waits", decoding.wait), lambda row: row.name),
        documents=_keyed(_documents(folder), lambda row: row.title, "document"),
    )


def files(folder: Path = LAW) -> list[Path]:
    """Return every file of a law, in the order in which they are read."""
    tables = ("features", "profiles", "gaps", "waits")
    several = [*_within(folder, "requirements"), *_within(folder, "documents")]
    return [*several, *(folder / f"{table}.yaml" for table in tables)]


def _within(folder: Path, name: str) -> list[Path]:
    return sorted((folder / name).glob("*.yaml"))


def _requirements(folder: Path) -> Iterable[Requirement]:
    areas = _within(folder, "requirements")
    if not areas:
        raise CatalogueError(folder, "holds no requirements")
    for path in areas:
        root = read(path, named(path, folder)).fields(("area", "requirements"))
        area = root["area"].text()
        if area != path.stem:
            raise root["area"].refuse(f"the area of this file is {path.stem!r}, not {area!r}")
        for cell in root["requirements"].items():
            yield decoding.requirement(cell, area)


def _documents(folder: Path) -> Iterable[Document]:
    for path in _within(folder, "documents"):
        root = read(path, named(path, folder)).fields(("documents",))
        yield from map(decoding.document, root["documents"].items())


def _rows(folder: Path, table: str, decode: Callable[[Cell], Value]) -> Iterable[Value]:
    path = folder / f"{table}.yaml"
    root = read(path, named(path, folder)).fields((table,))
    return [decode(cell) for cell in root[table].items()]


def _keyed(
    rows: Iterable[Value], key: Callable[[Value], str], kind: str = "row"
) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for row in rows:
        name = key(row)
        if name in found:
            first = found[name].position
            raise CatalogueError(row.position, f"the {kind} {name!r} stands already at {first}")
        found[name] = row
    return found

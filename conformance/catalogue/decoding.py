"""From cells to values: one function per kind of row.

Each function knows the fields of its row and nothing of files. What one row cannot know (does
the section exist, is the profile empty) is for ``lint``; what would make a value meaningless
(an unknown field, a level that does not exist, an id that is none) is refused here, so that a
loaded ``Catalogue`` can be trusted. Raises ``CatalogueError``.
"""

from __future__ import annotations

import datetime as dt
import re

from conformance.catalogue.model import (
    CheckKind,
    Document,
    Feature,
    Gap,
    GapKind,
    Level,
    Maturity,
    Profile,
    Requirement,
    Role,
    Source,
    Stage,
    Wait,
    Waiver,
)
from conformance.catalogue.reading import Cell

_ID = re.compile(r"DRA-[A-Z]{2,4}-[0-9]{2}[a-z]?")
_MINOR = re.compile(r"1\.[0-9]{2}")
_LINK = re.compile(r"https?://\S+")


def requirement(cell: Cell, area: str) -> Requirement:
    """Decode one row of ``requirements/<area>.yaml``."""
    row = cell.fields(
        ("id", "level", "role", "statement", "source", "since", "check"), ("feature", "note")
    )
    source = row["source"].fields(("document", "section"))
    return Requirement(
        id=_matching(row["id"], _ID, "an id such as DRA-BND-03"),
        area=area,
        level=row["level"].choice(Level),
        role=row["role"].choice(Role),
        statement=row["statement"].text(),
        source=Source(document=source["document"].text(), section=source["section"].text()),
        since=_matching(row["since"], _MINOR, "a Kubernetes minor such as 1.34"),
        feature=row["feature"].text() if "feature" in row else None,
        check=row["check"].choice(CheckKind),
        note=row["note"].text() if "note" in row else None,
        position=row["id"].position,
    )


def feature(cell: Cell) -> Feature:
    """Decode one row of ``features.yaml``."""
    row = cell.fields(("name", "sentence", "gates", "stages"), ("requires",))
    stages = {
        _matching(key, _MINOR, "a Kubernetes minor such as 1.34"): _stage(value)
        for key, value in row["stages"].entries().values()
    }
    return Feature(
        name=row["name"].text(),
        sentence=row["sentence"].text(),
        gates=row["gates"].texts(),
        requires=row["requires"].texts() if "requires" in row else (),
        stages=stages,
        position=row["name"].position,
    )


def profile(cell: Cell) -> Profile:
    """Decode one row of ``profiles.yaml``."""
    row = cell.fields(("name", "sentence"), ("features", "ids", "except", "kep5970"))
    table = row["kep5970"].entries() if "kep5970" in row else {}
    return Profile(
        name=row["name"].text(),
        sentence=row["sentence"].text(),
        features=row["features"].texts() if "features" in row else (),
        ids=row["ids"].texts() if "ids" in row else (),
        except_=row["except"].texts() if "except" in row else (),
        kep5970={name: value.texts() for name, (_, value) in table.items()},
        position=row["name"].position,
    )


def gap(cell: Cell) -> Gap:
    """Decode one row of ``gaps.yaml``."""
    row = cell.fields(("id", "kind", "reason"))
    return Gap(
        id=_matching(row["id"], _ID, "an id such as DRA-BND-03"),
        kind=row["kind"].choice(GapKind),
        reason=row["reason"].text(),
        position=row["id"].position,
    )


def wait(cell: Cell) -> Wait:
    """Decode one row of ``waits.yaml``."""
    row = cell.fields(("name", "seconds", "sentence"))
    return Wait(
        name=row["name"].text(),
        seconds=row["seconds"].number(),
        sentence=row["sentence"].text(),
        position=row["name"].position,
    )


def document(cell: Cell) -> Document:
    """Decode one row of a file of ``documents/``."""
    row = cell.fields(("title", "original", "sections"))
    return Document(
        title=row["title"].text(),
        original=row["original"].text(),
        sections={name: value.text() for name, (_, value) in row["sections"].entries().items()},
        position=row["title"].position,
    )


def waiver(cell: Cell) -> Waiver:
    """Decode one row of a file of waivers."""
    row = cell.fields(("id", "reason", "until", "link"))
    word = row["until"].text()
    try:
        until = dt.date.fromisoformat(word)
    except ValueError:
        raise row["until"].refuse(f"expected a day such as 2026-12-31, found {word!r}") from None
    return Waiver(
        id=_matching(row["id"], _ID, "an id such as DRA-BND-03"),
        reason=row["reason"].text(),
        until=until,
        link=_matching(row["link"], _LINK, "a link to where the failure is tracked"),
        position=row["id"].position,
    )


def _stage(cell: Cell) -> Stage:
    row = cell.fields(("stage", "default", "locked"))
    return Stage(
        stage=row["stage"].choice(Maturity),
        default=row["default"].flag(),
        locked=row["locked"].flag(),
    )


def _matching(cell: Cell, pattern: re.Pattern[str], what: str) -> str:
    word = cell.text()
    if not pattern.fullmatch(word):
        raise cell.refuse(f"expected {what}, found {word!r}")
    return word

"""From the files of a folder to policies.

What is malformed (an unknown field, an expression that does not compile, a fact that does not
exist, a requirement that the law lacks) raises ``CatalogueError`` with file, line and column.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable
from pathlib import Path

import yaml

from conformance.catalogue import schema
from conformance.catalogue.errors import CatalogueError, UnknownId
from conformance.catalogue.model import Catalogue
from conformance.catalogue.reading import Cell, named, read
from conformance.cel import CompileError, Expression, compile_expression
from conformance.policy import paths
from conformance.policy.facts.table import FACTS
from conformance.policy.model import VARIABLES, Level, Match, Policy

#: Where the policies of this program lie.
POLICIES = Path(__file__).parent / "policies"
#: Ids of the law begin so; whoever brings own policies may cite own ids.
_OURS = "DRA-"
_LONGEST = 100
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def load(law: Catalogue, folders: Iterable[Path] = ()) -> tuple[Policy, ...]:
    """Return this program's policies and those of further folders; raises ``CatalogueError``."""
    return of_folders(law, (POLICIES, *folders))


def of_folders(law: Catalogue, folders: Iterable[Path]) -> tuple[Policy, ...]:
    """Return the policies of these folders alone; raises ``CatalogueError``."""
    found: dict[str, Policy] = {}
    paths_of = [(path, named(path, folder)) for folder in folders for path in _files(folder)]
    for policy in (one for path, name in paths_of for one in _area(path, name, law)):
        if policy.id in found:
            first = found[policy.id].position
            sentence = f"the policy {policy.id!r} stands already at {first}"
            raise CatalogueError(policy.position, sentence)
        found[policy.id] = policy
    return tuple(found.values())


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise CatalogueError(folder, "is no folder of policies")
    files = sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")])
    if not files and folder != POLICIES:
        raise CatalogueError(folder, "holds no policies (*.yaml)")
    return files


def _area(path: Path, name: str, law: Catalogue) -> list[Policy]:
    root = read(path, name)
    fields = root.fields(("area", "policies"))
    area = fields["area"].text()
    if area != path.stem:
        raise fields["area"].refuse(f"the area of this file is {path.stem!r}, not {area!r}")
    policies = [_policy(cell, area, law) for cell in fields["policies"].items()]
    # What the readers above let pass (lengths, full stops) is the schema's.
    for error in schema.against(root, _schema()):
        raise error
    return policies


def _policy(cell: Cell, area: str, law: Catalogue) -> Policy:
    row = cell.fields(
        ("id", "requirements", "match", "require", "message"), ("at", "show", "level")
    )
    name = row["id"].text()
    if not _ID.fullmatch(name):
        raise row["id"].refuse(f"expected words in lower case with dashes, found {name!r}")
    return Policy(
        id=name,
        area=area,
        requirements=row["requirements"].texts(),
        match=_match(row["match"]),
        require=_expression(row["require"], condition=True),
        message=row["message"].text(),
        at=_path(row["at"]) if "at" in row else None,
        show=_expression(row["show"], condition=False) if "show" in row else None,
        level=_level(row, law),
        position=row["id"].position,
    )


def _match(cell: Cell) -> Match:
    row = cell.fields(("kinds",), ("when", "each"))
    each: tuple[str, ...] = ()
    if "each" in row:
        listed = isinstance(row["each"].node, yaml.SequenceNode)
        cells = row["each"].items() if listed else [row["each"]]
        each = tuple(_path(one) for one in cells)
    return Match(
        kinds=row["kinds"].texts(),
        when=_expression(row["when"], condition=True) if "when" in row else None,
        each=each,
    )


def _level(row: dict[str, Cell], law: Catalogue) -> Level:
    """Return the level that is given, or that of the strictest requirement."""
    levels: list[Level] = []
    for cell in row["requirements"].items():
        name = cell.text()
        if name in law.requirements:
            levels.append(Level.of(law.requirements[name].level))
        elif name.startswith(_OURS):
            raise cell.refuse(str(UnknownId(name, law.requirements)))
    if "level" in row:
        return row["level"].choice(Level)
    if not levels:
        raise row["requirements"].refuse("a requirement of your own needs a level: must or should")
    return min(levels, key=lambda level: level.rank)


def _path(cell: Cell) -> str:
    text = cell.text()
    try:
        paths.parse(text)
    except paths.PathError as error:
        raise cell.refuse(str(error)) from error
    return text


def _expression(cell: Cell, *, condition: bool) -> Expression:
    text = " ".join(cell.text().split())
    if len(text) > _LONGEST:
        raise cell.refuse(f"an expression has at most {_LONGEST} characters, not {len(text)}")
    try:
        expression = compile_expression(text, VARIABLES, condition=condition)
    except CompileError as error:
        raise cell.refuse(f"does not compile: {error}") from error
    for variable in ("facts", "objects"):
        if expression.mentions(variable) and not expression.members(variable):
            raise cell.refuse(f"{variable} is read by name, as in {variable}.name")
    for name in sorted(expression.members("facts") - FACTS.keys()):
        close = difflib.get_close_matches(name, FACTS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise cell.refuse(f"no fact is called {name!r}{hint}")
    return expression


@functools.cache
def _schema() -> dict[str, object]:
    return schema.of("policy", "policy.schema.json")

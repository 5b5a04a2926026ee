"""The JSON Schemas of the law, held against its files.

The schemas serve editors (every file names its own in the first line) and are stricter than the
decoders: lengths, full stops, the RFC 2119 word of the level. They are loaded here alone, since
no command needs them: ``lint`` and the tests do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from conformance import data
from conformance.catalogue.errors import CatalogueError
from conformance.catalogue.reading import Cell, read

_MODELINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")


def validate(path: Path, name: str) -> Iterator[CatalogueError]:
    """Yield what the schema of a file has against it; ``name`` is what errors call the file.

    Raises ``CatalogueError`` where the file is not even YAML, or has no schema of ours.
    """
    root = read(path, name)
    yield from against(root, _schema(path, root))


def against(root: Cell, schema: dict[str, Any]) -> Iterator[CatalogueError]:
    """Yield what a schema has against a document, in the order of the document."""
    errors = Draft202012Validator(schema).iter_errors(root.plain())
    found = [(root.at(list(error.absolute_path)), error.message) for error in errors]
    for cell, message in sorted(found, key=lambda row: (row[0].position.line, row[1])):
        yield cell.refuse(_shortened(message))


def of_kind(kind: str) -> dict[str, Any]:
    """Return the schema of one kind of file, such as ``waivers``."""
    return of("catalogue", f"{kind}.schema.json")


def of(folder: str, name: str) -> dict[str, Any]:
    """Return a schema by the folder and the name of its file."""
    return json.loads(data.schemas(folder, name).read_text("utf-8"))


def _schema(path: Path, root: Cell) -> dict[str, Any]:
    modeline = _MODELINE.match(path.read_text("utf-8"))
    if not modeline:
        raise root.refuse("the first line does not name a schema for editors")
    file = data.schemas("catalogue", Path(modeline[1]).name)
    if not file.is_file():
        raise root.refuse(f"no schema is called {file.name!r}")
    return json.loads(file.read_text("utf-8"))


def _shortened(message: str, limit: int = 240) -> str:
    return message if len(message) <= limit else f"{message[:limit]}…"

"""YAML as cells that know where they stand.

A ``Cell`` wraps one node of a YAML document. Its readers (``fields``, ``items``, ``text``, …)
return what is expected or raise ``CatalogueError`` with file, line and column, so that whoever
decodes a file never has to speak of positions. Scalars stay text until a reader asks for more:
``no`` is a word and ``1.30`` is a version here.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import yaml
from attrs import frozen

from conformance.catalogue.errors import CatalogueError
from conformance.catalogue.model import Position

Choice = TypeVar("Choice", bound=StrEnum)

_TRUTH = {"true": True, "false": False}
_WORDS = "tag:yaml.org,2002:str"


@frozen
class Cell:
    """One node of a YAML document."""

    node: yaml.Node
    file: str

    @property
    def position(self) -> Position:
        """Where the node begins."""
        mark = self.node.start_mark
        return Position(file=self.file, line=mark.line + 1, column=mark.column + 1)

    def refuse(self, sentence: str) -> CatalogueError:
        """Return the error that says what is wrong here; the caller raises it."""
        return CatalogueError(self.position, sentence)

    def fields(self, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Cell]:
        """Return the values of a mapping whose keys are known."""
        entries = self.entries()
        known = [*required, *optional]
        for name, (key, _) in entries.items():
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise key.refuse(f"unknown field {name!r}{hint}")
        for name in required:
            if name not in entries:
                raise self.refuse(f"the field {name!r} is missing")
        return {name: value for name, (_, value) in entries.items()}

    def entries(self) -> dict[str, tuple[Cell, Cell]]:
        """Return key and value of every entry of a mapping, by the text of the key."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.refuse(f"expected a mapping, found {self._kind()}")
        found: dict[str, tuple[Cell, Cell]] = {}
        for key, value in self.node.value:
            cell = Cell(key, self.file)
            name = cell.text()
            if name in found:
                raise cell.refuse(f"the field {name!r} stands here twice")
            found[name] = (cell, Cell(value, self.file))
        return found

    def items(self) -> list[Cell]:
        """Return the items of a sequence."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.refuse(f"expected a list, found {self._kind()}")
        return [Cell(node, self.file) for node in self.node.value]

    def text(self) -> str:
        """Return a scalar as it is written; it may not be empty."""
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.refuse(f"expected a text, found {self._kind()}")
        if not self.node.value.strip():
            raise self.refuse("expected a text, found nothing")
        return self.node.value

    def texts(self) -> tuple[str, ...]:
        """Return the texts of a sequence."""
        return tuple(item.text() for item in self.items())

    def flag(self) -> bool:
        """Return true or false."""
        word = self.text()
        if word not in _TRUTH:
            raise self.refuse(f"expected true or false, found {word!r}")
        return _TRUTH[word]

    def number(self) -> float:
        """Return a number that is greater than zero."""
        word = self.text()
        try:
            value = float(word)
        except ValueError:
            raise self.refuse(f"expected a number, found {word!r}") from None
        if not value > 0 or value == float("inf"):
            raise self.refuse(f"expected a number greater than zero, found {word!r}")
        return value

    def choice(self, kind: type[Choice]) -> Choice:
        """Return the member of an enumeration that is named here."""
        word = self.text()
        try:
            return kind(word)
        except ValueError:
            raise self.refuse(f"expected one of {', '.join(kind)}, found {word!r}") from None

    def at(self, path: Sequence[str | int]) -> Cell:
        """Return the cell at a path of keys and indexes, or the last one that exists on it."""
        cell = self
        for step in path:
            below = cell._below(step)
            if below is None:
                return cell
            cell = below
        return cell

    def plain(self) -> Any:
        """Return the value as YAML 1.2's JSON schema would read it."""
        if isinstance(self.node, yaml.MappingNode):
            return {name: value.plain() for name, (_, value) in self.entries().items()}
        if isinstance(self.node, yaml.SequenceNode):
            return [item.plain() for item in self.items()]
        word: str = self.node.value
        if self.node.tag == _WORDS:
            return word
        if word in _TRUTH:
            return _TRUTH[word]
        try:
            return float(word)
        except ValueError:
            return word or None

    def _below(self, step: str | int) -> Cell | None:
        if isinstance(self.node, yaml.MappingNode):
            entry = self.entries().get(str(step))
            return entry[1] if entry else None
        if isinstance(self.node, yaml.SequenceNode) and isinstance(step, int):
            items = self.items()
            return items[step] if step < len(items) else None
        return None

    def _kind(self) -> str:
        names: Mapping[type[yaml.Node], str] = {
            yaml.MappingNode: "a mapping",
            yaml.SequenceNode: "a list",
        }
        return names.get(type(self.node), f"the text {self.node.value!r}")


def named(path: Path, folder: Path) -> str:
    """Return what errors call a file of a folder: its path below the import root.

    ``conformance/catalogue/gaps.yaml`` for a folder of this package, and the folder's own name
    and what follows for any other.
    """
    root = folder.resolve().parent
    while (root / "__init__.py").exists():
        root = root.parent
    return str(path.resolve().relative_to(root))


def read(path: Path, name: str | None = None) -> Cell:
    """Return the root cell of a YAML file; ``name`` is what errors call the file.

    Raises ``CatalogueError`` where the file cannot be read, is not YAML or is empty.
    """
    file = name or str(path)
    nowhere = Position(file=file, line=1, column=1)
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise CatalogueError(nowhere, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CatalogueError(nowhere, "is not UTF-8 text") from error
    return parse(text, file)


def parse(text: str, file: str) -> Cell:
    """Return the root cell of a YAML text; raises ``CatalogueError``."""
    nowhere = Position(file=file, line=1, column=1)
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = Position(file=file, line=mark.line + 1, column=mark.column + 1) if mark else nowhere
        raise CatalogueError(where, f"is not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise CatalogueError(nowhere, f"is not YAML: {error}") from error
    if node is None:
        raise CatalogueError(nowhere, "holds nothing")
    return Cell(node, file)

"""Read a world file, and say where it is wrong.

The shape is ``schemas/world/world.schema.json``; on top of it names must be known and unique.
Every complaint has the form ``file:line:column: path: sentence``.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from conformance.data import schemas
from conformance.kube.objects import Object
from conformance.kube.resources import PREFERRED
from conformance.reference.world.model import World, WorldDriver, WorldNode

#: What an object may be: apiVersion and kind.
_SERVED = {(row.api_version, row.kind) for row in PREFERRED}

#: A place in the document: keys and indices from the top.
Where = tuple[str | int, ...]


class WorldError(ValueError):
    """The world file is unusable; the message is one sentence with file, line and column."""


class _Places:
    """Line and column of everything in a YAML document."""

    def __init__(self, file: str, root: yaml.Node | None) -> None:
        self._file = file
        self._marks: dict[Where, yaml.Mark] = {}
        if root is not None:
            self._walk((), root)

    def _walk(self, where: Where, node: yaml.Node) -> None:
        self._marks.setdefault(where, node.start_mark)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                below = (*where, str(key.value))
                self._marks[below] = key.start_mark
                self._walk(below, value)
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                self._walk((*where, index), value)

    def error(self, where: Sequence[str | int], sentence: str) -> WorldError:
        """Return the complaint about one place."""
        place = tuple(where)
        while place and place not in self._marks:
            place = place[:-1]
        mark = self._marks.get(place)
        position = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        path = _spelled(where)
        return WorldError(f"{self._file}:{position}: {path + ': ' if path else ''}{sentence}")


def _spelled(where: Iterable[str | int]) -> str:
    text = ""
    for part in where:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def load_world(path: Path) -> World:
    """Return the world of a file.

    Raises ``WorldError`` for a file that can't be read, is no YAML, or has another shape.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise WorldError(f"{path}: the world file can't be read: {reason}") from None
    return parse_world(text, str(path))


def parse_world(text: str, file: str) -> World:
    """Return the world that a YAML text describes; ``file`` is what complaints name."""
    try:
        root = yaml.compose(text, yaml.SafeLoader)
        document: Any = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        position = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        raise WorldError(f"{file}:{position}: not YAML: {error.problem}") from None
    except yaml.YAMLError:
        raise WorldError(f"{file}:1:1: not YAML") from None
    places = _Places(file, root)
    _check_shape({} if document is None else document, places)
    world = _world(document or {})
    _check_names(world, places)
    return world


def _check_shape(document: Any, places: _Places) -> None:
    schema = json.loads((schemas("world", "world.schema.json")).read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    found = sorted(validator.iter_errors(document), key=lambda one: (len(one.path), str(one.path)))
    if found:
        raise _complaint(found[0], places)


def _complaint(error: Any, places: _Places) -> WorldError:
    where: list[str | int] = list(error.absolute_path)
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = next(key for key in error.instance if key not in known)
        close = difflib.get_close_matches(str(unknown), known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(known)}"
        return places.error([*where, unknown], f"unknown field{hint}")
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return places.error(where, f"field {missing!r} is missing")
    if error.validator == "anyOf":
        return places.error(where, "either 'count' or 'devices' must say which devices there are")
    if error.validator == "type":
        wanted = error.validator_value
        kinds = wanted if isinstance(wanted, str) else " or ".join(wanted)
        return places.error(where, f"expected {kinds}, found {type(error.instance).__name__}")
    return places.error(where, error.message)


def _world(document: Object) -> World:
    return World(
        nodes=tuple(map(_node, document.get("nodes") or [])),
        drivers=tuple(map(_driver, document.get("drivers") or [])),
        classes=tuple(document.get("classes") or []),
        objects=tuple(document.get("objects") or []),
    )


def _node(row: Object) -> WorldNode:
    allocatable = {name: str(value) for name, value in (row.get("allocatable") or {}).items()}
    return WorldNode(name=row["name"], labels=row.get("labels") or {}, allocatable=allocatable)


def _driver(row: Object) -> WorldDriver:
    return WorldDriver(
        name=row["name"],
        device_class=row.get("deviceClass", row["name"]),
        devices=tuple(row.get("devices") or _counted(row)),
        nodes=tuple(row.get("nodes") or ()),
        metadata=row.get("metadata", False),
        health=row.get("health", True),
    )


def _counted(row: Object) -> list[Object]:
    shared = {key: row[key] for key in ("attributes", "capacity") if row.get(key)}
    return [{"name": f"device-{number}", **shared} for number in range(row["count"])]


def _check_names(world: World, places: _Places) -> None:
    for what, listed in (("classes", world.classes), ("objects", world.objects)):
        for index, obj in enumerate(listed):
            if (obj["apiVersion"], obj["kind"]) not in _SERVED:
                sentence = f"kind {obj['kind']} of {obj['apiVersion']} is not served"
                raise places.error((what, index, "kind"), sentence)
    nodes = [node.name for node in world.nodes]
    _check_unique(nodes, "nodes", places)
    _check_unique([driver.name for driver in world.drivers], "drivers", places)
    if not nodes:
        return
    for index, driver in enumerate(world.drivers):
        for position, node in enumerate(driver.nodes):
            if node not in nodes:
                close = difflib.get_close_matches(node, nodes, n=1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                where = ("drivers", index, "nodes", position)
                raise places.error(where, f"no node is called {node!r}{hint}")


def _check_unique(names: Sequence[str], what: str, places: _Places) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise places.error((what, index, "name"), f"{name!r} stands twice")

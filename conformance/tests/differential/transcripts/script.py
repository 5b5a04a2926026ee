"""What is asked: steps in YAML, each a sentence and a request.

A step has ``say`` and one of

- ``do: METHOD PATH`` with ``body`` (an object) or ``raw`` (text), ``type`` (media type of the
  body, or json, merge, strategic, apply for the patches), ``accept``, ``each`` (do it once for
  every value) and ``save`` (a name for the answer);
- ``watch: PATH`` with ``as`` (a name), and later ``read: NAME`` with ``count`` events;
- ``forget: true``: the server forgets all past events and states.

``{ns}`` is the script's namespace, ``{each}`` the value, ``{name.field.field}`` a field of a
saved answer. ``show`` lists the only fields of an answer that are compared.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import attrs
import yaml

_FOLDER = Path(__file__).with_name("scripts")
_PLACE = re.compile(r"\{([a-z]\w*(?:\.[\w-]+)*)\}")

#: Media types of patches by their short names.
TYPES = {
    "json": "application/json-patch+json",
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "apply": "application/apply-patch+yaml",
}


@attrs.frozen(kw_only=True)
class Step:
    """One line of a conversation."""

    say: str
    do: str = ""
    watch: str = ""
    read: str = ""
    forget: bool = False
    body: Any = None
    raw: str | None = None
    type: str = "application/json"
    accept: str = "application/json"
    each: tuple[str, ...] = ()
    save: str = ""
    name: str = ""
    count: int = 0
    show: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Script:
    """A conversation about one thing, in a namespace of its own."""

    name: str
    gates: str
    steps: tuple[Step, ...]


def scripts() -> list[Script]:
    """Return every script, by name. Raises ``ValueError`` for a step that is said twice."""
    return [_read(path) for path in sorted(_FOLDER.glob("*.yaml"))]


def fill(value: Any, known: dict[str, Any]) -> Any:
    """Return a value with every ``{place}`` filled in. Raises ``KeyError`` for an unknown one."""
    if isinstance(value, dict):
        return {fill(key, known): fill(one, known) for key, one in value.items()}
    if isinstance(value, list):
        return [fill(one, known) for one in value]
    if not isinstance(value, str):
        return value
    whole = _PLACE.fullmatch(value)
    if whole:
        return _look_up(whole[1], known)
    return _PLACE.sub(lambda found: str(_look_up(found[1], known)), value)


def _look_up(path: str, known: dict[str, Any]) -> Any:
    value: Any = known
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def _read(path: Path) -> Script:
    document = yaml.safe_load(path.read_text())
    steps = tuple(_step(row) for row in document["steps"])
    said = [step.say for step in steps]
    if len(set(said)) != len(said):
        twice = sorted({one for one in said if said.count(one) > 1})
        raise ValueError(f"{path.name}: said twice: {', '.join(twice)}")
    return Script(name=path.stem, gates=document.get("gates", "default"), steps=steps)


def _step(row: dict[str, Any]) -> Step:
    given = dict(row)
    given["name"] = given.pop("as", "")
    given["type"] = TYPES.get(given.get("type", ""), given.get("type", "application/json"))
    for key in ("each", "show"):
        given[key] = tuple(given.get(key, ()))
    return Step(**given)

"""Every change of one place of an object: dropped, of another type, empty, too long, ..."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from conformance.kube.objects import Object

#: Steps from an object to a place in it.
Path = tuple[str | int, ...]

_DROP = object()

_STRINGS = {
    "empty": "",
    "odd": "Not_Valid!",
    "long": "a" * 300,
    "other": "other",
    "number": 7,
}
_NUMBERS = {"zero": 0, "negative": -1, "more": 1001, "huge": 2**40, "text": "x", "half": 1.5}
_FLAGS = {"text": "x", "false": False}


def mutations(obj: Object, root: Path) -> Iterator[tuple[str, Object]]:
    """Yield what is changed, in words, and the changed object, for each place below ``root``."""
    for path, value in list(_places(_get(obj, root), root)):
        for word, other in _others(value):
            if other is not _DROP and other == value and type(other) is type(value):
                continue
            yield f"{word} {'.'.join(map(str, path))}", _with(obj, path, other)


def _places(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _places(one, (*path, key))
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from _places(one, (*path, index))


def _others(value: Any) -> Iterator[tuple[str, Any]]:
    yield "drop", _DROP
    yield "null", None
    if isinstance(value, dict):
        yield from (("empty", {}), ("text", "x"), ("unknown", {**value, "surprise": 1}))
    elif isinstance(value, list):
        yield from (("empty", []), ("text", "x"), ("duplicate", [*value, value[0]]))
        yield "many", [copy.deepcopy(value[0]) for _ in range(40)]
    elif isinstance(value, bool):
        yield from _FLAGS.items()
    elif isinstance(value, int):
        yield from _NUMBERS.items()
    else:
        yield from _STRINGS.items()


def _get(obj: Any, path: Path) -> Any:
    for step in path:
        obj = obj[step]
    return obj


def _with(obj: Object, path: Path, value: Any) -> Object:
    changed = copy.deepcopy(obj)
    holder = _get(changed, path[:-1])
    if value is _DROP:
        del holder[path[-1]]
    else:
        holder[path[-1]] = copy.deepcopy(value)
    return changed

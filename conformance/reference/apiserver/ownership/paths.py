"""Sets of fields: a path is a tuple of elements, spelled as in FieldsV1.

``f:name`` is a field or key, ``k:{"name":"x"}`` the element of a list with these keys,
``v:"x"`` an element of a set.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.apiserver.ownership.types import Kind, Type

Path = tuple[str, ...]
Paths = frozenset[Path]

#: In FieldsV1: the field itself, beside what is in it.
_ITSELF = "."

_ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


class OwnershipError(ValueError):
    """An object or an entry of managedFields has no set of fields."""


def named(name: str) -> str:
    """Return the element of a field or of a key of a map."""
    return f"f:{name}"


def of_item(type_: Type, item: Any) -> str:
    """Return the element of a list's item. Raises ``OwnershipError`` when it has none."""
    if not type_.keys:
        if isinstance(item, dict | list) or item is None:
            raise OwnershipError("an element of a set is no plain value")
        return f"v:{_spell(item)}"
    if not isinstance(item, dict):
        raise OwnershipError("an element of a list with keys is no object")
    keys = {}
    for key in type_.keys:
        value = item[key] if key in item else type_.default_of(key)
        if key in item or value is not None:
            keys[key] = value
    if not keys:
        wanted = ", ".join(f'"{key}"' for key in type_.keys)
        raise OwnershipError(f"associative list with keys has an element that omits all {wanted}")
    return f"k:{_spell(keys)}"


def under(paths: Iterable[Path], element: str) -> Paths:
    """Return what is below an element, the element left out."""
    return frozenset(path[1:] for path in paths if len(path) > 1 and path[0] == element)


def without(paths: Paths, roots: Iterable[Path]) -> Paths:
    """Return the paths that are no root and lie below none."""
    kept = tuple(roots)
    return frozenset(p for p in paths if not any(p[: len(root)] == root for root in kept))


def with_structs(paths: Paths, type_: Type) -> Paths:
    """Return the paths and the struct fields on the way to them, which no set names."""
    added = {path[:depth] for path in paths for depth in _named_depths(path, type_)}
    return paths | added


def _named_depths(path: Path, type_: Type) -> Iterable[int]:
    here = type_
    for depth, element in enumerate(path[:-1], start=1):
        if element.startswith("f:"):
            name = element[2:]
            if here.kind is Kind.STRUCT and name in here.fields:
                yield depth
            here = here.at(name)
        else:
            here = here.element or here


def encode(paths: Paths) -> Object:
    """Return the set as FieldsV1."""
    tree: Object = {}
    for path in paths:
        node = tree
        for element in path:
            node = node.setdefault(element, {})
        node[_ITSELF] = {}
    return _without_needless(tree)


def _without_needless(node: Object) -> Object:
    # Where nothing is below a field, that it is owned needs no mark.
    if set(node) == {_ITSELF}:
        return {}
    return {
        key: value if key == _ITSELF else _without_needless(value) for key, value in node.items()
    }


def decode(fields: Any) -> Paths:
    """Return the set that FieldsV1 spells. Raises ``OwnershipError``."""
    if not isinstance(fields, dict):
        raise OwnershipError("FieldsV1 is no object")
    return frozenset(_decoded(fields, ()))


def _decoded(node: Object, path: Path) -> Iterable[Path]:
    for key, below in node.items():
        if not isinstance(below, dict):
            raise OwnershipError(f"FieldsV1 has no object at {key}")
        if key == _ITSELF:
            yield path
            continue
        here = (*path, _canonical(key))
        if not below:
            yield here
        yield from _decoded(below, here)


@functools.lru_cache(maxsize=4096)
def _canonical(element: str) -> str:
    kind, text = element[:2], element[2:]
    if kind in ("f:", "i:"):
        return element
    if kind not in ("k:", "v:"):
        raise OwnershipError(f"unknown path element {element}")
    try:
        return kind + _spell(json.loads(text))
    except ValueError as error:
        raise OwnershipError(f"path element {element} is no JSON") from error


def spell(path: Path) -> str:
    """Return the path as messages name a field: ``.spec.containers[name="c"].image``."""
    return "".join(_spoken(element) for element in path)


def _spoken(element: str) -> str:
    kind, text = element[:2], element[2:]
    if kind == "f:":
        return f".{text}"
    if kind == "k:":
        pairs = (f"{key}={_spell(value)}" for key, value in json.loads(text).items())
        return f"[{','.join(pairs)}]"
    return f"[={text}]" if kind == "v:" else f"[{text}]"


def _spell(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    for plain, escaped in _ESCAPED.items():
        text = text.replace(plain, escaped)
    return text

"""Which fields differ between two objects."""

from __future__ import annotations

from typing import Any

import attrs

from conformance.reference.apiserver.ownership import paths
from conformance.reference.apiserver.ownership.paths import Path, Paths
from conformance.reference.apiserver.ownership.types import Type
from conformance.reference.apiserver.ownership.walking import (
    as_list,
    as_map,
    has_items,
    is_shared_list,
    is_shared_object,
)


class Absent:
    """Stands for a field that is not there, which is another thing than null."""


ABSENT = Absent()


@attrs.frozen(kw_only=True)
class Comparison:
    """What one object has that the other has not, and what differs."""

    added: Paths
    modified: Paths
    removed: Paths

    def without(self, roots: tuple[Path, ...]) -> Comparison:
        """Return the comparison without these fields and all below them."""
        return Comparison(
            added=paths.without(self.added, roots),
            modified=paths.without(self.modified, roots),
            removed=paths.without(self.removed, roots),
        )


def compare(old: Any, new: Any, type_: Type) -> Comparison:
    """Compare two objects of a type. Raises ``OwnershipError``."""
    walk = _Walk()
    walk.visit(old, new, type_, ())
    return Comparison(
        added=frozenset(walk.added),
        modified=frozenset(walk.modified),
        removed=frozenset(walk.removed),
    )


class _Walk:
    def __init__(self) -> None:
        self.added: set[Path] = set()
        self.modified: set[Path] = set()
        self.removed: set[Path] = set()

    def visit(self, old: Any, new: Any, type_: Type, path: Path) -> None:
        if old is new or (old == new and type(old) is type(new)):
            return
        old, new = _with_zeros(old, type_), _with_zeros(new, type_)
        present = old if new is ABSENT else new
        is_shared = is_shared_object(type_, present) or is_shared_list(type_, present)
        if present is None:
            other = new if new is not ABSENT and new is not None else old
            is_shared = is_shared_object(type_, other) or is_shared_list(type_, other)
        if not is_shared or not (has_items(old) or has_items(new)):
            self._leaf(old, new, path)
            return
        if isinstance(present if present is not None else old, list):
            self._lists(as_list(old), as_list(new), type_, path)
        else:
            self._maps(as_map(old), as_map(new), type_, path)
        if old is ABSENT:
            self.added.add(path)
        elif new is ABSENT:
            self.removed.add(path)

    def _leaf(self, old: Any, new: Any, path: Path) -> None:
        if old is ABSENT:
            self.added.add(path)
        elif new is ABSENT:
            self.removed.add(path)
        else:
            self.modified.add(path)

    def _maps(self, old: dict[str, Any], new: dict[str, Any], type_: Type, path: Path) -> None:
        for key in {**old, **new}:
            here = (*path, paths.named(key))
            self.visit(old.get(key, ABSENT), new.get(key, ABSENT), type_.at(key), here)

    def _lists(self, old: list[Any], new: list[Any], type_: Type, path: Path) -> None:
        before, after = _by_element(old, type_), _by_element(new, type_)
        for element in {**before, **after}:
            here = (*path, element)
            one, other = before.get(element, []), after.get(element, [])
            if len(one) > 1 and len(other) > 1:
                if one != other:
                    self.modified.add(here)
            elif len(one) > 1:
                self._item([], other, type_, here)
                self.removed.add(here)
            elif len(other) > 1:
                self._item(one, [], type_, here)
                self.added.add(here)
            else:
                self._item(one, other, type_, here)

    def _item(self, old: list[Any], new: list[Any], type_: Type, path: Path) -> None:
        if old or new:
            one, other = old[0] if old else ABSENT, new[0] if new else ABSENT
            self.visit(one, other, type_.element or type_, path)


def _with_zeros(value: Any, type_: Type) -> Any:
    return {**type_.zeros, **value} if isinstance(value, dict) and type_.zeros else value


def _by_element(items: list[Any], type_: Type) -> dict[str, list[Any]]:
    result: dict[str, list[Any]] = {}
    for item in items:
        result.setdefault(paths.of_item(type_, item), []).append(item)
    return result

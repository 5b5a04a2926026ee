"""Which fields one object has, and the object without some of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.reference.apiserver.ownership import paths
from conformance.reference.apiserver.ownership.paths import OwnershipError, Path, Paths
from conformance.reference.apiserver.ownership.types import Kind, Type

#: Kinds that hold further values under names.
_OBJECTS = (Kind.STRUCT, Kind.MAP)


def is_shared_object(type_: Type, value: Any) -> bool:
    """Say whether the fields of this value have owners of their own."""
    return type_.kind in _OBJECTS and not type_.is_atomic and isinstance(value, dict)


def is_shared_list(type_: Type, value: Any) -> bool:
    """Say whether the elements of this value have owners of their own."""
    return type_.kind is Kind.LIST and not type_.is_atomic and isinstance(value, list)


def has_items(value: Any) -> bool:
    """Say whether something stands in a value that can hold others."""
    return isinstance(value, dict | list) and bool(value)


def as_map(value: Any) -> dict[str, Any]:
    """Return the value if it is a map, and an empty one otherwise."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return the value if it is a list, and an empty one otherwise."""
    return value if isinstance(value, list) else []


def fields_of(value: Any, type_: Type) -> Paths:
    """Return the fields that an object sets. Raises ``OwnershipError``."""
    return frozenset(_fields(value, type_, ()))


def _fields(value: Any, type_: Type, path: Path) -> Iterator[Path]:
    if is_shared_object(type_, value):
        known = type_.fields
        for key, one in value.items():
            here = (*path, paths.named(key))
            yield from _fields(one, type_.at(key), here)
            if one is None or one == {} or key not in known:
                yield here
    elif is_shared_list(type_, value):
        yield from _items(value, type_, path)
    elif value is not None or type_.is_atomic or type_.kind is Kind.SCALAR:
        yield path


def _items(items: list[Any], type_: Type, path: Path) -> Iterator[Path]:
    elements = [paths.of_item(type_, item) for item in items]
    for element, item in zip(elements, items, strict=True):
        here = (*path, element)
        if elements.count(element) == 1:
            yield from _fields(item, type_.element or type_, here)
        yield here


def require_unique(value: Any, type_: Type, path: Path = ()) -> None:
    """Raise ``OwnershipError`` for a list with keys that has two elements with the same."""
    if is_shared_object(type_, value):
        for key, one in value.items():
            require_unique(one, type_.at(key), (*path, paths.named(key)))
    elif is_shared_list(type_, value):
        seen: set[str] = set()
        for item in value:
            element = paths.of_item(type_, item)
            if element in seen:
                where = paths.spell(path)
                raise OwnershipError(
                    f"{where}: duplicate entries for key {paths.spell((element,))}"
                )
            seen.add(element)
            require_unique(item, type_.element or type_, (*path, element))


def removed(value: Any, type_: Type, gone: Paths) -> Any:
    """Return the value without these fields; what is left with nothing in it is None."""
    if is_shared_object(type_, value) and value:
        kept: dict[str, Any] = {}
        for key, one in value.items():
            element = paths.named(key)
            if (element,) not in gone:
                below = paths.under(gone, element)
                kept[key] = removed(one, type_.at(key), below) if below else one
        return kept or None
    if is_shared_list(type_, value) and value:
        left = [
            removed(item, type_.element or type_, paths.under(gone, element))
            if paths.under(gone, element)
            else item
            for item in value
            if ((element := paths.of_item(type_, item)),) not in gone
        ]
        return left or None
    # What is owned as a whole has nothing below it that could stay.
    return value if type_.kind is Kind.SCALAR or not isinstance(value, dict | list) else None

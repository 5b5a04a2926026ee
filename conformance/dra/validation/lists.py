"""Lists and maps: their size, their items, their uniqueness; and immutability."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from conformance.dra.strategy import semantic
from conformance.kube.fields import FieldError, duplicate, invalid, too_many

#: What is wrong with a value at a path.
Rule = Callable[[Any, str], Iterable[FieldError]]

#: Keys in paths are cut in the middle from this length on.
_KEY_LENGTH = 16


def each(
    items: Sequence[Any] | None, path: str, rule: Rule, *, limit: int | None = None
) -> Iterator[FieldError]:
    """Check every item, unless there are too many: then only that is said."""
    present = items or ()
    if limit is not None and len(present) > limit:
        yield too_many(path, len(present), limit)
        return
    for index, item in enumerate(present):
        yield from rule(item, f"{path}[{index}]")


def each_unique(
    items: Sequence[Any] | None,
    path: str,
    rule: Rule,
    *,
    key: Callable[[Any], Hashable] = lambda item: item,
    limit: int | None = None,
) -> Iterator[FieldError]:
    """Check every item as ``each`` does, and that no key stands twice."""
    yield from each(items, path, rule, limit=limit)
    if items and limit is not None and len(items) > limit:
        return
    seen: set[Hashable] = set()
    for index, item in enumerate(items or ()):
        name = key(item)
        if name in seen:
            yield duplicate(f"{path}[{index}]", name)
        seen.add(name)


def each_entry(
    entries: Mapping[str, Any] | None,
    path: str,
    key_rule: Rule,
    rule: Rule,
    *,
    limit: int | None = None,
    key_length: int = _KEY_LENGTH,
) -> Iterator[FieldError]:
    """Check keys (errors at the map itself) and values of a map."""
    present = entries or {}
    if limit is not None and len(present) > limit:
        yield too_many(path, len(present), limit)
        return
    for key, value in present.items():
        yield from key_rule(key, path)
        yield from rule(value, f"{path}[{shortened(key, key_length)}]")


def shortened(key: str, length: int) -> str:
    """Return the key, its middle replaced by dots where it is longer than ``length``."""
    limit = max(length, _KEY_LENGTH)
    if len(key) <= limit:
        return key
    rest = limit - len("...")
    return f"{key[: (rest + 1) // 2]}...{key[len(key) - rest // 2 :]}"


def immutable(new: Any, old: Any, path: str) -> Iterator[FieldError]:
    """Refuse any change; nothing and empty are the same."""
    if semantic(new) != semantic(old):
        yield invalid(path, new, "field is immutable")

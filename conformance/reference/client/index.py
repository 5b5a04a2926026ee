"""An index over a cache: objects by what they say of themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from conformance.kube.objects import Object

#: What an object is found by; it may be several things, or nothing.
Indexer = Callable[[Object], Iterable[str]]


class Index:
    """Keys of objects by token."""

    def __init__(self, indexer: Indexer) -> None:
        self._indexer = indexer
        self._keys: dict[str, set[str]] = {}

    def change(self, key: str, old: Object | None, new: Object | None) -> None:
        """Take note that the object with that key was one and is the other now."""
        for token in () if old is None else self._indexer(old):
            keys = self._keys.get(token)
            if keys is not None:
                keys.discard(key)
                if not keys:
                    del self._keys[token]
        for token in () if new is None else self._indexer(new):
            self._keys.setdefault(token, set()).add(key)

    def keys(self, token: str) -> list[str]:
        """Return the keys of the objects that the token finds, sorted."""
        return sorted(self._keys.get(token, ()))

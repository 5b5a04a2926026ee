"""Informers that several controllers share: one watch per resource, many listeners."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Iterable

from conformance.kube.objects import Object
from conformance.reference.client.api import ApiClient
from conformance.reference.client.informer import Informer
from conformance.reference.measuring.measures import Measures

#: Called with the event's type, the object and its previous state.
Listener = Callable[[str, Object, Object | None], None]

#: The index of every cache: dependents by the uid of their owners.
BY_OWNER = "owner"


class SharedInformers:
    """The caches of one controller manager."""

    def __init__(self, client: ApiClient, resources: Iterable[str]) -> None:
        #: The metrics of the manager, which its controllers enter.
        self.measures = Measures()
        self._listeners: dict[str, list[Listener]] = {plural: [] for plural in resources}
        self._informers = {
            plural: Informer(client, plural, on_event=functools.partial(self._tell, plural))
            for plural in self._listeners
        }
        for informer in self._informers.values():
            informer.add_index(BY_OWNER, _owners)

    def listen(self, plural: str, listener: Listener) -> None:
        """Have ``listener`` called for every event of a resource; before ``start``."""
        self._listeners[plural].append(listener)

    def __getitem__(self, plural: str) -> Informer:
        """Return the cache of a resource."""
        return self._informers[plural]

    def find(self, plural: str) -> Informer | None:
        """Return the cache of a resource, nothing where it is not watched."""
        return self._informers.get(plural)

    def __contains__(self, plural: str) -> bool:
        return plural in self._informers

    async def start(self) -> None:
        """Return once every first list is in its cache."""
        await asyncio.gather(*(informer.synced() for informer in self._informers.values()))

    async def stop(self) -> None:
        """End every watch."""
        for informer in self._informers.values():
            await informer.stop()

    def _tell(self, plural: str, kind: str, obj: Object, old: Object | None) -> None:
        for listener in self._listeners[plural]:
            listener(kind, obj, old)


def _owners(obj: Object) -> list[str]:
    return [reference["uid"] for reference in obj["metadata"].get("ownerReferences") or []]

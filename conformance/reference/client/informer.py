"""A local copy of one resource, kept current by list and watch over the real socket."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from conformance.kube.objects import Object, key_of
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient, Unreachable
from conformance.reference.client.index import Index, Indexer
from conformance.reference.client.paths import resolve
from conformance.reference.clock import Clock

_LOG = logging.getLogger(__name__)

#: Seconds between two attempts while the server does not answer.
RECONNECT_DELAY = 1.0

#: Called as ``on_event(type, obj, old)``: ADDED (old is None), MODIFIED, DELETED (obj is the
#: last state). The cache already holds the new state.
OnEvent = Callable[[str, Object, Object | None], None]


class Informer:
    """The objects of one resource by ``key_of``: ``namespace/name``, or ``name`` alone.

    Objects in the cache are shared: whoever wants to change one copies it first.
    """

    def __init__(
        self,
        client: ApiClient,
        resource: Resource | str,
        *,
        namespace: str | None = None,
        field_selector: str | None = None,
        label_selector: str | None = None,
        on_event: OnEvent | None = None,
    ) -> None:
        self.resource = resolve(resource)
        self._client = client
        self._namespace = namespace
        self._selectors = {"label_selector": label_selector, "field_selector": field_selector}
        self._on_event = on_event
        self._objects: dict[str, Object] = {}
        #: The objects in the order of the keys, as long as nothing changes.
        self._sorted: tuple[Object, ...] | None = None
        self._indices: dict[str, Index] = {}
        self._version = ""
        self._synced = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def add_index(self, name: str, indexer: Indexer) -> None:
        """Have objects found by what ``indexer`` says of them; before ``start``."""
        self._indices[name] = Index(indexer)

    def start(self) -> None:
        """Begin to list and watch in a task of the running loop."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """End the watch; the cache stays as it is."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def synced(self) -> None:
        """Wait until the first list is in the cache; starts the informer if nobody did."""
        self.start()
        await self._synced.wait()

    def get(self, key: str) -> Object | None:
        """Return the object with that key, if there is one."""
        return self._objects.get(key)

    def values(self) -> Sequence[Object]:
        """Return every object, in the order of the keys."""
        if self._sorted is None:
            self._sorted = tuple(self._objects[key] for key in sorted(self._objects))
        return self._sorted

    def find(self, index: str, token: str) -> list[Object]:
        """Return the objects that an index finds by ``token``, in the order of the keys."""
        return [self._objects[key] for key in self._indices[index].keys(token)]

    def keys(self) -> list[str]:
        """Return every key, sorted."""
        return sorted(self._objects)

    async def _run(self) -> None:
        clock = self._client.clock
        while True:
            try:
                await self._list(clock)
                await self._watch()
            except StatusError as error:
                # 410 Expired: history was compacted, so the list must be read anew at once.
                if error.code != 410:
                    _LOG.debug("watch of %s: %s", self.resource.plural, error)
                    await clock.sleep(RECONNECT_DELAY)
            except Unreachable as error:
                _LOG.debug("watch of %s: %s", self.resource.plural, error)
                await clock.sleep(RECONNECT_DELAY)

    async def _list(self, clock: Clock) -> None:
        with clock.busy():
            items, self._version = await self._client.list(
                self.resource, self._namespace, **self._selectors
            )
            fresh = {key_of(item): item for item in items}
            for key in sorted(set(self._objects) - set(fresh)):
                self._apply("DELETED", key, self._objects[key])
            for key in sorted(fresh):
                self._take(key, fresh[key])
            self._synced.set()

    def _take(self, key: str, obj: Object) -> None:
        old = self._objects.get(key)
        if old is None:
            self._apply("ADDED", key, obj)
        elif old["metadata"]["uid"] != obj["metadata"]["uid"]:
            self._apply("DELETED", key, old)
            self._apply("ADDED", key, obj)
        elif old["metadata"]["resourceVersion"] != obj["metadata"]["resourceVersion"]:
            self._apply("MODIFIED", key, obj)

    async def _watch(self) -> None:
        while True:
            stream = self._client.watch_resource(
                self.resource,
                self._namespace,
                resource_version=self._version,
                **self._selectors,
            )
            async for event in stream:
                self._version = event.object["metadata"]["resourceVersion"]
                if event.type == "DELETED":
                    self._apply("DELETED", key_of(event.object), event.object)
                elif event.type != "BOOKMARK":
                    self._take(key_of(event.object), event.object)

    def _apply(self, kind: str, key: str, obj: Object) -> None:
        old = self._objects.pop(key, None)
        if kind != "DELETED":
            self._objects[key] = obj
        elif old is None:
            return
        self._sorted = None
        for index in self._indices.values():
            index.change(key, old, None if kind == "DELETED" else obj)
        if self._on_event is not None:
            self._on_event(kind, obj, old)

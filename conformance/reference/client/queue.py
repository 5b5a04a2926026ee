"""The work queue of a reconciler: keys, each once, one worker per key at a time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from conformance.reference.clock import Clock

_LOG = logging.getLogger(__name__)

#: Delay of the first retry of a key, and the longest one, in seconds (client-go's defaults).
BASE_DELAY = 0.005
MAX_DELAY = 1000.0


class QueueWatch(Protocol):
    """Who counts what a queue does."""

    def added(self) -> None:
        """Take note that a key was added."""
        ...

    def worked(self, seconds: float) -> None:
        """Take note that a key was worked on for so long."""
        ...


class WorkQueue:
    """Keys that wait for a reconciler.

    A key that is added while it waits is kept once; a key that is added while it is being
    processed comes back after ``done``. The clock is held busy while any key is ready or
    being processed; keys with a delay wait on the clock and do not hold it.
    """

    def __init__(self, clock: Clock, watch: QueueWatch | None = None) -> None:
        """``watch`` is told what is added and how long each key was worked on."""
        self._clock = clock
        self._watch = watch
        self._ready: deque[str] = deque()
        self._waiting: set[str] = set()
        self._processing: set[str] = set()
        self._failures: dict[str, int] = {}
        self._delayed: dict[str, tuple[float, asyncio.Task[None]]] = {}
        self._getters: deque[asyncio.Future[None]] = deque()
        self._busy: contextlib.AbstractContextManager[None] | None = None
        self._closed = False

    def __str__(self) -> str:
        """Return what is being worked on, and what waits for that."""
        worked, ready = (", ".join(sorted(one)) for one in (self._processing, self._waiting))
        return f"a work queue (works on: {worked or 'nothing'}; ready: {ready or 'nothing'})"

    def add(self, key: str) -> None:
        """Make a key ready now."""
        if self._closed or key in self._waiting:
            return
        self._waiting.add(key)
        if self._watch is not None:
            self._watch.added()
        if key not in self._processing:
            self._ready.append(key)
        self._hold()
        self._wake()

    def add_after(self, key: str, seconds: float) -> None:
        """Make a key ready after so many seconds; of several such wishes the earliest counts."""
        if self._closed:
            return
        if seconds <= 0:
            self.add(key)
            return
        due = self._clock.monotonic() + seconds
        planned = self._delayed.get(key)
        if planned and planned[0] <= due:
            return
        if planned:
            planned[1].cancel()
        self._delayed[key] = (due, asyncio.ensure_future(self._later(key, seconds)))

    def retry(self, key: str) -> None:
        """Make a key ready again after a delay that doubles with every retry."""
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        self.add_after(key, min(BASE_DELAY * 2**failures, MAX_DELAY))

    def forget(self, key: str) -> None:
        """Start the delays of a key from the beginning: it succeeded."""
        self._failures.pop(key, None)

    async def get(self) -> str:
        """Take the next key; ``done`` must follow. Raises ``CancelledError`` once closed."""
        while not self._ready:
            if self._closed:
                raise asyncio.CancelledError
            getter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._getters.append(getter)
            await getter
        key = self._ready.popleft()
        self._waiting.discard(key)
        self._processing.add(key)
        return key

    def done(self, key: str) -> None:
        """Say that the key taken by ``get`` was dealt with."""
        self._processing.discard(key)
        if key in self._waiting:
            self._ready.append(key)
            self._wake()
        self._release()

    async def run(
        self, reconcile: Callable[[str], Awaitable[None]], *, retries: float = math.inf
    ) -> None:
        """Reconcile key after key until closed; a key whose reconcile raises is retried.

        After so many ``retries`` it is dropped until somebody adds it again.
        """
        while True:
            key = await self.get()
            begun = self._clock.monotonic()
            try:
                await reconcile(key)
            except Exception as error:  # noqa: BLE001 - whatever went wrong, the key comes back
                _LOG.debug("reconcile of %s: %s", key, error)
                if self._failures.get(key, 0) < retries:
                    self.retry(key)
                else:
                    self.forget(key)
            else:
                self.forget(key)
            finally:
                if self._watch is not None:
                    self._watch.worked(self._clock.monotonic() - begun)
                self.done(key)

    def close(self) -> None:
        """Forget every key and end every ``get``."""
        self._closed = True
        for _, task in self._delayed.values():
            task.cancel()
        self._delayed.clear()
        self._ready.clear()
        self._waiting.clear()
        self._processing.clear()
        while self._getters:
            self._wake()
        self._release()

    def __len__(self) -> int:
        return len(self._waiting)

    async def _later(self, key: str, seconds: float) -> None:
        await self._clock.sleep(seconds)
        del self._delayed[key]
        self.add(key)

    def _wake(self) -> None:
        while self._getters:
            getter = self._getters.popleft()
            if not getter.done():
                getter.set_result(None)
                return

    def _hold(self) -> None:
        if self._busy is None:
            self._busy = self._clock.busy(self)
            self._busy.__enter__()

    def _release(self) -> None:
        if self._busy is not None and not self._waiting and not self._processing:
            busy, self._busy = self._busy, None
            busy.__exit__(None, None, None)

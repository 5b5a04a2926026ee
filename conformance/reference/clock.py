"""Time as a parameter: the clock that every component of the reference runs on.

With the virtual clock, time passes only when nothing else can happen: every work queue is
empty, no request is in flight, and the harness asks for time. A wait of 600 s then takes
milliseconds, and the same seed gives the same run.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from types import CodeType
from typing import Protocol

#: Where virtual time starts: any fixed instant serves, a literal one keeps runs identical.
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)

#: Loop turns without work after which the event loop counts as idle. A watch event needs
#: about six to travel from the API server's task over the loopback socket to a work queue.
_IDLE_TURNS = 16

#: Real seconds that a peer outside this event loop (a driver over gRPC) may take to answer
#: before it counts as hung and virtual time goes on without it.
_PEER_PATIENCE = 3.0

#: Looks that find nothing, and the real seconds between them, that count as silence while a
#: stream is open on which such a peer may send unannounced. Looks are counted, not seconds: on a
#: loaded machine each of them takes longer, and so does the peer.
_SILENT_LOOKS = 24
_LOOK = 0.0005


class Clock(Protocol):
    """What a component may know of time."""

    def now(self) -> datetime:
        """Return the current instant, aware and in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds since an arbitrary start; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for so many seconds of this clock's time."""
        ...

    def busy(self, who: object = None) -> AbstractContextManager[None]:
        """Hold time still: work is being done inside this event loop.

        ``who`` spells who does it, for messages; None: the function that calls.
        """
        ...

    def holders(self) -> list[str]:
        """Return who holds time still: where to look when it does not go on; from any thread."""
        ...

    def calling(self, peer: str = "") -> AbstractContextManager[None]:
        """Hold time still while a peer outside this loop answers, as long as it is alive.

        ``peer`` is its address, where it has one.
        """
        ...

    def hold_back(self, peer: str, calls: int) -> None:
        """Hold time no longer for so many calls to a peer, which will not answer them for now.

        The peer says so itself, from any thread; a negative number takes it back.
        """
        ...

    def streaming(self, peer: str) -> AbstractContextManager[Callable[[], None]]:
        """Say that a peer outside this loop may send at any moment.

        Yields what is to be called with each message, as soon as it was taken. ``peer`` is its
        address.
        """
        ...

    def expect(self, peer: str, streams: int, messages: int = 1) -> None:
        """Hold time still until a stream to a peer has taken so many more messages.

        The peer says so itself, from any thread, before it sends and with each stream that it
        takes on, and how many streams it knows of. Where others are open than this clock's, it
        can't tell whose message it is: nothing is held.
        """
        ...


class RealClock:
    """The machine's own clock, for ``serve --real-time`` and for real drivers."""

    def now(self) -> datetime:
        """Return the current instant, aware and in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds since an arbitrary start; never goes back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait for so many real seconds."""
        await asyncio.sleep(max(0.0, seconds))

    @contextmanager
    def _free(self) -> Iterator[None]:
        yield

    def busy(self, who: object = None) -> AbstractContextManager[None]:  # noqa: ARG002 - as above
        """Do nothing: real time can't be held."""
        return self._free()

    def holders(self) -> list[str]:
        """Return nobody: real time can't be held."""
        return []

    def calling(self, peer: str = "") -> AbstractContextManager[None]:  # noqa: ARG002 - as above
        """Do nothing: real time can't be held."""
        return self._free()

    @contextmanager
    def streaming(self, peer: str) -> Iterator[Callable[[], None]]:  # noqa: ARG002 - the protocol's
        """Do nothing: real time can't be held."""
        yield lambda: None

    def hold_back(self, peer: str, calls: int) -> None:
        """Do nothing: real time can't be held."""

    def expect(self, peer: str, streams: int, messages: int = 1) -> None:
        """Do nothing: real time can't be held."""


class _Calls:
    """The calls to peers outside a loop, less those that are not answered by their own word."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()
        self._held_back: Counter[str] = Counter()

    def begin(self, peer: str) -> None:
        """Note one more call."""
        self._open[peer] += 1

    def end(self, peer: str) -> None:
        """Note the end of a call."""
        self._open[peer] -= 1
        if not self._open[peer]:
            del self._open[peer]

    def hold_back(self, peer: str, calls: int) -> None:
        """Note that a peer does not answer so many calls; from any thread."""
        with self._lock:
            self._held_back[peer] += calls

    def awaited(self) -> bool:
        """Tell whether an answer may come at any moment."""
        return any(n > self._held_back[peer] for peer, n in self._open.items())


class _Messages:
    """What peers outside a loop have sent by their own word, and streams have not yet taken."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()
        self._sent: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()
        self._told: set[str] = set()

    def send(self, peer: str, streams: int, messages: int) -> None:
        """Note messages where all of the streams are known here; from any thread."""
        with self._lock:
            if self._open[peer] == streams:
                self._sent[peer] += messages
                self._told.add(peer)
            else:
                self._told.discard(peer)

    def take(self, peer: str) -> None:
        """Note that a message has arrived."""
        self._taken[peer] += 1

    def open(self, peer: str) -> None:
        """Note another stream; what earlier ones did not take is none of its business."""
        if not self._open[peer]:
            self._taken[peer] = self._sent[peer]
        with self._lock:
            self._told.discard(peer)
            self._open[peer] += 1

    def close(self, peer: str) -> None:
        """Note the end of a stream."""
        with self._lock:
            self._open[peer] -= 1
            if not self._open[peer]:
                del self._open[peer]

    def missing(self) -> bool:
        """Tell whether an open stream has yet to take something."""
        return any(self._sent[peer] > self._taken[peer] for peer in self._open)

    def untold(self) -> bool:
        """Tell whether a message may come on an open stream that nobody has announced."""
        with self._lock:
            return any(peer not in self._told for peer in self._open)

    def forget(self) -> None:
        """Give up what has not arrived."""
        for peer in self._open:
            self._taken[peer] = max(self._sent[peer], self._taken[peer])


class _Work:
    """Something that is being done inside a loop, and by whom; entered once."""

    __slots__ = ("_all", "_calm", "_who")

    def __init__(self, who: object, others: set[_Work], calm: asyncio.Event) -> None:
        self._who = who
        self._all = others
        self._calm = calm

    def __enter__(self) -> None:
        self._all.add(self)
        self._calm.clear()

    def __exit__(self, *_error: object) -> None:
        self._all.discard(self)
        if not self._all:
            self._calm.set()

    def __str__(self) -> str:
        if isinstance(self._who, CodeType):
            return f"{self._who.co_qualname} ({self._who.co_filename}:{self._who.co_firstlineno})"
        return str(self._who)


class VirtualClock:
    """A clock that stands still until ``step`` moves it."""

    def __init__(self, epoch: datetime = EPOCH) -> None:
        self._epoch = epoch
        self._elapsed = 0.0
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._busy: set[_Work] = set()
        self._calm = asyncio.Event()
        self._calls = _Calls()
        self._heard = False
        self._messages = _Messages()

    def now(self) -> datetime:
        """Return the current virtual instant, aware and in UTC."""
        return self._epoch + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        """Return virtual seconds since the epoch."""
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock was moved by so many seconds."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._after(seconds), next(self._order), woken))
        await woken

    def busy(self, who: object = None) -> AbstractContextManager[None]:
        """Hold time still: work is being done inside this event loop."""
        # Only the code is kept: a frame would keep everything that it refers to.
        caller = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # fast
        return _Work(who or caller.f_code, self._busy, self._calm)

    def holders(self) -> list[str]:
        """Return who holds time still."""
        return sorted({str(one) for one in tuple(self._busy)})

    @contextmanager
    def calling(self, peer: str = "") -> Iterator[None]:
        """Hold time still while a peer outside this loop answers, as long as it is alive."""
        self._calls.begin(peer)
        self._heard = False
        try:
            yield
        finally:
            self._calls.end(peer)
            self._heard = False

    def hold_back(self, peer: str, calls: int) -> None:
        """Hold time no longer for so many calls to a peer."""
        self._calls.hold_back(peer, calls)

    @contextmanager
    def streaming(self, peer: str) -> Iterator[Callable[[], None]]:
        """Say that a peer outside this loop may send at any moment."""
        self._heard = False
        self._messages.open(peer)
        try:
            yield lambda: self._messages.take(peer)
        finally:
            self._messages.close(peer)
            self._heard = False

    def expect(self, peer: str, streams: int, messages: int = 1) -> None:
        """Hold time still until a stream to a peer has taken so many more messages."""
        self._messages.send(peer, streams, messages)

    async def settle(self) -> None:
        """Return once nothing can happen any more without time passing."""
        patience = time.monotonic() + _PEER_PATIENCE
        idle = silent = 0
        while idle < _IDLE_TURNS or silent < self._looks():
            calling = self._awaited() and time.monotonic() < patience
            if self._busy or calling:
                idle = silent = 0
            else:
                idle += 1
            if calling or idle > _IDLE_TURNS:
                # A peer outside this loop needs the processor, not only our attention.
                silent += 1
                await asyncio.sleep(_LOOK)
            elif self._busy:
                # To turn the loop until then would take the processor from who is awaited.
                await self._calm.wait()
            else:
                await asyncio.sleep(0)
        if time.monotonic() >= patience:
            self._messages.forget()
        self._heard = True

    def _awaited(self) -> bool:
        """Tell whether a peer has yet to answer, or to be heard."""
        return self._calls.awaited() or self._messages.missing()

    def _looks(self) -> int:
        """Return how many looks without news count as silence of every peer.

        None are needed where each peer announces what it sends.
        """
        return 0 if self._heard or not self._messages.untold() else _SILENT_LOOKS

    async def step(self, limit: float, *, unprompted: bool = True) -> float:
        """Move to the next thing that waits for time, at most ``limit`` seconds ahead.

        Returns the seconds that passed: less than ``limit`` when somebody was waiting.
        Peers outside this loop are heard out first; who knows that they speak only when
        called or prompted, and that nobody did so since the last step, says ``unprompted=False``.
        """
        if unprompted:
            self._heard = False
        await self.settle()
        target = self._after(limit)
        self._discard_cancelled()
        if self._sleepers and self._sleepers[0][0] < target:
            target = self._sleepers[0][0]
        passed = max(0.0, target - self._elapsed)
        self._elapsed = max(self._elapsed, target)
        if self._wake():
            await self.settle()
        return passed

    def _wake(self) -> bool:
        """Wake who has waited until now; tell whether there was anybody."""
        woken = False
        while self._sleepers and self._sleepers[0][0] <= self._elapsed:
            sleeper = heapq.heappop(self._sleepers)[2]
            if not sleeper.done():
                sleeper.set_result(None)
                woken = True
        return woken

    def _after(self, seconds: float) -> float:
        """Return when so many seconds will have passed."""
        if seconds <= 0:
            return self._elapsed
        # A remainder below the resolution of a float must still lie ahead, or it never ends.
        return max(self._elapsed + seconds, math.nextafter(self._elapsed, math.inf))

    def _discard_cancelled(self) -> None:
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)

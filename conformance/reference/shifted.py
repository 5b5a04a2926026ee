"""A clock that another boot has begun, or somebody set: its seconds count from elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from conformance.reference.clock import Clock


class ShiftedClock:
    """The clock of a machine that was up for longer; all else is that of another clock."""

    def __init__(self, clock: Clock, ahead: float) -> None:
        """``ahead`` are seconds, added to what the other clock's monotonic ones are."""
        #: Seconds that are added to the other clock's instant.
        self.wall = 0
        self._clock = clock
        self._ahead = ahead

    def now(self) -> datetime:
        """Return the current instant, which no boot changes, and who sets it does."""
        return self._clock.now() + timedelta(seconds=self.wall)

    def monotonic(self) -> float:
        """Return seconds since another start."""
        return self._clock.monotonic() + self._ahead

    async def sleep(self, seconds: float) -> None:
        """Wait for so many seconds of the other clock."""
        await self._clock.sleep(seconds)

    def busy(self, who: object = None) -> AbstractContextManager[None]:
        """Hold the other clock still."""
        caller = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # fast
        return self._clock.busy(who or caller.f_code)

    def holders(self) -> list[str]:
        """Return who holds the other clock still."""
        return self._clock.holders()

    def calling(self, peer: str = "") -> AbstractContextManager[None]:
        """Hold the other clock still while a peer answers."""
        return self._clock.calling(peer)

    def hold_back(self, peer: str, calls: int) -> None:
        """Hold the other clock no longer for so many calls to a peer."""
        self._clock.hold_back(peer, calls)

    def streaming(self, peer: str) -> AbstractContextManager[Callable[[], None]]:
        """Say to the other clock that a peer may send at any moment."""
        return self._clock.streaming(peer)

    def expect(self, peer: str, streams: int, messages: int = 1) -> None:
        """Hold the other clock still until a stream to a peer has taken so many more messages."""
        self._clock.expect(peer, streams, messages)

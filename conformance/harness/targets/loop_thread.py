"""The thread in which a reference cluster runs, or a gateway: the project's thread boundary."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from conformance.harness.errors import HarnessError

Result = TypeVar("Result")

#: Real seconds until a start, a stop or a step counts as hung.
_PATIENCE = 60.0


class LoopThread:
    """An event loop in a thread of its own."""

    def __init__(
        self, who: str = "the reference", holders: Callable[[], Iterable[str]] = tuple
    ) -> None:
        """``who`` runs there, as messages call it; ``holders`` says what it is busy with."""
        self._who = who
        self._holders = holders
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name=f"dra-conformance: {who}", daemon=True
        )
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine there and return its result, or raise what it raised."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(_PATIENCE)
        except TimeoutError:
            future.cancel()
            busy = "; ".join(self._holders())
            sentence = f"{self._who} did not answer within {_PATIENCE:g} s"
            raise HarnessError(f"{sentence}: busy with {busy}" if busy else sentence) from None

    def call(self, act: Callable[[], Result]) -> Result:
        """Call a function there and return its result, or raise what it raised."""

        async def acted() -> Result:
            return act()

        return self.run(acted())

    def stop(self) -> None:
        """End what still runs there, and the thread."""
        with contextlib.suppress(HarnessError):
            self.run(_cancel_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_all() -> None:
    """Cancel every task of this loop but the one that does so."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)

"""The work queue: each key once, one worker per key, and time that waits for work."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable

from conformance.reference.client.queue import BASE_DELAY, WorkQueue
from conformance.reference.clock import VirtualClock


def run(question: Callable[[VirtualClock, WorkQueue], Awaitable[None]]) -> None:
    async def whole() -> None:
        clock = VirtualClock()
        queue = WorkQueue(clock)
        await question(clock, queue)
        queue.close()

    asyncio.run(asyncio.wait_for(whole(), 30))


def test_a_waiting_key_is_kept_once() -> None:
    async def question(_: VirtualClock, queue: WorkQueue) -> None:
        for key in ("a", "b", "a"):
            queue.add(key)

        assert len(queue) == 2
        assert [await queue.get(), await queue.get()] == ["a", "b"]

    run(question)


def test_a_key_that_is_added_while_processed_comes_back_after() -> None:
    async def question(_: VirtualClock, queue: WorkQueue) -> None:
        queue.add("a")
        key = await queue.get()
        queue.add("a")
        second = asyncio.ensure_future(queue.get())
        await asyncio.sleep(0)
        assert not second.done()

        queue.done(key)

        assert await second == "a"

    run(question)


def test_time_stands_still_while_a_key_is_ready_or_processed() -> None:
    async def question(clock: VirtualClock, queue: WorkQueue) -> None:
        queue.add("a")
        stepping = asyncio.ensure_future(clock.step(10))
        key = await queue.get()
        for _ in range(50):
            await asyncio.sleep(0)
        assert clock.monotonic() == 0

        queue.done(key)
        await stepping

        assert clock.monotonic() == 10

    run(question)


def test_a_delayed_key_comes_at_the_earliest_of_its_times() -> None:
    async def question(clock: VirtualClock, queue: WorkQueue) -> None:
        queue.add_after("a", 60)
        queue.add_after("a", 20)
        queue.add_after("a", 40)
        getting = asyncio.ensure_future(queue.get())

        await asyncio.wait(
            [getting, asyncio.ensure_future(clock.step(100))], return_when="FIRST_COMPLETED"
        )

        assert await getting == "a"
        assert clock.monotonic() == 20

    run(question)


def test_a_failing_reconcile_is_retried_after_growing_delays() -> None:
    async def question(clock: VirtualClock, queue: WorkQueue) -> None:
        tries: list[float] = []

        async def reconcile(_: str) -> None:
            tries.append(clock.monotonic())
            if len(tries) < 4:
                raise RuntimeError("not yet")

        worker = asyncio.ensure_future(queue.run(reconcile))
        queue.add("a")
        await clock.settle()
        while len(tries) < 4:
            await clock.step(1)
        worker.cancel()

        waits = [round(later - sooner, 6) for sooner, later in itertools.pairwise(tries)]
        assert waits == [BASE_DELAY, BASE_DELAY * 2, BASE_DELAY * 4]

    run(question)


def test_a_closed_queue_ends_whoever_waits() -> None:
    async def question(_: VirtualClock, queue: WorkQueue) -> None:
        getting = asyncio.ensure_future(queue.get())
        await asyncio.sleep(0)

        queue.close()
        await asyncio.wait([getting])

        assert getting.cancelled()

    run(question)

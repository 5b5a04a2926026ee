"""Virtual time stands still while something can happen, and leaps when nothing can."""

from __future__ import annotations

import asyncio
import selectors
import threading
import time
from datetime import UTC, timedelta
from typing import Any

import pytest

from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import EPOCH, RealClock, VirtualClock
from conformance.reference.shifted import ShiftedClock


def test_time_stands_still_by_itself() -> None:
    async def main() -> float:
        clock = VirtualClock()
        sleeper = asyncio.ensure_future(clock.sleep(1))
        await asyncio.sleep(0.02)
        done = sleeper.done()
        sleeper.cancel()
        assert not done
        return clock.monotonic()

    assert asyncio.run(main()) == 0.0


def test_a_step_goes_to_the_next_sleeper_and_not_beyond() -> None:
    async def main() -> list[tuple[str, float]]:
        clock = VirtualClock()
        woken: list[tuple[str, float]] = []

        async def sleep(name: str, seconds: float) -> None:
            await clock.sleep(seconds)
            woken.append((name, clock.monotonic()))

        tasks = [asyncio.ensure_future(sleep(name, at)) for name, at in (("b", 600.0), ("a", 30.0))]
        passed = [await clock.step(10.0), await clock.step(1000.0), await clock.step(1000.0)]
        assert passed == [10.0, 20.0, 570.0]
        assert clock.now() == EPOCH + timedelta(seconds=600)
        await asyncio.gather(*tasks)
        return woken

    assert asyncio.run(main()) == [("a", 30.0), ("b", 600.0)]


def test_what_a_sleeper_does_is_done_when_the_step_returns() -> None:
    async def main() -> int:
        clock = VirtualClock()
        done = 0

        async def work() -> None:
            nonlocal done
            await clock.sleep(5)
            with clock.busy():
                for _ in range(200):
                    await asyncio.sleep(0)
                done += 1

        task = asyncio.ensure_future(work())
        await clock.step(5)
        await task
        return done

    assert asyncio.run(main()) == 1


def test_the_loop_stands_still_while_the_work_of_another_is_awaited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = 0
    select = selectors.DefaultSelector.select

    def counted(selector: selectors.DefaultSelector, timeout: float | None = None) -> Any:
        nonlocal turns
        turns += 1
        return select(selector, timeout)

    async def main() -> int:
        clock = VirtualClock()

        async def work() -> None:
            with clock.busy():
                await asyncio.sleep(0.05)

        task = asyncio.ensure_future(work())
        await asyncio.sleep(0)
        before = turns
        await clock.settle()
        assert task.done()
        return turns - before

    monkeypatch.setattr(selectors.DefaultSelector, "select", counted)
    # 16 turns without work, and a few around the end of the work; a spinning loop makes thousands.
    assert 16 <= asyncio.run(main()) < 40


def test_a_step_that_wakes_nobody_settles_once(monkeypatch: pytest.MonkeyPatch) -> None:
    settled: list[float] = []

    async def main() -> None:
        clock = VirtualClock()
        settle = clock.settle

        async def counted() -> None:
            settled.append(clock.monotonic())
            await settle()

        monkeypatch.setattr(clock, "settle", counted)
        sleeper = asyncio.ensure_future(clock.sleep(5))
        await asyncio.sleep(0)
        await clock.step(2)
        await clock.step(10)
        await sleeper

    asyncio.run(main())
    assert settled == [0.0, 2.0, 5.0]


def test_a_cancelled_sleeper_holds_nothing_up() -> None:
    async def main() -> float:
        clock = VirtualClock()
        task = asyncio.ensure_future(clock.sleep(1))
        await clock.settle()
        task.cancel()
        await clock.settle()
        return await clock.step(50)

    assert asyncio.run(main()) == 50.0


def test_a_remainder_below_the_resolution_still_ends() -> None:
    async def main() -> None:
        clock = VirtualClock()
        await clock.step(1e9)
        sleeper = asyncio.ensure_future(clock.sleep(1e-9))
        await clock.step(1)
        await sleeper

    asyncio.run(asyncio.wait_for(main(), 10))


def test_a_wait_for_a_remainder_below_the_resolution_still_ends() -> None:
    async def main() -> tuple[float, float]:
        clock = VirtualClock()
        await clock.step(1e9)
        await clock.step(0)
        still = clock.monotonic()
        await clock.step(1e-9)
        return still, clock.monotonic()

    still, moved = asyncio.run(main())

    assert still == 1e9
    assert moved > still


def test_a_peer_outside_the_loop_is_waited_for() -> None:
    async def main() -> bool:
        clock = VirtualClock()
        loop = asyncio.get_running_loop()
        answered = asyncio.Event()
        asyncio.ensure_future(clock.sleep(600))  # noqa: RUF006 - stays asleep on purpose

        async def call() -> None:
            with clock.calling():
                threading.Timer(0.05, loop.call_soon_threadsafe, [answered.set]).start()
                await answered.wait()

        task = asyncio.ensure_future(call())
        await asyncio.sleep(0)
        await clock.step(600)
        await task
        return answered.is_set()

    assert asyncio.run(main())


def test_a_peer_that_holds_its_answer_back_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("conformance.reference.clock._PEER_PATIENCE", 1e9)

    async def main() -> tuple[float, bool]:
        clock = VirtualClock()
        with clock.calling("a.sock"):
            clock.hold_back("a.sock", 1)
            passed = await clock.step(600)
            clock.hold_back("a.sock", -1)
            stepping = asyncio.ensure_future(clock.step(600))
            await asyncio.sleep(0.1)
            waits = not stepping.done()
        await stepping
        return passed, waits

    assert asyncio.run(main()) == (600.0, True)


@pytest.mark.parametrize(
    ("streams", "looks_end"), [(1, True), (2, False)], ids=["all known", "one of another's"]
)
def test_only_a_peer_that_announces_what_it_sends_is_believed_to_be_silent(
    monkeypatch: pytest.MonkeyPatch, streams: int, looks_end: bool
) -> None:
    monkeypatch.setattr("conformance.reference.clock._SILENT_LOOKS", 10**9)

    async def main() -> bool:
        clock = VirtualClock()
        with clock.streaming("a.sock"):
            stepping = asyncio.ensure_future(clock.step(600))
            await asyncio.sleep(0.05)
            assert not stepping.done()
            clock.expect("a.sock", streams, messages=0)
            await asyncio.wait([stepping], timeout=0.2 if not looks_end else 20)
            ended = stepping.done()
        await stepping
        return ended

    assert asyncio.run(main()) is looks_end


async def reaches(streams: int, *, late: float = 0.1, told: int = 1) -> list[float]:
    """Return when messages of a peer arrive that takes so many real seconds to be heard."""
    clock = VirtualClock()
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[None] = asyncio.Queue()
    taken_at: list[float] = []
    heard = asyncio.Event()

    async def listen() -> None:
        with clock.streaming("a.sock") as taken:
            while True:
                await arrived.get()
                taken()
                taken_at.append(clock.monotonic())
                heard.set()

    task = asyncio.ensure_future(listen())
    await clock.step(0)
    for _ in range(told):
        clock.expect("a.sock", streams)
    threading.Timer(late, loop.call_soon_threadsafe, [arrived.put_nowait, None]).start()
    await clock.step(600, unprompted=False)
    await asyncio.wait_for(heard.wait(), 10)
    task.cancel()
    return taken_at


def test_time_waits_for_a_message_that_its_sender_has_announced() -> None:
    assert asyncio.run(reaches(streams=1)) == [0.0]


def test_time_does_not_wait_for_what_another_listener_may_take() -> None:
    (taken,) = asyncio.run(reaches(streams=2))

    assert taken > 0.0


def test_what_never_arrives_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.reference.clock._PEER_PATIENCE", 0.2)

    assert asyncio.run(reaches(streams=1, told=2)) == [0.0]


def test_a_stream_is_not_waited_for_that_nobody_opened() -> None:
    async def main() -> float:
        clock = VirtualClock()
        clock.expect("a.sock", 1)
        with clock.streaming("a.sock"):
            began = time.monotonic()
            await clock.step(600)
        return time.monotonic() - began

    assert asyncio.run(main()) < 2


def test_no_time_and_negative_time_pass_at_once() -> None:
    async def main() -> float:
        clock = VirtualClock()
        await clock.sleep(0)
        await clock.sleep(-1)
        return clock.monotonic()

    assert asyncio.run(main()) == 0.0


def test_the_real_clock_is_the_machines() -> None:
    async def main() -> float:
        clock = RealClock()
        before = clock.monotonic()
        with clock.busy(), clock.calling(), clock.streaming("a.sock") as taken:
            clock.expect("a.sock", 1)
            taken()
            await clock.sleep(0.01)
        assert clock.now().tzinfo is UTC
        assert abs(clock.now().timestamp() - time.time()) < 5
        return clock.monotonic() - before

    assert asyncio.run(main()) == pytest.approx(0.01, abs=1.0)


def test_another_boot_shifts_the_monotonic_clock_alone() -> None:
    async def scenario() -> None:
        clock = VirtualClock()
        shifted = ShiftedClock(clock, 1000.0)
        waiting = asyncio.ensure_future(shifted.sleep(5.0))
        await asyncio.sleep(0)

        assert await clock.step(60.0) == 5.0
        assert waiting.done()
        assert (clock.monotonic(), shifted.monotonic()) == (5.0, 1005.0)
        assert shifted.now() == clock.now() == EPOCH + timedelta(seconds=5)

    asyncio.run(scenario())


def test_who_holds_time_still_can_be_told() -> None:
    async def main() -> list[list[str]]:
        clock = VirtualClock()
        queue = WorkQueue(clock)
        queue.add("default/a")
        queue.add("default/b")
        with clock.busy("a driver"), ShiftedClock(clock, ahead=5).busy():
            key = await queue.get()
            told = clock.holders()
        queue.done(key)
        queue.done(await queue.get())
        return [told, clock.holders()]

    told, after = asyncio.run(main())
    assert told[:2] == ["a driver", "a work queue (works on: default/a; ready: default/b)"]
    assert told[2].startswith("test_who_holds_time_still_can_be_told.<locals>.main (")
    assert after == []

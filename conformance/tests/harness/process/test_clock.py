"""The clocks of a program are moved while it runs, and nobody else's."""

from __future__ import annotations

import contextlib
import platform
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from conformance.harness.process.clock import ClockError, SessionClock

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="clocks are moved on x86_64 alone"
)

#: Tells its clocks whenever it is asked to: monotonic, since the boot, and of the wall.
TELLS = """
import sys, time
for line in sys.stdin:
    print(time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME), time.time(), flush=True)
"""

#: A program that is written in Go.
KUBECTL = shutil.which("kubectl", path=sysconfig.get_path("scripts"))

#: More than any test waits, in seconds.
LONG = 3600


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        start_new_session=True,
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def session(child: subprocess.Popen[str]) -> SessionClock:
    """Return the clock of a program that waits for as long as it wants to."""
    return SessionClock(child.pid, may_be_moved=lambda _pid: True)


def ask(child: subprocess.Popen[str]) -> tuple[float, ...]:
    assert child.stdin is not None
    child.stdin.write("now\n")
    return tuple(map(float, read(child.stdout).split()))


def read(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline()


def differences(child: subprocess.Popen[str]) -> tuple[float, ...]:
    ours = time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME), time.time()
    return tuple(theirs - own for theirs, own in zip(ask(child), ours, strict=True))


def assert_ahead(child: subprocess.Popen[str], seconds: int) -> None:
    monotonic, boot, wall = differences(child)

    assert (round(monotonic, -1), round(boot, -1)) == (seconds, seconds)
    assert abs(wall) < 10


def test_the_monotonic_clocks_of_a_program_go_ahead_and_no_other() -> None:
    with running(sys.executable, "-c", TELLS) as child:
        assert_ahead(child, 0)
        clock = session(child)

        clock.move(LONG)
        clock.move(LONG)

        assert_ahead(child, 2 * LONG)
        assert clock.ahead == 2 * LONG


@pytest.mark.parametrize("seconds", [LONG, -LONG])
def test_the_wall_clock_of_a_program_is_set_and_no_other(seconds: int) -> None:
    with running(sys.executable, "-c", TELLS) as child:
        clock = session(child)

        clock.set_wall(seconds)

        monotonic, boot, wall = differences(child)
        assert (round(monotonic, -1), round(boot, -1), round(wall, -1)) == (0, 0, seconds)
        clock.set_wall(0)
        assert_ahead(child, 0)


def test_every_way_to_ask_for_the_time_of_day_is_answered_alike() -> None:
    script = """
import ctypes, sys, time
libc = ctypes.CDLL(None)
class Instant(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("rest", ctypes.c_long)]
for line in sys.stdin:
    day = Instant()
    assert libc.gettimeofday(ctypes.byref(day), None) == 0
    libc.time.restype = ctypes.c_long
    print(day.seconds - time.time(), libc.time(None) - time.time(), flush=True)
"""
    with running(sys.executable, "-c", script) as child:
        ask(child)

        session(child).set_wall(LONG)

        assert [abs(one) < 10 for one in ask(child)] == [True, True]


def test_another_program_keeps_its_clock() -> None:
    with running(sys.executable, "-c", TELLS) as child, running(sys.executable, "-c", TELLS) as one:
        ask(one)

        session(child).move(LONG)

        assert_ahead(one, 0)


def test_a_program_that_a_program_starts_goes_with_it() -> None:
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {TELLS!r}])"
    with running(sys.executable, "-c", script) as child:
        ask(child)

        session(child).move(LONG)

        assert_ahead(child, LONG)


def test_what_a_program_becomes_is_moved_with_the_next_step() -> None:
    become = f"import os, sys; input(); print(0, 0, 0, flush=True);os.execv({sys.executable!r},"
    script = f"{become} [sys.executable, '-uc', {TELLS!r}])"
    with running(sys.executable, "-uc", script) as child:
        clock = session(child)
        time.sleep(0.2)
        clock.move(LONG)
        assert ask(child) == (0, 0, 0)
        ask(child)

        clock.move(LONG)

        assert_ahead(child, 2 * LONG)


def test_an_event_loop_finds_its_wait_over() -> None:
    script = f"import asyncio; print('waits', flush=True); asyncio.run(asyncio.sleep({LONG}))"
    with running(sys.executable, "-c", script) as child:
        read(child.stdout)
        clock = session(child)

        # Where a step finds a program on its way into the wait, the next one wakes it.
        while clock.ahead < 20 * LONG and child.poll() is None:
            with contextlib.suppress(ClockError):
                clock.move(LONG // 10)
            time.sleep(0.05)

        assert child.wait(10) == 0


@pytest.fixture
def told() -> Iterator[subprocess.Popen[str]]:
    with running(sys.executable, "-c", TELLS) as child:
        ask(child)
        yield child


def test_a_program_that_was_stopped_stays_so_and_keeps_its_clock(
    told: subprocess.Popen[str],
) -> None:
    told.send_signal(signal.SIGSTOP)
    eventually(lambda: state(told) == "T")

    with pytest.raises(ClockError, match="stands still"):
        session(told).move(LONG)

    assert state(told) == "T"
    told.send_signal(signal.SIGCONT)
    assert_ahead(told, 0)


def test_a_program_that_has_ended_has_no_clock(told: subprocess.Popen[str]) -> None:
    clock = session(told)
    clock.move(LONG)
    told.kill()
    told.wait()

    with pytest.raises(ClockError, match="has ended"):
        clock.move(LONG)

    assert clock.ahead == LONG


def test_a_program_that_waits_until_an_instant_keeps_its_clock(
    told: subprocess.Popen[str],
) -> None:
    with pytest.raises(ClockError, match="is no Go program without the C library"):
        SessionClock(told.pid).move(LONG)

    assert_ahead(told, 0)


def test_the_clock_of_a_go_program_is_moved() -> None:
    assert KUBECTL is not None
    with running(KUBECTL, "proxy", "--port=0", "--server=http://127.0.0.1:1") as child:
        assert "Starting to serve" in read(child.stdout)
        clock = SessionClock(child.pid)

        clock.move(LONG)

        assert clock.ahead == LONG
        assert child.poll() is None


def test_machines_that_nobody_has_tried_are_left_alone(
    told: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")

    with pytest.raises(ClockError, match="this is riscv64"):
        session(told).move(LONG)

    assert_ahead(told, 0)


def state(child: subprocess.Popen[str]) -> str:
    return Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[0]


def eventually(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert true()

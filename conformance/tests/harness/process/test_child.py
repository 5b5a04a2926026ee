"""A child is started, watched and ended, with everything that it started."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from conformance.harness.errors import Unsupported
from conformance.harness.process import child as children
from conformance.harness.process.child import Child
from conformance.harness.process.command import CommandError
from conformance.tests.harness.process.clocks import shifting

#: By how much the clock of a child is ahead, in seconds.
AHEAD = 2_592_000


def eventually(true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 10
    while not true() and time.monotonic() < deadline:
        time.sleep(0.01)
    return true()


def child(tmp_path: Path, script: str, **environment: str) -> Child:
    words = [sys.executable, "-c", script]
    return Child(words, environment=environment, log=tmp_path / "log")


def test_output_and_exit_code_are_kept(tmp_path: Path) -> None:
    script = "import os, sys; print(os.environ['GREETING']); sys.exit('sorry')"
    with child(tmp_path, script, GREETING="hello") as one:
        assert eventually(lambda: not one.is_alive())

    assert one.exit_code == 1
    assert one.tail().split() == ["hello", "sorry"]
    assert one.story() == "the driver exited with code 1"


def test_a_polite_child_obeys_sigterm(tmp_path: Path) -> None:
    with child(tmp_path, "import time; print('up', flush=True); time.sleep(60)") as one:
        assert eventually(lambda: "up" in one.tail())
        assert one.stop()

    assert one.story() == "the driver was ended by signal SIGTERM"


def test_a_stubborn_child_is_killed_with_its_children(tmp_path: Path) -> None:
    script = (
        "import signal, subprocess, time; signal.signal(15, signal.SIG_IGN);"
        "print(subprocess.Popen(['sleep', '60']).pid, flush=True); time.sleep(60)"
    )
    with child(tmp_path, script) as one:
        assert eventually(lambda: one.tail().endswith("\n"))
        grandchild = int(one.tail())
        assert not one.stop(patience=0.1)

    gone = (psutil.STATUS_ZOMBIE,)
    assert eventually(
        lambda: not psutil.pid_exists(grandchild) or psutil.Process(grandchild).status() in gone
    )


@pytest.mark.parametrize("ahead", [0, pytest.param(AHEAD, marks=shifting)])
def test_a_child_dies_with_a_killed_parent(tmp_path: Path, ahead: int) -> None:
    parent = (
        "import sys, time; from pathlib import Path;"
        "from conformance.harness.process.child import Child;"
        f"c = Child(['sleep', '60'], environment={{}}, log=Path({str(tmp_path / 'log')!r}));"
        f"context = c.shifted({ahead}); context.__enter__();"
        "c.start(); print(c.story().split()[-1].strip(')'), flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        pid = int(running.stdout.readline())
        assert psutil.pid_exists(pid)
        os.kill(running.pid, 9)
        running.wait()

    assert eventually(
        lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    )


def test_it_can_be_started_again_and_the_log_goes_on(tmp_path: Path) -> None:
    with child(tmp_path, "print('once')") as one:
        assert eventually(lambda: not one.is_alive())
        one.start()
        assert eventually(lambda: not one.is_alive())

    assert one.tail().split() == ["once", "once"]


def test_what_cannot_be_started_is_the_callers_mistake(tmp_path: Path) -> None:
    broken = Child([str(tmp_path)], environment={}, log=tmp_path / "log")

    with pytest.raises(CommandError, match="can't be started: Permission denied"):
        broken.start()


def test_age_counts_from_the_last_start(tmp_path: Path) -> None:
    with child(tmp_path, "import time; time.sleep(60)") as one:
        assert eventually(lambda: one.age > 0.5)
        before = one.age
        one.kill()
        one.start()
        assert one.age < before


@shifting
def test_a_child_may_find_a_machine_that_was_up_for_longer(tmp_path: Path) -> None:
    script = (
        "import os, time; print(os.getpid(), os.getuid(), time.monotonic(),"
        "time.clock_gettime(time.CLOCK_BOOTTIME), time.time())"
    )

    def lines() -> list[list[float]]:
        return [[float(word) for word in line.split()] for line in one.tail().splitlines()]

    one = child(tmp_path, script)
    with one.shifted(AHEAD):
        one.start()
        process, was_shifted = one.pid, one.is_shifted
        assert eventually(lambda: not one.is_alive())
    one.start()
    assert eventually(lambda: not one.is_alive())

    shifted, plain = lines()
    assert (was_shifted, one.is_shifted) == (True, False)
    assert shifted[:2] == [process, os.getuid()]
    assert [round(after - before, -3) for before, after in zip(plain, shifted, strict=True)][
        2:
    ] == [
        AHEAD,
        AHEAD,
        0,
    ]


def test_a_clock_that_nobody_gives_is_unsupported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = [sys.executable, "-c", "raise PermissionError(1, 'Operation not permitted')"]
    monkeypatch.setattr(children, "_becoming", lambda _: refusing)
    one = child(tmp_path, "pass")

    with pytest.raises(Unsupported, match="not permitted"), one.shifted(AHEAD):
        pass

    assert not one.is_shifted

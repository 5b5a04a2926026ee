"""A run that is killed or called off: the next command finds what it left, and removes it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conformance.tests.upstream.remains import processes_with, what_mentions
from conformance.upstream import leftovers, processes
from conformance.upstream.layout import Layout
from conformance.upstream.node import cgroups

pytestmark = [pytest.mark.upstream, pytest.mark.timeout(600), pytest.mark.usefixtures("kubelet")]

PROGRAM = [sys.executable, "-m", "conformance", "upstream"]


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Give a temporary folder for the programs that a test starts."""
    with tempfile.TemporaryDirectory(prefix="dc") as name:
        yield Path(name)
        for state in Path(name).glob("dra-lane-*/*/"):
            leftovers.clean(Layout(state))


def run(*arguments: str, temporary: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        env={**os.environ, "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
    )


def wait_for(met: Callable[[], object], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.1)


@pytest.fixture
def judging(temporary: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Give a run of the lane that has begun to judge a cluster with a kubelet and a driver."""
    with subprocess.Popen(
        [*PROGRAM, "judge", "--lane", "defaults", "--out", str(tmp_path)],
        env={**os.environ, "TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        journal = tmp_path / "defaults-all.jsonl"

        def begun() -> bool:
            assert child.poll() is None, child.communicate()
            return journal.exists() and b'"passed"' in journal.read_bytes()

        wait_for(begun, seconds=240)
        yield child
        child.kill()


def states(temporary: Path) -> list[Layout]:
    return [Layout(path) for path in temporary.glob("dra-lane-*/c")]


def left(temporary: Path, slugs: list[str]) -> list[str]:
    """Return processes, mounts, cgroups and folders that remain of the lane."""
    tops = list(cgroups.hierarchies())
    return [
        *processes_with(temporary / "dra-lane-"),
        *leftovers.mounts(temporary),
        *(str(top / slug) for top in tops for slug in slugs if (top / slug).exists()),
        *map(str, temporary.glob("dra-lane-*")),
    ]


@pytest.mark.parametrize("command", ["up", "down"])
def test_the_next_command_removes_what_a_killed_run_left(
    judging: subprocess.Popen[str], temporary: Path, command: str
) -> None:
    slugs = [place.slug for place in states(temporary)]
    judging.kill()
    judging.wait()

    done = run(command, "--state", str(temporary / "s"), temporary=temporary)

    assert slugs
    assert done.returncode == 0, done.stderr
    assert left(temporary, slugs) == []
    run("down", "--state", str(temporary / "s"), temporary=temporary)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_called_off_ends_in_order(
    judging: subprocess.Popen[str], temporary: Path, tmp_path: Path, number: signal.Signals
) -> None:
    slugs = [place.slug for place in states(temporary)]

    judging.send_signal(number)
    # Some tools signal a process and its group: the second may not end the taking down.
    time.sleep(0.5)
    judging.send_signal(number)
    _, err = judging.communicate(timeout=60)

    assert judging.returncode == 4
    assert err.splitlines()[-1] == "dra-conformance: interrupted"
    assert left(temporary, slugs) == []
    footer = json.loads((tmp_path / "defaults-all.jsonl").read_text().splitlines()[-1])
    assert footer["interrupted"] is True


def test_up_comes_up_again_after_its_supervisor_was_killed(temporary: Path) -> None:
    state = temporary / "s"
    options = ("--state", str(state), "--kubelet-nodes", "1")
    first = run("up", *options, temporary=temporary)
    pid = processes.recorded_pid(Layout(state).supervisor)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: processes.recorded_pid(Layout(state).supervisor) is None)

    lost = run("status", "--state", str(state), temporary=temporary)
    second = run("up", *options, temporary=temporary)
    down = run("down", "--state", str(state), temporary=temporary)

    assert [first.returncode, lost.returncode, second.returncode] == [0, 3, 0]
    assert down.returncode == 0
    assert what_mentions(Layout(state)) == []
    assert [entry.name for entry in state.iterdir()] == ["logs"]


def test_up_says_which_component_died_and_takes_the_rest_down(temporary: Path) -> None:
    state = temporary / "s"
    run("up", "--state", str(state), temporary=temporary)
    pid = processes.recorded_pid(Layout(state).pids / "kube-scheduler.pid")
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: processes.recorded_pid(Layout(state).supervisor) is None)

    status = run("status", "--state", str(state), temporary=temporary)

    log = state / "logs" / "kube-scheduler.log"
    assert status.returncode == 3
    assert status.stderr == (
        f"dra-conformance: no cluster runs in {state}: "
        f"kube-scheduler was killed by signal 9 (log: {log})\n"
    )
    assert log.exists()
    assert what_mentions(Layout(state)) == []

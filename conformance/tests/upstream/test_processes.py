"""Components: they leave a log, die with one sentence, and a recycled pid is never hit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.upstream import errors, processes


def component(folder: Path, script: str) -> processes.Component:
    command = ["/bin/sh", "-c", script]
    return processes.Component("sample", command, log=folder / "sample.log", pids=folder)


def test_a_component_runs_until_stopped(tmp_path: Path) -> None:
    part = component(tmp_path, "exec sleep 60")
    part.start()
    pid = part.pid

    assert part.is_alive()
    assert processes.recorded_pid(tmp_path / "sample.pid") == pid

    part.stop()

    assert not part.is_alive()
    assert not (tmp_path / "sample.pid").exists()
    assert not Path(f"/proc/{pid}").exists()


def test_a_component_that_ignores_the_signal_is_killed(tmp_path: Path) -> None:
    part = component(tmp_path, "trap '' TERM; echo on; while :; do sleep 0.01; done")
    part.start()
    while "on" not in part.log.read_text():
        part.must_live()

    part.stop(grace=0.1)

    assert not part.is_alive()


def test_a_dead_component_says_why_and_where(tmp_path: Path) -> None:
    part = component(tmp_path, "echo starting; echo 'E1129 no such gate' >&2; exit 3")
    part.start()
    os.waitid(os.P_PID, part.pid, os.WEXITED | os.WNOWAIT)

    with pytest.raises(errors.ComponentError) as caught:
        part.must_live()

    log = tmp_path / "sample.log"
    assert str(caught.value) == f"sample ended with status 3: E1129 no such gate (log: {log})"


def test_a_killed_component_names_the_signal(tmp_path: Path) -> None:
    part = component(tmp_path, "exec sleep 60")
    part.start()
    os.kill(part.pid, signal.SIGKILL)
    os.waitid(os.P_PID, part.pid, os.WEXITED | os.WNOWAIT)

    with pytest.raises(errors.ComponentError, match="was killed by signal 9"):
        part.must_live()


def test_a_restart_continues_the_log(tmp_path: Path) -> None:
    part = component(tmp_path, "echo once")
    for _ in range(2):
        part.start()
        os.waitid(os.P_PID, part.pid, os.WEXITED | os.WNOWAIT)
        part.stop()

    assert (tmp_path / "sample.log").read_text() == "once\nonce\n"


def test_children_die_with_the_process_that_started_them(tmp_path: Path) -> None:
    script = (
        "import os, pathlib, sys, time\n"
        "from conformance.upstream.processes import Component\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "part = Component('c', ['sleep', '60'], log=folder / 'c.log', pids=folder)\n"
        "part.start()\n"
        "while pathlib.Path(f'/proc/{part.pid}/comm').read_text() != 'sleep\\n': pass\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)

    assert processes.signal_recorded(tmp_path / "c.pid", signal.SIGCONT, limit=5)


def test_recorded_processes_are_killed(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        processes.record(tmp_path / "x.pid", child.pid)

        processes.kill_recorded(tmp_path)

        assert child.wait() == -signal.SIGKILL
    assert not (tmp_path / "x.pid").exists()


def test_a_recycled_pid_is_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        started = processes.start_time(child.pid)
        (tmp_path / "x.pid").write_text(f"{child.pid} {started - 1}\n")

        processes.kill_recorded(tmp_path)

        assert child.poll() is None
        child.kill()


@pytest.mark.parametrize("text", ["", "abc", "1", "0 0", "999999999 5"])
def test_a_useless_pid_file_names_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.pid").write_text(text)

    assert processes.recorded_pid(tmp_path / "x.pid") is None


def test_stopping_what_never_started(tmp_path: Path) -> None:
    component(tmp_path, "true").stop()

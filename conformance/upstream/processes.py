"""Components as child processes that cannot outlive us, with a log and a pid file each.

Two nets catch a crash of ours. The kernel kills each child when its parent dies
(``setpriv --pdeathsig``); and pid files with the start time of the process let the next
``up`` or ``down`` find what slipped through, without ever hitting a recycled pid.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Literal

from conformance.upstream import errors

_POLL = 0.05
_FULL = "no space left on device"
#: Less free space than this, in bytes, holds no line of a log.
_ROOM = 16_384
#: How lines begin by which a component says why it ends.
_MARKS = ("E", "F", "Error", "panic:", '"level":"fatal"')
#: What makes the kernel kill a command when the thread that started it ends.
PARENT_DEATH = ("setpriv", "--pdeathsig", "KILL", "--")


class Component:
    """One child process: started, watched, stopped.

    The death signal follows the *thread* that started the process, so a component lives no
    longer than the thread that calls :meth:`start`.
    """

    def __init__(self, name: str, command: list[str], *, log: Path, pids: Path) -> None:
        self.name = name
        self.command = command
        self.log = log
        self._pid_file = pids / f"{name}.pid"
        self._process: subprocess.Popen[bytes] | None = None
        self._mode: Literal["wb", "ab"] = "wb"

    @property
    def pid(self) -> int:
        """The process id; :class:`errors.ComponentError` when it was never started."""
        if self._process is None:
            raise errors.ComponentError(self.name, "was not started", self.log)
        return self._process.pid

    def start(self) -> None:
        """Start the process; its output begins a log, and a restart continues it."""
        with self.log.open(self._mode) as output:
            self._process = subprocess.Popen(  # noqa: S603 - our own command line
                [*PARENT_DEATH, *self.command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._mode = "ab"
        record(self._pid_file, self._process.pid)

    def is_alive(self) -> bool:
        """Say whether the process was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def must_live(self) -> None:
        """Raise :class:`errors.ComponentError` when the process has ended."""
        if self._process is None or self._process.poll() is None:
            return
        status = self._process.returncode
        if status < 0:
            raise errors.ComponentError(self.name, f"was killed by signal {-status}", self.log)
        reason = _last_error(self.log)
        how = f"ended with status {status}"
        raise errors.ComponentError(self.name, f"{how}: {reason}" if reason else how, self.log)

    def stop(self, grace: float = 5.0) -> None:
        """End the process: SIGTERM, and SIGKILL after ``grace`` seconds."""
        process = self._process
        if process is None:
            return
        if process.poll() is None and grace > 0:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._leaf(process.pid), signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(grace)
        if process.poll() is None:
            process.kill()
            process.wait()
        self._process = None
        self._pid_file.unlink(missing_ok=True)

    def _leaf(self, pid: int) -> int:
        """Return the process that shall see the signal: ``nsenter`` does not pass it on."""
        if self.command[0] != "nsenter":
            return pid
        children = children_of(pid)
        return children[0] if children else pid


def start_time(pid: int) -> int:
    """Return when ``pid`` started, in clock ticks since boot; 0 when it does not exist."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    # The command name may hold spaces and brackets: the fields start after the last ')'.
    return int(stat.rpartition(")")[2].split()[19])


def children_of(pid: int) -> list[int]:
    """Return the direct children of ``pid``'s main thread."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def record(path: Path, pid: int) -> None:
    """Write the pid file ``path`` for ``pid``: the pid and when it started."""
    path.write_text(f"{pid} {start_time(pid)}\n")


def recorded_pid(path: Path) -> int | None:
    """Return the pid that ``path`` names, if that very process is still alive."""
    try:
        pid, started = map(int, path.read_text().split())
    except (OSError, ValueError):
        return None
    return pid if _is_that(pid, started) else None


def signal_recorded(path: Path, number: signal.Signals, limit: float = 30.0) -> bool:
    """Signal the process of pid file ``path`` and wait for its end; say whether it ended."""
    pid = recorded_pid(path)
    if pid is None:
        return True
    started = start_time(pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
    deadline = time.monotonic() + limit
    # Not until its pid file is gone: a process that removes it still has to end.
    while _is_that(pid, started) and time.monotonic() < deadline:
        time.sleep(_POLL)
    return not _is_that(pid, started)


def kill_recorded(pids: Path) -> None:
    """Kill the processes that the pid files in folder ``pids`` name."""
    for path in pids.glob("*.pid"):
        signal_recorded(path, signal.SIGKILL)
        path.unlink(missing_ok=True)


def _is_that(pid: int, started: int) -> bool:
    """Say whether ``pid`` is still the process that started then, and lives."""
    return started != 0 and start_time(pid) == started and not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def _last_error(log: Path) -> str:
    """Return the line of ``log`` that most likely says why the component ended."""
    lines = [line for line in _tail(log).splitlines() if line.strip()]
    if any(_FULL in line for line in lines) or shutil.disk_usage(log.parent).free < _ROOM:
        # It stands in the middle of a stack trace, or nowhere: the log had no room either.
        return _FULL
    marked = [line for line in lines if line.startswith(_MARKS)]
    return (marked or lines or [""])[-1].strip()[:300]


def _tail(log: Path, size: int = 16_384) -> str:
    with log.open("rb") as handle:
        handle.seek(max(0, log.stat().st_size - size))
        return handle.read().decode(errors="replace")

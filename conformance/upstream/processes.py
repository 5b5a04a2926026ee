"""Components as child processes that cannot outlive us, with a log and a pid file each.

Two nets catch a crash of ours. The kernel kills each child when its parent dies
(``setpriv --pdeathsig``); and pid files with the start time of the process let the next
``up`` or ``down`` find what slipped through, without ever hitting a recycled pid.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from conformance.upstream import errors

_POLL = 0.05
_PARENT_DEATH = ("setpriv", "--pdeathsig", "KILL", "--")


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

    @property
    def pid(self) -> int:
        """The process id; :class:`errors.ComponentFailed` when it was never started."""
        if self._process is None:
            raise errors.ComponentFailed(self.name, "was not started", self.log)
        return self._process.pid

    def start(self) -> None:
        """Start the process; its output is appended to the log."""
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603 - our own command line
                [*_PARENT_DEATH, *self.command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._pid_file.write_text(f"{self._process.pid} {start_time(self._process.pid)}\n")

    def is_alive(self) -> bool:
        """Say whether the process was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def must_live(self) -> None:
        """Raise :class:`errors.ComponentFailed` when the process has ended."""
        if self._process is None or self._process.poll() is None:
            return
        status = self._process.returncode
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        reason = _last_error(self.log)
        raise errors.ComponentFailed(self.name, f"{how}: {reason}" if reason else how, self.log)

    def stop(self, grace: float = 5.0) -> None:
        """End the process: SIGTERM, and SIGKILL after ``grace`` seconds."""
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._leaf(process.pid), signal.SIGTERM)
            try:
                process.wait(grace)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._process = None
        self._pid_file.unlink(missing_ok=True)

    def _leaf(self, pid: int) -> int:
        """Return the process that shall see the signal: ``nsenter`` does not pass it on."""
        if "nsenter" not in self.command[0]:
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


def kill_recorded(pids: Path) -> int:
    """Kill the processes that the pid files in ``pids`` name and that still are those."""
    killed = 0
    for path in pids.glob("*.pid"):
        words = path.read_text().split()
        if len(words) == 2 and words[1] != "0" and start_time(int(words[0])) == int(words[1]):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(words[0]), signal.SIGKILL)
                killed += 1
                _wait_gone(int(words[0]), int(words[1]))
        path.unlink(missing_ok=True)
    return killed


def _wait_gone(pid: int, started: int, limit: float = 10.0) -> None:
    deadline = time.monotonic() + limit
    while start_time(pid) == started and not _is_zombie(pid) and time.monotonic() < deadline:
        time.sleep(_POLL)


def _is_zombie(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def _last_error(log: Path) -> str:
    """Return the line of ``log`` that most likely says why the component ended."""
    lines = [line for line in _tail(log).splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith(("E", "F", "Error", '"level":"fatal"'))]
    return (marked or lines or [""])[-1].strip()[:300]


def _tail(log: Path, size: int = 16_384) -> str:
    with log.open("rb") as handle:
        handle.seek(max(0, log.stat().st_size - size))
        return handle.read().decode(errors="replace")

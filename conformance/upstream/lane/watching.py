"""One run of the suite, watched: pytest as a child, and a cluster that must live meanwhile."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define

import conformance
from conformance.upstream import errors, processes, supervisor
from conformance.upstream.cluster import Cluster

#: Exit codes of pytest after which a journal is whole: all passed, some failed.
_WHOLE = (0, 1)

#: How long the checks of a broken cluster may take to notice that nobody answers.
_DRAIN_SECONDS = 90.0
#: How long a run may take to end after it was interrupted.
_END_SECONDS = 20.0
_POLL = 0.1


class BrokenRunError(errors.UpstreamError):
    """A run that did not come to its own end; says why.

    ``sound`` is how many bytes of the journal were written while every component lived, None
    where no component died.
    """

    def __init__(self, why: str, sound: int | None = None) -> None:
        super().__init__(why)
        self.sound = sound


def run(
    cluster: Cluster,
    command: list[str],
    *,
    journal: Path,
    log: Path,
    guard: Callable[[], None],
    stop: threading.Event,
) -> None:
    """Run pytest to its end, restart the kubelets that it asks to restart, and look after all.

    ``guard`` raises :class:`errors.ComponentError` for anything else that has to live. Raises
    :class:`BrokenRunError` when something dies, when pytest breaks off, and after ``stop``.
    """
    watch = _Watch(cluster=cluster, journal=journal, guard=guard)
    with _child(cluster, command, log) as child:
        try:
            _await_end(child, watch, stop)
        except errors.ComponentError as error:
            cluster.abort()
            _end(child, None, _DRAIN_SECONDS)
            raise BrokenRunError(str(error), watch.sound) from error
    if child.returncode not in _WHOLE:
        raise BrokenRunError(f"the suite broke off: {last_line(log)} (log: {log})")


@define(kw_only=True)
class _Watch:
    """Looks after a run, and remembers what of its journal is older than the last good look."""

    cluster: Cluster
    journal: Path
    guard: Callable[[], None]
    sound: int = 0

    def look(self) -> None:
        """Raise :class:`errors.ComponentError` where something has died."""
        size = _size(self.journal)
        supervisor.serve_requests(self.cluster)
        self.cluster.must_live()
        self.guard()
        self.sound = size


def _await_end(child: subprocess.Popen[bytes], watch: _Watch, stop: threading.Event) -> None:
    ended = False
    while not ended:
        # One look more after the end: the last records need it as well.
        ended = child.poll() is not None
        watch.look()
        if not ended and stop.wait(_POLL):
            _end(child, signal.SIGINT, _END_SECONDS)
            raise BrokenRunError("interrupted")


def last_line(log: Path) -> str:
    """Return what a program said last, for a sentence."""
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1].strip("= ") if lines else "no output"


@contextmanager
def _child(cluster: Cluster, command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command that ends when this process does, whatever happens to it."""
    source = str(Path(conformance.__file__).parent.parent)
    with log.open("wb") as output:
        child = subprocess.Popen(  # noqa: S603 - our own command line
            [*processes.PARENT_DEATH, *command],
            cwd=log.parent,
            env={**os.environ, "PYTHONPATH": source, "PYTEST_ADDOPTS": ""},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            # Ctrl-C at the terminal reaches us, and we say how the run ends.
            start_new_session=True,
        )
        processes.record(cluster.place.pids / "suite.pid", child.pid)
        try:
            yield child
        finally:
            _end(child, signal.SIGTERM, _END_SECONDS)


def _end(child: subprocess.Popen[bytes], number: signal.Signals | None, seconds: float) -> None:
    """Wait for the end of a child, after a signal; kill it with its workers when it lingers."""
    if child.poll() is None and number is not None:
        child.send_signal(number)
    deadline = time.monotonic() + seconds
    while child.poll() is None and time.monotonic() < deadline:
        time.sleep(_POLL)
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0

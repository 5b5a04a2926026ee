"""Whole processes, timed from outside: wall time, and the processor time of all they started."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from conformance.tests.bench.table import NotMeasuredError, Sample

#: Seconds until a process that was started counts as hung.
_PATIENCE = 600.0

#: Seconds between two looks for the file that says that ``serve`` is ready.
_LOOK = 0.001


def program(*arguments: str) -> list[str]:
    """Return the command line of the program under measurement."""
    return [sys.executable, "-m", "conformance", *arguments]


def whole(command: Sequence[str]) -> Sample:
    """Run a command to its end; raises ``NotMeasuredError`` where it fails."""
    before, start = _children(), time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotMeasuredError(str(error)) from error
    wall, cpu = time.perf_counter() - start, _children() - before
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise NotMeasuredError(f"exit code {done.returncode}: {last}")
    return Sample(wall=wall, cpu=cpu)


def until_ready(*options: str) -> Sample:
    """Start ``serve``, and wait for the kubeconfig that says that it is ready.

    The processor time is that of the process from its start to its end by SIGTERM.
    """
    before = _children()
    with tempfile.TemporaryDirectory(prefix="dra-bench-") as folder:
        kubeconfig = Path(folder) / "kubeconfig"
        with serving(kubeconfig, "--kubeconfig-out", str(kubeconfig), *options) as (_, wall):
            pass
        return Sample(wall=wall, cpu=_children() - before)


@contextmanager
def serving(kubeconfig: Path, *options: str) -> Iterator[tuple[subprocess.Popen[bytes], float]]:
    """Start ``serve``, yield it with the seconds until it was ready, end it by SIGTERM."""
    start = time.perf_counter()
    with subprocess.Popen(
        program("serve", *options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as child:
        try:
            _wait_for(kubeconfig, child)
            yield child, time.perf_counter() - start
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait(_PATIENCE)


def _wait_for(path: Path, child: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while not path.exists():
        if child.poll() is not None or time.monotonic() > end:
            raise NotMeasuredError("serve was never ready")
        time.sleep(_LOOK)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def load() -> str:
    """Return what the machine does: its processors, and how many processes want one."""
    one, five, _ = os.getloadavg()
    return f"{os.cpu_count()} processors, load {one:.1f} (1 min) {five:.1f} (5 min)"

"""Remove what a cluster left on the machine, whether it ended well or was killed.

By construction there is little: a node's mounts, processes and sockets live in name spaces
that the kernel ends with the node. What can remain is processes that a pid file names,
cgroup folders, and, defensively, mounts below the state folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from conformance.upstream import processes
from conformance.upstream.layout import Layout
from conformance.upstream.node import cgroups

#: Scratch folders are called so and eight letters more; short, for the sockets below them.
_PREFIX = "dra-lane-"
_OWNER = "owner.pid"
_NAMELESS_SECONDS = 60.0


def is_supervised(layout: Layout) -> bool:
    """Say whether the process that supervises the cluster of ``layout`` is alive."""
    return processes.recorded_pid(layout.supervisor) is not None


def clean(layout: Layout) -> None:
    """Kill, unmount and delete everything of ``layout`` but its logs."""
    if not layout.state.is_dir():
        return
    processes.kill_recorded(layout.pids)
    for point in mounts(layout.state):
        subprocess.run(  # noqa: S603 - our own command line
            ["umount", "--lazy", point],  # noqa: S607 - wherever the machine keeps it
            check=False,
            capture_output=True,
        )
    cgroups.remove(layout.slug)
    for entry in layout.state.iterdir():
        if entry != layout.logs:
            _remove(entry)


@contextmanager
def scratch() -> Generator[Path]:
    """Give a new folder for clusters of this process; :func:`sweep` finds it after a crash."""
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        processes.record(folder / _OWNER, os.getpid())
        yield folder


def sweep() -> list[Path]:
    """Remove the scratch folders of processes that were killed, with all that they left.

    Returns them. What runs below such a folder was started for it, and is killed.
    """
    found: list[Path] = []
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if _is_abandoned(folder):
            _kill_users(folder)
            for state in filter(Path.is_dir, folder.iterdir()):
                clean(Layout(state))
            shutil.rmtree(folder, ignore_errors=True)
            found.append(folder)
    return found


def _is_abandoned(folder: Path) -> bool:
    try:
        status = folder.stat()
    except OSError:
        return False
    if status.st_uid != os.geteuid() or processes.recorded_pid(folder / _OWNER) is not None:
        return False
    # Its owner may be about to write its name.
    return (folder / _OWNER).exists() or time.time() - status.st_mtime > _NAMELESS_SECONDS


def _kill_users(folder: Path) -> None:
    """Kill the processes that were started with a path below ``folder``."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if f"{folder}/".encode() in entry.read_bytes():
                os.kill(int(entry.parent.name), signal.SIGKILL)


def forget_logs(layout: Layout) -> None:
    """Delete the logs of an earlier cluster; the supervisor is writing its own already."""
    for path in layout.logs.glob("*.log"):
        if path != layout.log("supervisor"):
            path.unlink()


def mounts(folder: Path, table: Path = Path("/proc/self/mountinfo")) -> list[str]:
    """Return the mount points below ``folder``, the innermost first."""
    points = [
        line.split()[4].encode().decode("unicode_escape") for line in table.read_text().splitlines()
    ]
    return sorted((p for p in points if Path(p).is_relative_to(folder)), key=len, reverse=True)


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)

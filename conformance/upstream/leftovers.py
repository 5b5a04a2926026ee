"""Remove what a cluster left on the machine, whether it ended well or was killed.

By construction there is little: a node's mounts, processes and sockets live in name spaces
that the kernel ends with the node. What can remain is processes that a pid file names,
cgroup folders, and, defensively, mounts below the state folder.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from conformance.upstream import processes
from conformance.upstream.layout import Layout
from conformance.upstream.node import cgroups


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

"""The cgroups of a cluster: one tree of our own in every hierarchy, removed as a whole."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
_SECONDS = 5.0
_POLL = 0.05
#: A new cpuset of cgroup v1 is empty, and an empty one takes no process.
_INHERITED = ("cpuset.cpus", "cpuset.mems")


def hierarchies(root: Path = ROOT) -> Iterator[Path]:
    """Yield the top folder of every hierarchy: several with version 1, one with version 2."""
    if (root / "cgroup.controllers").exists():
        yield root
        return
    yield from (path for path in sorted(root.iterdir()) if (path / "cgroup.procs").exists())


def create(name: str, root: Path = ROOT) -> None:
    """Create the cgroup ``name`` (with slashes: nested) in every hierarchy."""
    for hierarchy in hierarchies(root):
        folder = hierarchy
        for part in name.split("/"):
            folder /= part
            folder.mkdir(exist_ok=True)
            _inherit(folder)


def remove(name: str, root: Path = ROOT) -> None:
    """Remove the cgroup ``name`` and all below it everywhere; processes still inside die."""
    if not root.is_dir():
        return
    for hierarchy in hierarchies(root):
        folder = hierarchy / name
        deadline = time.monotonic() + _SECONDS
        while folder.is_dir() and time.monotonic() < deadline:
            _kill_members(folder)
            _remove_tree(folder)
            if folder.is_dir():
                time.sleep(_POLL)


def _inherit(folder: Path) -> None:
    for name in _INHERITED:
        setting = folder / name
        if setting.exists() and not setting.read_text().strip():
            setting.write_text((folder.parent / name).read_text())


def _kill_members(folder: Path) -> None:
    for members in folder.rglob("cgroup.procs"):
        with contextlib.suppress(OSError):
            for pid in members.read_text().split():
                os.kill(int(pid), signal.SIGKILL)


def _remove_tree(folder: Path) -> None:
    below = [path for path in folder.rglob("*") if path.is_dir()]
    for path in [*sorted(below, key=lambda path: len(path.parts), reverse=True), folder]:
        with contextlib.suppress(OSError):
            path.rmdir()

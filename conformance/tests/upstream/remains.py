"""What is left of a cluster on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from conformance.upstream import leftovers
from conformance.upstream.layout import Layout
from conformance.upstream.node import cgroups


def what_mentions(place: Layout) -> list[str]:
    """Return every process, mount and cgroup that still belongs to the cluster."""
    found = [*processes_with(place.state), *leftovers.mounts(place.state)]
    found += [str(top / place.slug) for top in cgroups.hierarchies() if (top / place.slug).exists()]
    return found


def processes_with(path: Path) -> list[str]:
    """Return the command lines that name a path, but for our own."""
    found: list[str] = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes().decode(errors="replace").replace("\0", " ")
        except OSError:
            continue
        if str(path) in command and entry.parent.name != str(os.getpid()):
            found.append(command)
    return found

"""What a machine must bring before a real cluster can run on it.

Nothing is installed from here: the lane that runs as root installs :data:`PACKAGES`, and
everybody else is told in one sentence what is missing.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from conformance.upstream import build, errors

#: Debian packages that a node with a kubelet needs.
PACKAGES = ("runc", "busybox-static", "containernetworking-plugins")

RUNC = Path("/usr/sbin/runc")
CNI_PLUGINS = Path("/usr/lib/cni")
BUSYBOX = Path("/bin/busybox")
_TOOLS = ("setpriv",)
_NODE_TOOLS = ("mount", "nsenter", "setpriv", "unshare")
_NODE_FILES = (
    (RUNC, "runc"),
    (BUSYBOX, "busybox-static"),
    (CNI_PLUGINS / "ptp", "containernetworking-plugins"),
)


def missing(*, kubelet: bool) -> tuple[str, ...]:
    """Return what is missing, one phrase each; ``kubelet`` asks for a node's needs too."""
    found: list[str] = []
    if not sys.platform.startswith("linux"):
        found.append("Linux is needed")
    unbuilt = build.missing(build.needed(kubelet=kubelet))
    if unbuilt and shutil.which("go") is None:
        names = ", ".join(module.name for module in unbuilt)
        found.append(f"the Go toolchain is missing, and not built yet: {names}")
    found.extend(
        f"the command {tool} (package util-linux or mount) is missing"
        for tool in (_NODE_TOOLS if kubelet else _TOOLS)
        if shutil.which(tool) is None
    )
    if kubelet:
        if os.geteuid() != 0:
            found.append("a node with a kubelet needs root")
        found.extend(
            f"{path} (Debian package {package}) is missing"
            for path, package in _NODE_FILES
            if not path.exists()
        )
    return tuple(found)


def must_have(*, kubelet: bool) -> None:
    """Raise :class:`errors.UnavailableError` when something is missing."""
    found = missing(kubelet=kubelet)
    if found:
        raise errors.UnavailableError(found)

"""Bind mounts of files: they show the file that was mounted, not what its path is later.

Writing into the file shows in the container; renaming another one over it, as an atomic
replacement does, does not. A hard link in the container's folder keeps the file.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from conformance.kube.objects import Object

#: Where a mount's file is kept, beside the ``hostPath`` of CDI.
_PINNED = "pinned"


def pinned(mounts: Iterable[Object], folder: Path) -> list[Object]:
    """Return mounts that keep their files; ``folder`` is the container's, for the links.

    A file of another file system, or one that can't be linked, is followed by its path.
    """
    shutil.rmtree(folder, ignore_errors=True)
    return [_pin(mount, folder / str(number)) for number, mount in enumerate(mounts)]


def source(mount: Object) -> Path:
    """Return what a mount shows."""
    return Path(mount.get(_PINNED) or mount["hostPath"])


def _pin(mount: Object, link: Path) -> Object:
    host = Path(mount["hostPath"]).resolve()
    if not host.is_file():
        return mount
    link.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(host, link)
    except OSError:
        return mount
    return {**mount, _PINNED: str(link)}

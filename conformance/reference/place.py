"""Where the files of a reference cluster lie: somewhere short.

Kubelet, plugins and drivers meet at sockets below the cluster's folder, and the path of a
socket has at most 107 bytes (``sockaddr_un``). A long TMPDIR, as CI systems like to set it,
would leave too few of them.
"""

from __future__ import annotations

import os
import tempfile

#: Bytes of the temporary folder that leave room for the longest socket below it.
_ROOM = 20

#: The folder that is short everywhere.
_SHORT = "/tmp"  # noqa: S108 - what is made in it has an unguessable name and is private


def temporary(prefix: str) -> tempfile.TemporaryDirectory[str]:
    """Return a new folder that goes with its context, in TMPDIR unless that is too long."""
    usual = tempfile.gettempdir()
    long = len(os.fsencode(usual)) > _ROOM
    parent = _SHORT if long and os.access(_SHORT, os.W_OK | os.X_OK) else usual
    return tempfile.TemporaryDirectory(prefix=prefix, dir=parent)

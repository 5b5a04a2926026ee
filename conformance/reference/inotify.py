"""Directories that tell when something in them changed: inotify on the event loop.

A change is known in the next turn of the loop, so that virtual time can't run past a socket
or a file that appears. Linux only, as the kubelet's registration by sockets is.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
from collections.abc import Callable
from pathlib import Path

_CREATE = 0x100
_DELETE = 0x200
_CLOSE_WRITE = 0x8
_MOVED = 0xC0

_LIBC = ctypes.CDLL(None, use_errno=True)


class DirectoryWatch:
    """Calls back whenever an entry of a directory appears, changes or goes."""

    def __init__(self, directory: Path, on_change: Callable[[], None]) -> None:
        """Start to watch; raises ``OSError`` when the kernel refuses."""
        self._on_change = on_change
        self._fd: int | None = self._open(directory)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._fd, self._read)

    def close(self) -> None:
        """Stop to watch."""
        if self._fd is not None:
            self._loop.remove_reader(self._fd)
            os.close(self._fd)
            self._fd = None

    @staticmethod
    def _open(directory: Path) -> int:
        fd = _LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if fd < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), str(directory))
        mask = _CREATE | _DELETE | _CLOSE_WRITE | _MOVED
        if _LIBC.inotify_add_watch(fd, os.fsencode(directory), mask) < 0:
            code = ctypes.get_errno()
            os.close(fd)
            raise OSError(code, os.strerror(code), str(directory))
        return fd

    def _read(self) -> None:
        if self._fd is None:
            return
        with contextlib.suppress(BlockingIOError):
            while os.read(self._fd, 65536):
                pass
        self._on_change()

"""What the kernel tells of a folder: which of its files somebody wrote under their own names."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.harness.errors import HarnessError

_MODIFY = 0x2

#: struct inotify_event (inotify(7)): watch, mask, cookie, length of the name that follows.
_EVENT = struct.Struct("iIII")

_LIBC = ctypes.CDLL(None, use_errno=True)


class Writing:
    """Names of files into which somebody wrote while they had that name."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._names: set[str] = set()

    def names(self) -> frozenset[str]:
        """Return the names so far."""
        try:
            while data := os.read(self._descriptor, 65536):
                self._names |= set(_named(data))
        except BlockingIOError:
            pass
        return frozenset(self._names)


@contextmanager
def watched(folder: Path) -> Iterator[Writing]:
    """Watch a folder; raises ``HarnessError`` where the kernel refuses."""
    descriptor = _LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if descriptor < 0 or _LIBC.inotify_add_watch(descriptor, os.fsencode(folder), _MODIFY) < 0:
        raise HarnessError(f"{folder} can't be watched: {os.strerror(ctypes.get_errno())}")
    try:
        yield Writing(descriptor)
    finally:
        os.close(descriptor)


def _named(data: bytes) -> Iterator[str]:
    place = 0
    while place < len(data):
        _, mask, _, length = _EVENT.unpack_from(data, place)
        place += _EVENT.size
        name = data[place : place + length].rstrip(b"\0")
        place += length
        if mask & _MODIFY:
            yield os.fsdecode(name)

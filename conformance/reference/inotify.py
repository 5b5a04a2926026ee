"""Directories that tell when something in them changed: inotify on the event loop.

A change is known in the next turn of the loop, so that virtual time can't run past a socket
or a file that appears. All directories of a loop share one instance of inotify, of which a
user may have few (``fs.inotify.max_user_instances`` is 128 on many machines). Linux only, as
the kubelet's registration by sockets is.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

_CREATE = 0x100
_DELETE = 0x200
_CLOSE_WRITE = 0x8
_MOVED = 0xC0
_MASK = _CREATE | _DELETE | _CLOSE_WRITE | _MOVED

#: struct inotify_event (inotify(7)): watch, mask, cookie, length of the name that follows.
_EVENT = struct.Struct("iIII")

#: The watch of an event that says that others were lost (IN_Q_OVERFLOW).
_OVERFLOW = -1

_LIBC = ctypes.CDLL(None, use_errno=True)


class DirectoryWatch:
    """Calls back whenever an entry of a directory appears, changes or goes."""

    def __init__(self, directory: Path, on_change: Callable[[], None]) -> None:
        """Start to watch; raises ``OSError`` when the kernel refuses."""
        self._instance: _Instance | None = _instance_of(asyncio.get_running_loop())
        self._on_change = on_change
        self._watch = self._instance.add(directory, on_change)

    def close(self) -> None:
        """Stop to watch."""
        if self._instance is not None:
            self._instance.remove(self._watch, self._on_change)
            self._instance = None


class _Instance:
    """One instance of inotify; it is closed with its last watch."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._callbacks: dict[int, list[Callable[[], None]]] = {}
        self._fd = _LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._fd < 0:
            raise _refusal("inotify")
        loop.add_reader(self._fd, self._read)

    def add(self, directory: Path, on_change: Callable[[], None]) -> int:
        watch: int = _LIBC.inotify_add_watch(self._fd, os.fsencode(directory), _MASK)
        if watch < 0:
            refusal = _refusal(str(directory))
            self._close_if_unused()
            raise refusal
        self._callbacks.setdefault(watch, []).append(on_change)
        return watch

    def remove(self, watch: int, on_change: Callable[[], None]) -> None:
        callbacks = self._callbacks[watch]
        callbacks.remove(on_change)
        if not callbacks:
            del self._callbacks[watch]
            # A directory that is gone has taken its watch with it.
            _LIBC.inotify_rm_watch(self._fd, watch)
            self._close_if_unused()

    def _close_if_unused(self) -> None:
        if not self._callbacks:
            _INSTANCES.pop(self._loop, None)
            self._loop.remove_reader(self._fd)
            os.close(self._fd)

    def _read(self) -> None:
        changed = dict.fromkeys(self._changed())
        # What did not fit into the queue may have been about any of them.
        for watch in list(self._callbacks) if _OVERFLOW in changed else changed:
            for on_change in list(self._callbacks.get(watch, ())):
                on_change()

    def _changed(self) -> Iterator[int]:
        """Yield the watches of all events that are waiting."""
        with contextlib.suppress(BlockingIOError):
            while events := os.read(self._fd, 65536):
                place = 0
                while place < len(events):
                    watch, _, _, length = _EVENT.unpack_from(events, place)
                    place += _EVENT.size + length
                    yield watch


_INSTANCES: dict[asyncio.AbstractEventLoop, _Instance] = {}


def _instance_of(loop: asyncio.AbstractEventLoop) -> _Instance:
    if loop not in _INSTANCES:
        _INSTANCES[loop] = _Instance(loop)
    return _INSTANCES[loop]


def _refusal(what: str) -> OSError:
    code = ctypes.get_errno()
    return OSError(code, os.strerror(code), what)

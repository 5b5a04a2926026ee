"""The watch on the registrar directory and the handshake with whoever puts a socket there."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from conformance.reference.clock import Clock
from conformance.reference.faults.seams import Faults
from conformance.reference.inotify import DirectoryWatch
from conformance.reference.kubelet.registration.book import PluginBook
from conformance.reference.kubelet.registration.calls import CallError, open_channel, within
from conformance.reference.kubelet.registration.plugin import Plugin, cancelled
from conformance.reference.kubelet.registration.services import (
    PLUGIN_TYPE,
    UnusablePluginError,
    choose,
)
from conformance.wire import pluginregistration_v1_pb2 as messages
from conformance.wire import pluginregistration_v1_pb2_grpc as services

_LOG = logging.getLogger(__name__)

#: Seconds that a plugin may take to say who it is.
HANDSHAKE_TIMEOUT = 10.0

#: Seconds before a failed registration is tried again: first, and at most.
FIRST_RETRY = 0.5
LAST_RETRY = 120.0


@attrs.frozen(kw_only=True)
class _Socket:
    """A registration socket; another inode under the same name is another socket."""

    path: Path
    inode: int
    born: int


class Registrar:
    """Registers the plugin behind every socket in a directory, and unregisters it with it."""

    def __init__(
        self,
        directory: Path,
        book: PluginBook,
        *,
        clock: Clock,
        faults: Faults,
        call_timeout: float,
    ) -> None:
        """``call_timeout`` is what a registered driver may take for one call, in seconds."""
        self._directory = directory
        self._book = book
        self._clock = clock
        self._call_timeout = call_timeout
        self._choose = faults.wrap("kubelet.choose_services", choose)
        self._try = faults.wrap("kubelet.register", self._attempt)
        self._take = faults.wrap("kubelet.admit", self._admit)
        self._watch: DirectoryWatch | None = None
        self._tasks: dict[_Socket, asyncio.Task[None]] = {}
        self._plugins: dict[_Socket, Plugin] = {}
        self._removals: set[asyncio.Future[None]] = set()

    def start(self) -> None:
        """Find the sockets that are there and those that come."""
        self._directory.mkdir(parents=True, exist_ok=True)
        self._watch = DirectoryWatch(self._directory, self._scan)
        self._scan()

    async def stop(self) -> None:
        """Look no further; the plugins stay in the book."""
        if self._watch is not None:
            self._watch.close()
        for task in list(self._tasks.values()):
            await cancelled(task)
        await asyncio.gather(*self._removals)

    def _scan(self) -> None:
        present = set(_sockets(self._directory))
        for gone in [socket for socket in self._tasks if socket not in present]:
            old = self._tasks.pop(gone)
            old.cancel()
            self._unregister(gone)
        for socket in sorted(present - set(self._tasks), key=lambda one: one.path.name):
            self._tasks[socket] = asyncio.ensure_future(self._register(socket))

    def _unregister(self, socket: _Socket) -> None:
        plugin = self._plugins.pop(socket, None)
        if plugin is not None:
            removal = asyncio.ensure_future(self._book.remove(plugin))
            self._removals.add(removal)
            removal.add_done_callback(self._removals.discard)

    async def _register(self, socket: _Socket) -> None:
        delay = FIRST_RETRY
        while True:
            try:
                await self._try(socket)
            except (CallError, UnusablePluginError) as error:
                _LOG.debug("registration of %s: %s", socket.path.name, error)
            else:
                return
            await self._clock.sleep(delay)
            delay = min(delay * 2, LAST_RETRY)

    async def _attempt(self, socket: _Socket) -> None:
        channel = open_channel(str(socket.path))
        stub = services.RegistrationStub(channel)
        try:
            info = await self._ask(stub.GetInfo, messages.InfoRequest())
            error = ""
            try:
                self._take(socket, info)
            except UnusablePluginError as refusal:
                error = str(refusal)
            status = messages.RegistrationStatus(plugin_registered=not error, error=error)
            await self._ask(stub.NotifyRegistrationStatus, status)
            if error:
                raise UnusablePluginError(error)
        finally:
            await channel.close()

    async def _ask(self, method: Callable[..., Any], request: object) -> Any:
        # The socket file exists a moment before its owner listens on it.
        call = method(request, wait_for_ready=True)
        return await within(self._clock, HANDSHAKE_TIMEOUT, call)

    def _admit(self, socket: _Socket, info: messages.PluginInfo) -> None:
        if info.type != PLUGIN_TYPE:
            raise UnusablePluginError(f"no handler registered for plugin type: {info.type}")
        if not info.name:
            raise UnusablePluginError("plugin name is empty")
        if socket in self._plugins:
            # It was taken before, and could not be told so.
            return
        plugin = Plugin(
            info.name,
            info.endpoint or str(socket.path),
            self._choose(list(info.supported_versions)),
            clock=self._clock,
            timeout=self._call_timeout,
        )
        self._book.add(plugin)
        self._plugins[socket] = plugin


def _sockets(directory: Path) -> list[_Socket]:
    found: list[_Socket] = []
    for path in directory.iterdir():
        with contextlib.suppress(FileNotFoundError):
            entry = path.lstat()
            if stat.S_ISSOCK(entry.st_mode) and not path.name.startswith("."):
                found.append(_Socket(path=path, inode=entry.st_ino, born=entry.st_ctime_ns))
    return found

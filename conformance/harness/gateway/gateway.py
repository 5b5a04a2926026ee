"""The gateway as a target holds it: started when it is first needed, asked from any thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence

from conformance.harness.client import Api, known
from conformance.harness.errors import HarnessError
from conformance.harness.gateway.meeting import Meeting, Seen
from conformance.harness.gateway.server import PassedAct, Server
from conformance.harness.gateway.way import Way
from conformance.harness.targets.loop_thread import LoopThread
from conformance.kube.status import StatusError
from conformance.trust.rotation import Turn
from conformance.trust.trouble import Trouble

_SLICES = known("resource.k8s.io", "v1", "resourceslices")


class GatewayDisturbance:
    """Trouble of a driver on its way to an API server."""

    def __init__(self, gateway: Gateway, met: Meeting) -> None:
        self._gateway = gateway
        self._met = met

    def requests(self) -> Sequence[Seen]:
        """Return what the driver has asked since."""
        return tuple(self._met.seen)

    def cut_watches(self) -> None:
        """Break the watches of the driver."""
        self._gateway.cut(self._met.driver)


class Gateway:
    """One way to one API server, for one driver."""

    def __init__(self, api: Api, way: Way) -> None:
        """Listen; ``api`` is nobody else's, since this asks it from a thread of its own."""
        self._api = api
        self._loop = LoopThread("the gateway")
        self._server = Server(way, self._driver_of)
        self._loop.run(self._server.listen())

    @property
    def reached(self) -> tuple[str, bytes]:
        """The URL, and by what it is trusted, as PEM."""
        return self._server.url, self._server.authority

    def known_as(self, user: str) -> None:
        """Say as whom the driver acts, by the name that the API server gives it."""
        self._server.user = user

    def acts(self) -> Sequence[PassedAct]:
        """Return what the driver asked so far, the oldest first."""
        return self._loop.call(lambda: tuple(self._server.acts))

    def replaced(self, old: str, new: str) -> Turn:
        """Let a token take the place of another, and return what becomes of both."""
        return self._loop.call(lambda: self._server.rotation.begin(old, new))

    @contextlib.contextmanager
    def disturbed(self, driver: str, trouble: Trouble) -> Iterator[GatewayDisturbance]:
        """Let the requests of a driver about its slices meet trouble for a while."""
        met = self._loop.call(lambda: self._server.begin(driver, trouble))
        try:
            yield GatewayDisturbance(self, met)
        finally:
            self._loop.call(lambda: self._server.end(met))

    def cut(self, driver: str) -> None:
        """Break the watches of a driver's slices."""
        self._loop.call(lambda: self._server.cut(driver))

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """Let the driver reach no API server for a while."""
        self._loop.run(self._server.leave())
        try:
            yield
        finally:
            self._loop.run(self._server.listen())

    def close(self) -> None:
        """End it."""
        self._loop.run(self._server.close())
        self._loop.stop()
        self._api.close()

    async def _driver_of(self, name: str) -> str:
        return await asyncio.to_thread(self._read, name)

    def _read(self, name: str) -> str:
        try:
            return str(self._api.get(_SLICES, name)["spec"]["driver"])
        except (StatusError, HarnessError):
            return ""

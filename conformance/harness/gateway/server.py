"""The HTTP of the gateway: takes requests with TLS, passes them on, and their answers back."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import aiohttp
import attrs
from aiohttp import web

from conformance.harness.gateway import asking, meeting
from conformance.harness.gateway.asking import Ask
from conformance.harness.gateway.meeting import Meeting, Seen
from conformance.harness.gateway.way import Way
from conformance.kube import status
from conformance.kube.objects import Object
from conformance.trust import certificates
from conformance.trust.rotation import Rotation
from conformance.trust.trouble import Trouble, headers, refusal

_HOST = "127.0.0.1"

_SLICES = "resourceslices"

#: What concerns one connection alone (RFC 9110, section 7.6.1), and what is said anew.
_HOP = {"connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "host"}

#: What is said anew of a request: its body may have become another.
_ANEW = _HOP | {"content-length", "expect"}

#: Largest body of a request, in bytes; an API server takes 3 MiB.
_LARGEST = 4 << 20

_FORBIDDEN = 403

#: Seconds until a server that is away has cut what still runs.
_CUT = 0.5


@attrs.frozen(kw_only=True)
class PassedAct:
    """What the driver asked of the API server, and whether it was allowed."""

    user: str
    verb: str
    group: str
    resource: str
    subresource: str
    allowed: bool


class Server:
    """Passes on what the driver asks; everything here runs in one event loop."""

    def __init__(self, way: Way, driver_of: Callable[[str], Awaitable[str]]) -> None:
        """``driver_of`` tells whose slice of a name is, empty where there is none."""
        self.rotation = Rotation()
        self.acts: list[PassedAct] = []
        #: As whom the driver acts.
        self.user = ""
        self._way = way
        self._driver_of = driver_of
        self._drivers: dict[str, str] = {}
        self._meetings: list[Meeting] = []
        #: Requests that are not answered yet, each with the driver whose slices it watches.
        self._open: dict[int, tuple[web.BaseRequest, str]] = {}
        self._trust = certificates.throwaway(_HOST)
        self._session: aiohttp.ClientSession | None = None
        self._runner: web.ServerRunner | None = None
        self._port = 0

    @property
    def authority(self) -> bytes:
        """By what it is trusted, as PEM."""
        return self._trust.authority

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"https://{_HOST}:{self._port}"

    async def listen(self) -> None:
        """Listen on a free port, or on that of before."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(ssl=self._way.context or True, limit=0),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=10.0),
                auto_decompress=False,
                # What a request lacks is not for us to add.
                skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
            )
        server = web.Server(
            self._handle, handler_cancellation=True, access_log=None, request_factory=_request
        )
        self._runner = web.ServerRunner(server, shutdown_timeout=_CUT)
        await self._runner.setup()
        context = self._trust.context
        site = web.TCPSite(self._runner, _HOST, self._port, ssl_context=context, reuse_address=True)
        await site.start()
        self._port = self._runner.addresses[0][1]

    async def leave(self) -> None:
        """Close the port and cut every connection."""
        if self._runner is not None:
            for request, _ in tuple(self._open.values()):
                _abort(request)
            await self._runner.cleanup()
            self._runner = None

    async def close(self) -> None:
        """End everything."""
        await self.leave()
        if self._session is not None:
            await self._session.close()
            self._session = None

    def begin(self, driver: str, trouble: Trouble) -> Meeting:
        """Let the requests of a driver about its slices meet trouble from now on."""
        begun = Meeting(driver, trouble)
        self._meetings.append(begun)
        return begun

    def end(self, begun: Meeting) -> None:
        """Let that be over."""
        self._meetings.remove(begun)

    def cut(self, driver: str) -> None:
        """Break the watches of a driver's slices."""
        for request, watched in tuple(self._open.values()):
            if watched == driver:
                _abort(request)

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme == "Bearer" and not self.rotation.shown(token):
            return _respond(status.unauthorized().to_object())
        body = await request.read()
        ask = asking.read(request.method, request.path, request.query)
        if ask is None or ask.resource != _SLICES or ask.subresource:
            with self._opened(request, ""):
                return await self._passed(request, body, ask)
        driver = await self._whose(ask, body)
        with self._opened(request, driver if ask.verb == "watch" else ""):
            for one in reversed(self._meetings):  # the newest alone
                if one.driver == driver:
                    return await self._met(one, request, body, ask)
            return await self._passed(request, body, ask)

    async def _met(
        self, met: Meeting, request: web.BaseRequest, body: bytes, ask: Ask
    ) -> web.StreamResponse:
        seen, trouble = Seen(at=time.monotonic(), verb=ask.verb), met.next(ask.verb)
        # At once, so that whoever has the answer finds the request: its code follows.
        met.seen.append(seen)
        await asyncio.sleep(trouble.delay)
        if trouble.broken:
            _abort(request)
            return web.Response()
        if trouble.code:
            seen.code = trouble.code
            return _respond(refusal(trouble), headers(trouble))
        if trouble.dropped:
            body = meeting.without(body, trouble.dropped)
        return await self._passed(request, body, ask, seen)

    async def _whose(self, ask: Ask, body: bytes) -> str:
        """Return whose slices a request is about, empty where it does not say."""
        if "spec.driver" in ask.fields:
            return ask.fields["spec.driver"]
        if not ask.name:
            return meeting.driver_of(body) if ask.verb == "create" else ""
        if not self._drivers.get(ask.name):
            # One that is applied may not be there yet.
            found = await self._driver_of(ask.name)
            self._drivers[ask.name] = found or meeting.driver_of(body)
        return self._drivers[ask.name]

    async def _passed(
        self, request: web.BaseRequest, body: bytes, ask: Ask | None, seen: Seen | None = None
    ) -> web.StreamResponse:
        """Return the answer of the API server; what it can't be asked is answered with 502."""
        assert self._session is not None, "listen() comes first"
        try:
            async with self._session.request(
                request.method,
                self._way.server.rstrip("/") + request.raw_path,
                headers=_kept(request.headers, _ANEW),
                data=body or None,
                allow_redirects=False,
                server_hostname=self._way.name,
                proxy=self._way.proxy,
            ) as answer:
                self._remember(ask, answer.status)
                if seen is not None:
                    seen.code = answer.status
                return await _returned(request, answer)
        except aiohttp.ClientError as error:
            return web.Response(status=502, text=f"the API server does not answer: {error}")

    def _remember(self, ask: Ask | None, code: int) -> None:
        if ask is not None:
            told = {name: getattr(ask, name) for name in ("verb", "group", "resource")}
            act = PassedAct(
                user=self.user, **told, subresource=ask.subresource, allowed=code != _FORBIDDEN
            )
            self.acts.append(act)

    @contextlib.contextmanager
    def _opened(self, request: web.BaseRequest, watched: str) -> Iterator[None]:
        self._open[id(request)] = request, watched
        try:
            yield
        finally:
            self._open.pop(id(request), None)


async def _returned(request: web.BaseRequest, answer: aiohttp.ClientResponse) -> web.StreamResponse:
    """Send an answer back as it comes, however long it goes on."""
    response = web.StreamResponse(status=answer.status, headers=_kept(answer.headers, _HOP))
    await response.prepare(request)
    try:
        async for piece in answer.content.iter_any():
            await response.write(piece)
    except (aiohttp.ClientError, ConnectionResetError):
        # Half an answer must not look like a whole one.
        _abort(request)
        return response
    await response.write_eof()
    return response


def _kept(headers: Mapping[str, str], dropped: set[str]) -> Any:
    dropped = dropped | {one.strip().lower() for one in headers.get("Connection", "").split(",")}
    return [(name, value) for name, value in headers.items() if name.lower() not in dropped]


def _respond(document: Object, more: Mapping[str, str] | None = None) -> web.Response:
    return web.Response(
        status=document["code"],
        body=meeting.text(document),
        content_type="application/json",
        headers=more,
    )


def _abort(request: web.BaseRequest) -> None:
    if request.transport is not None:
        request.transport.abort()


def _request(*parts: Any) -> web.BaseRequest:
    # The library limits bodies to 1 MiB unless the request object is told otherwise.
    message, payload, protocol, writer, task = parts
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=_LARGEST)

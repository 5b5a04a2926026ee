"""Text over HTTP/1.0 on loopback: one request, one answer, and the connection closes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import unquote, urlsplit

import attrs


@attrs.frozen(kw_only=True)
class Reply:
    """What is answered."""

    code: int
    body: str
    content_type: str = "text/plain; charset=utf-8"


#: Answers a GET by the parts of its path.
Route = Callable[[Sequence[str]], Awaitable[Reply]]

#: Seconds that a client may take for its request line, and the longest line that is read.
_PATIENCE = 10.0
_REASONS = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


def at_once(route: Callable[[Sequence[str]], tuple[int, str]]) -> Route:
    """Return a route that waits for nothing, from one that returns code and text."""

    async def answer(parts: Sequence[str]) -> Reply:
        code, body = route(parts)
        return Reply(code=code, body=body)

    return answer


class Endpoint:
    """A server of text."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._server: asyncio.Server | None = None

    async def start(self, port: int = 0) -> int:
        """Listen on a port, by default a free one, and return it; raises ``OSError``."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop to listen."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _PATIENCE)
            reply = await self._answer(head.split(b"\r\n", 1)[0].decode("latin-1"))
            writer.write(_response(reply))
            await writer.drain()
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, ValueError):
            pass
        finally:
            writer.close()

    async def _answer(self, line: str) -> Reply:
        words = line.split(" ")
        if len(words) != 3:
            return Reply(code=400, body="400 bad request\n")
        method, target, _ = words
        if method != "GET":
            return Reply(code=405, body="405 method not allowed\n")
        parts = unquote(urlsplit(target).path).strip("/").split("/")
        return Reply(code=200, body="ok") if parts == ["healthz"] else await self._route(parts)


def _response(reply: Reply) -> bytes:
    content = reply.body.encode()
    head = (
        f"HTTP/1.0 {reply.code} {_REASONS[reply.code]}\r\n"
        f"Content-Type: {reply.content_type}\r\n"
        f"Content-Length: {len(content)}\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode("latin-1") + content

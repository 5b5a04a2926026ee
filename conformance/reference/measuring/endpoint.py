"""Text over HTTP/1.0 on loopback: one request, one answer, and the connection closes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from urllib.parse import unquote, urlsplit

#: Answers a GET by the parts of its path: code and text.
Route = Callable[[Sequence[str]], tuple[int, str]]

#: Seconds that a client may take for its request line, and the longest line that is read.
_PATIENCE = 10.0
_REASONS = {200: "OK", 404: "Not Found", 405: "Method Not Allowed", 400: "Bad Request"}


class Endpoint:
    """A server of text."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._server: asyncio.Server | None = None

    async def start(self) -> int:
        """Listen on a free port and return it."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop to listen."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _PATIENCE)
            code, body = self._answer(head.split(b"\r\n", 1)[0].decode("latin-1"))
            writer.write(_response(code, body))
            await writer.drain()
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, ValueError):
            pass
        finally:
            writer.close()

    def _answer(self, line: str) -> tuple[int, str]:
        words = line.split(" ")
        if len(words) != 3:
            return 400, "400 bad request\n"
        method, target, _ = words
        if method != "GET":
            return 405, "405 method not allowed\n"
        parts = unquote(urlsplit(target).path).strip("/").split("/")
        return (200, "ok") if parts == ["healthz"] else self._route(parts)


def _response(code: int, body: str) -> bytes:
    content = body.encode()
    head = (
        f"HTTP/1.0 {code} {_REASONS[code]}\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(content)}\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode("latin-1") + content

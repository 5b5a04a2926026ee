"""The connection to the API server: JSON requests, Status answers and watch streams."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Self
from urllib.parse import urlencode

import aiohttp
import attrs

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.clock import Clock

_LARGE = 2**20

#: Made once; plain JSON values hold no cycles to look for.
_JSON = json.JSONEncoder(separators=(",", ":"), check_circular=False)


class Unreachable(ConnectionError):
    """The API server did not answer, or the connection broke in the middle."""


@attrs.frozen(kw_only=True)
class WatchEvent:
    """One line of a watch: ADDED, MODIFIED, DELETED, BOOKMARK, and the object in it."""

    type: str
    object: Object


class Transport:
    """Requests to one server with one bearer token, or with the one that there is each time."""

    def __init__(self, base_url: str, token: str | Callable[[], str], *, clock: Clock) -> None:
        self.base_url = base_url.rstrip("/")
        self._headers = _bearer(token) if isinstance(token, str) else {}
        self._current = None if isinstance(token, str) else token
        self.clock = clock
        self._session: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        """Close every connection; open watches end."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> Object:
        """Send one request and return the object that answers it.

        Raises ``StatusError`` as the server says, ``Unreachable`` when it says nothing.
        """
        code, text = await self.text(
            method, path, body=body, query=query, content_type=content_type
        )
        return _answer(code, text)

    async def text(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> tuple[int, str]:
        """Send one request and return status code and text of the answer."""
        headers = self._accepting()
        data: bytes | io.BytesIO | None = None
        if body is not None:
            encoded = _JSON.encode(body).encode()
            # A large body is sent in pieces: bytes would hold up the event loop.
            data = encoded if len(encoded) < _LARGE else io.BytesIO(encoded)
            headers["Content-Type"] = content_type
        with self.clock.busy():
            try:
                async with self._open().request(
                    method, self._url(path, query), data=data, headers=headers
                ) as response:
                    return response.status, await response.text()
            except (aiohttp.ClientError, OSError) as error:
                raise Unreachable(f"{method} {path}: {error}") from error

    async def watch(self, path: str, query: Mapping[str, str]) -> AsyncIterator[WatchEvent]:
        """Yield the events of a watch until the server ends it.

        Raises ``StatusError`` for a refused watch and for an ERROR event (such as
        410 Expired), ``Unreachable`` for a broken connection.
        """
        url = self._url(path, {"watch": "true", **query})
        try:
            async with self._open().get(url, headers=self._accepting()) as response:
                if response.status != 200:
                    _answer(response.status, await response.text())
                async for line in _lines(response.content):
                    yield _event(json.loads(line))
        except (aiohttp.ClientError, OSError) as error:
            raise Unreachable(f"watch {path}: {error}") from error

    def _accepting(self) -> dict[str, str]:
        current = {} if self._current is None else _bearer(self._current())
        return {"Accept": "application/json", **current}

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                headers=self._headers,
                connector=aiohttp.TCPConnector(limit=0, force_close=False),
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=True,
                trust_env=False,
            )
        return self._session

    def _url(self, path: str, query: Mapping[str, str] | None) -> str:
        if not query:
            return self.base_url + path
        return f"{self.base_url}{path}?{urlencode(query)}"


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


async def _lines(content: aiohttp.StreamReader) -> AsyncIterator[bytes]:
    # The reader's own lines are limited in length; an object in a watch is not.
    pending = b""
    async for chunk in content.iter_any():
        *lines, pending = (pending + chunk).split(b"\n")
        for line in filter(None, lines):
            yield line


def _answer(code: int, text: str) -> Object:
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if 200 <= code < 300 and isinstance(answer, dict):
        return answer
    if isinstance(answer, dict) and answer.get("kind") == "Status":
        raise StatusError.from_object(answer)
    raise StatusError(code=code, reason="", message=text.strip() or f"HTTP {code}")


def _event(line: Object) -> WatchEvent:
    if line["type"] == "ERROR":
        raise StatusError.from_object(line["object"])
    return WatchEvent(type=line["type"], object=line["object"])

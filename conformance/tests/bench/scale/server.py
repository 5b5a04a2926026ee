"""An API server as a kubeconfig describes it, asked over plain HTTP by many threads."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from conformance.kube.objects import Object

#: Seconds until an answer counts as lost.
_PATIENCE = 120.0

MERGE_PATCH = "application/merge-patch+json"


class RefusedError(RuntimeError):
    """The server answered with an error."""


class Server:
    """One API server; every thread has a connection of its own, which stays open."""

    def __init__(self, kubeconfig: Path) -> None:
        """Read a kubeconfig with one cluster and one user that has a bearer token."""
        document: Any = yaml.safe_load(kubeconfig.read_text("utf-8"))
        cluster = document["clusters"][0]["cluster"]
        token = document["users"][0]["user"]["token"]
        self._address = urlsplit(cluster["server"])
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self._context = _trust(cluster) if self._address.scheme == "https" else None
        self._local = threading.local()
        self._connections: list[http.client.HTTPConnection] = []
        self._watches: list[http.client.HTTPConnection] = []
        self._closed = False

    def close(self) -> None:
        """End every connection, watches included; what is asked from now on is refused."""
        self._closed = True
        for connection in self._watches:
            # Its thread reads from it: that ends now, and the thread closes it.
            with contextlib.suppress(OSError, AttributeError):
                connection.sock.shutdown(socket.SHUT_RDWR)
        for connection in self._connections:
            connection.close()

    def ask(
        self, method: str, path: str, body: Any = None, content_type: str = "application/json"
    ) -> Object:
        """Return the answer; raises ``RefusedError``, and ``OSError`` without an answer."""
        connection = self._mine()
        data = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, "Content-Type": content_type}
        connection.request(method, path, data, headers)
        response = connection.getresponse()
        answer = response.read()
        if response.status >= 400:
            raise RefusedError(f"{method} {path}: {response.status} {answer[:300].decode()}")
        return json.loads(answer)

    def watch(self, path: str, version: str) -> Iterator[Object]:
        """Yield the events of a collection after a resourceVersion, over a new connection."""
        query = f"{path}?watch=true&resourceVersion={version}"
        with contextlib.closing(self._connect()) as connection:
            connection.request("GET", query, None, self._headers)
            self._watches.append(connection)
            response = connection.getresponse()
            if response.status != 200:
                raise RefusedError(f"GET {query}: {response.status}")
            while line := response.readline():
                yield json.loads(line)

    def _mine(self) -> http.client.HTTPConnection:
        known: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if known is None:
            known = self._local.connection = self._connect()
            self._connections.append(known)
        return known

    def _connect(self) -> http.client.HTTPConnection:
        if self._closed:
            raise ConnectionError("the connections to this server were closed")
        host, port = self._address.hostname or "", self._address.port
        if self._context is None:
            return http.client.HTTPConnection(host, port, timeout=_PATIENCE)
        return http.client.HTTPSConnection(host, port, timeout=_PATIENCE, context=self._context)


def _trust(cluster: Object) -> ssl.SSLContext:
    authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
    return ssl.create_default_context(cadata=authority)

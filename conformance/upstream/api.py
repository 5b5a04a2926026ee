"""The few requests that bringing a cluster up needs, over HTTPS with a bearer token.

This is no Kubernetes client: the suite has its own. It exists so that starting a cluster
needs nothing but the standard library.
"""

from __future__ import annotations

import http.client
import json
import ssl
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from conformance.kube.objects import Object
from conformance.upstream import errors

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
_SECONDS = 10.0


class Api:
    """One API server, or another component, asked as the cluster's administrator."""

    def __init__(self, server: str, token: str, authority: Path) -> None:
        self._server = server
        self._token = token
        self._authority = authority

    def is_ready(self, path: str = "/readyz") -> bool:
        """Say whether ``path`` answers 200; a server that is not there is not ready."""
        try:
            self._request("GET", path, None, JSON)
        except (OSError, http.client.HTTPException):
            # urllib's HTTPError and URLError are OSErrors.
            return False
        return True

    def call(self, method: str, path: str, body: Any = None, content_type: str = JSON) -> Object:
        """Return the JSON answer; :class:`errors.UpstreamError` for any other one."""
        try:
            return json.loads(self._request(method, path, body, content_type))
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")[:500]
            raise errors.UpstreamError(f"{method} {path}: {error.code} {text}") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise errors.UpstreamError(f"{method} {path}: {error}") from error

    def text(self, path: str) -> str:
        """Return an answer that is no JSON; :class:`errors.UpstreamError` for any other one."""
        try:
            return self._request("GET", path, None, JSON).decode()
        except (OSError, http.client.HTTPException) as error:
            raise errors.UpstreamError(f"GET {self._server}{path}: {error}") from error

    def _request(self, method: str, path: str, body: Any, content_type: str) -> bytes:
        request = urllib.request.Request(  # noqa: S310 - the scheme is ours
            self._server + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": content_type},
        )
        context = ssl.create_default_context(cafile=str(self._authority))
        # Each server here signed its own certificate, and nothing else is trusted; a kubelet's
        # names its host and not loopback.
        context.check_hostname = False
        # A proxy of the environment has no business between us and loopback.
        direct = urllib.request.ProxyHandler({})
        opener = urllib.request.build_opener(direct, urllib.request.HTTPSHandler(context=context))
        with opener.open(request, timeout=_SECONDS) as answer:
            return answer.read()

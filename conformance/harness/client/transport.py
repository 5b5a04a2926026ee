"""One request to a target's API server, through the ``kubernetes`` library's connections.

The library sets up what a configuration says of TLS, proxies and the pool, and renews
credentials. Its own way from a call to the pool copies each object and takes several times as
long as the pool does; ours goes there at once.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import kubernetes.client.rest
import urllib3
import urllib3.exceptions
import urllib3.util

from conformance.harness.errors import TargetUnreachable

#: Seconds until a connection stands.
_CONNECT = 5.0

#: As whom the harness is known to servers.
_USER_AGENT = "dra-conformance"

#: Plain JSON values hold no cycles to look for.
_ENCODER = json.JSONEncoder(check_circular=False)

Parameters = Sequence[tuple[str, str]]


def anonymous(configuration: Any) -> Any:
    """Return the way to a server, without the credentials of whoever goes it."""
    other: Any = kubernetes.client.Configuration()
    for kept in ("host", "ssl_ca_cert", "verify_ssl", "tls_server_name", "proxy", "no_proxy"):
        if hasattr(configuration, kept):
            setattr(other, kept, getattr(configuration, kept))
    return other


class Transport:
    """The connections to one server, with the credentials of one configuration."""

    def __init__(self, configuration: Any, headers: Mapping[str, str]) -> None:
        """``headers`` go with every request."""
        configuration.retries = False
        if not configuration.verify_ssl:
            # The kubeconfig says so; a warning at every request would say nothing new.
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        self._configuration = configuration
        self._headers = {"User-Agent": _USER_AGENT, **headers}
        self._library: Any = kubernetes.client.rest.RESTClientObject(configuration)

    def close(self) -> None:
        """Close every connection."""
        self._library.close()

    def open(
        self,
        method: str,
        path: str,
        body: Any,
        query: Parameters,
        *,
        types: tuple[str, str],
        seconds: float,
    ) -> urllib3.BaseHTTPResponse:
        """Send a request and return the answer as soon as its headers are there.

        ``types`` are those that are sent and accepted; within ``seconds`` each part of the answer
        must come. Raises ``TargetUnreachable``.
        """
        content_type, accept = types
        headers = {"Accept": accept, **self._headers, **self._credentials()}
        if body is not None:
            headers["Content-Type"] = content_type
        try:
            pool, prefix = self._way
            return pool.urlopen(
                method,
                f"{prefix}{path}{_question(query)}",
                redirect=False,
                body=None if body is None else _ENCODER.encode(body).encode(),
                headers=headers,
                timeout=urllib3.Timeout(connect=_CONNECT, read=seconds),
                preload_content=False,
            )
        except urllib3.exceptions.HTTPError as error:
            raise self._unreachable(error) from error

    def read(self, response: urllib3.BaseHTTPResponse) -> str:
        """Return the rest of an answer as text; raises ``TargetUnreachable``."""
        try:
            return response.data.decode("utf-8", "replace")
        except urllib3.exceptions.HTTPError as error:
            raise self._unreachable(error) from error

    @functools.cached_property
    def _way(self) -> tuple[Any, str]:
        """Where requests go, and what comes before each path there.

        What a proxy must be told is for the manager to say; else it would look up the one pool
        anew for each request.
        """
        manager, host = self._library.pool_manager, self._configuration.host
        if manager.proxy is not None:
            return manager, host
        return manager.connection_from_url(host), urllib3.util.parse_url(host).path or ""

    def _credentials(self) -> Mapping[str, str]:
        # Asked each time: the library renews a token that is about to expire.
        granted = self._configuration.auth_settings().get("BearerToken")
        return {granted["key"]: granted["value"]} if granted and granted["value"] else {}

    def _unreachable(self, error: urllib3.exceptions.HTTPError) -> TargetUnreachable:
        reason = " ".join(str(getattr(error, "reason", None) or error).split())
        if isinstance(error, urllib3.exceptions.SSLError):
            reason = f"{type(error).__name__} {reason}"
        return TargetUnreachable(f"{self._configuration.host} does not answer: {reason}")


def _question(query: Parameters) -> str:
    """Return the query of a URL, empty where nothing is asked."""
    return "?" + "&".join(f"{key}={quote(value)}" for key, value in query) if query else ""

"""An API server over plain HTTP: what asks a real one and ours in the same words."""

from __future__ import annotations

import base64
import http.client
import json
import ssl
from pathlib import Path
from urllib.parse import urlsplit

import attrs


@attrs.frozen(kw_only=True)
class Access:
    """Where a server is and how its administrator is let in."""

    url: str
    token: str
    authority: str | None = None

    def connect(self, seconds: float = 30.0) -> http.client.HTTPConnection:
        """Return a connection that waits so long for an answer; it is the caller's to close."""
        parts = urlsplit(self.url)
        if parts.scheme == "https":
            context = ssl.create_default_context(cadata=self.authority)
            return http.client.HTTPSConnection(parts.netloc, timeout=seconds, context=context)
        return http.client.HTTPConnection(parts.netloc, timeout=seconds)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
        return {"Authorization": f"Bearer {self.token}"}


def read_kubeconfig(path: Path) -> Access:
    """Return the access that the kubeconfig of a ``conformance.upstream`` cluster gives."""
    # Such a kubeconfig is JSON with one cluster and one user.
    config = json.loads(path.read_text())
    cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
    return Access(url=cluster["server"], token=user["token"], authority=authority)

"""How an API server is reached by whoever brings credentials of their own."""

from __future__ import annotations

import ssl
from typing import Any

import attrs

from conformance.harness.client import Api


@attrs.frozen(kw_only=True)
class Way:
    """The way to a server, without anybody's credentials."""

    server: str
    #: By what it is trusted; None where it speaks no TLS.
    context: ssl.SSLContext | None = None
    #: The name that its certificate is for, where it is not that of its address.
    name: str | None = None
    #: The proxy on the way, as a URL.
    proxy: str | None = None


def to(api: Api) -> Way:
    """Return the way that a client goes."""
    known: Any = api.configuration
    context = None
    if api.server.startswith("https"):
        context = ssl.create_default_context(cafile=known.ssl_ca_cert)
        if not known.verify_ssl:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    name = getattr(known, "tls_server_name", None)
    return Way(server=api.server, context=context, name=name, proxy=known.proxy)

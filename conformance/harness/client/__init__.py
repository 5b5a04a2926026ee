"""The client of a target's API server, and the only home of the ``kubernetes`` library.

Configuration and connections (kubeconfig, TLS, credentials, proxies, the pool) are the
library's: ``connecting`` reads a kubeconfig with it, ``transport`` sends requests through its
pool. The objects are plain JSON (``api``), so that what a check reads is what was on the wire;
``paths`` says where they lie.
"""

from __future__ import annotations

from conformance.harness.client.api import (
    APPLY_PATCH,
    JSON_PATCH,
    MERGE_PATCH,
    STRATEGIC_MERGE_PATCH,
    Api,
)
from conformance.harness.client.connecting import from_kubeconfig, with_token
from conformance.harness.client.paths import known, path_of

__all__ = [
    "APPLY_PATCH",
    "JSON_PATCH",
    "MERGE_PATCH",
    "STRATEGIC_MERGE_PATCH",
    "Api",
    "from_kubeconfig",
    "known",
    "path_of",
    "with_token",
]

"""How a component has more rights than its own: an administrator's credentials.

What the Node authorizer or RBAC would keep a wrong component from can only go wrong then.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from conformance.reference.client.api import ApiClient
from conformance.reference.options import ADMIN_TOKEN


@asynccontextmanager
async def administrator(client: ApiClient) -> AsyncIterator[ApiClient]:
    """Give a client of the same server that may do everything."""
    async with ApiClient(client.base_url, ADMIN_TOKEN, clock=client.clock) as other:
        yield other

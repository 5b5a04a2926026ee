"""An API server on a free port, its store in reach, and a client that speaks to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import attrs

from conformance.dra.features import Features
from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.authentication.users import Known, administrator
from conformance.reference.apiserver.server import ApiServer
from conformance.reference.client.api import ApiClient
from conformance.reference.clock import VirtualClock
from conformance.reference.faults.seams import NONE, Faults
from conformance.reference.identity import Identity
from conformance.reference.store.memory import Store

TOKEN = "secret-token"


@attrs.frozen(kw_only=True)
class Rig:
    """What a test needs to ask and to look behind."""

    url: str
    server: ApiServer
    client: ApiClient
    store: Store
    clock: VirtualClock

    async def refused(self, asking: Awaitable[Any]) -> StatusError:
        """Return the refusal that a request must end in."""
        try:
            answer = await asking
        except StatusError as error:
            return error
        raise AssertionError(f"was not refused, but answered {answer}")

    async def pod(self, name: str = "p", **spec: Any) -> Object:
        """Create a Pod with one container in the namespace default."""
        return await self.client.create("pods", pod(name, **spec))


@asynccontextmanager
async def serving(
    gates: dict[str, bool] | None = None,
    faults: Faults = NONE,
    port: int = 0,
    runtime_config: dict[str, bool] | None = None,
) -> AsyncIterator[Rig]:
    """Start a server with the namespace default, and stop it."""
    clock, store = VirtualClock(), Store()
    server = ApiServer(
        store,
        clock=clock,
        identity=Identity(1),
        features=Features(version="1.37", gates=gates or {}, runtime_config=runtime_config or {}),
        known=Known(tokens={TOKEN: administrator("admin")}),
        faults=faults,
    )
    try:
        url = await server.start(port)
        async with ApiClient(url, TOKEN, clock=clock) as client:
            await client.create("namespaces", named("Namespace", "default"))
            yield Rig(url=url, server=server, client=client, store=store, clock=clock)
    finally:
        await server.stop()


def ask(question: Callable[[Rig], Awaitable[None]], **options: Any) -> None:
    """Run a test against a server of its own."""

    async def whole() -> None:
        async with serving(**options) as rig:
            await question(rig)

    asyncio.run(asyncio.wait_for(whole(), 30))


def named(kind: str, name: str, namespace: str = "", **rest: Any) -> Object:
    """Return an object of the core group with a name and nothing else."""
    meta = {"name": name, "namespace": namespace} if namespace else {"name": name}
    return {"apiVersion": "v1", "kind": kind, "metadata": meta, **rest}


def pod(name: str = "p", **spec: Any) -> Object:
    """Return a Pod with one container."""
    containers = [{"name": "c", "image": "busybox:1"}]
    return named("Pod", name, "default", spec={"containers": containers, **spec})


def config_map(name: str, **data: str) -> Object:
    """Return a ConfigMap in the namespace default."""
    return named("ConfigMap", name, "default", data=data)

"""One registered instance of a driver: its connection and the calls that it takes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any

import attrs
import grpc
import grpc.aio

from conformance.reference.clock import Clock
from conformance.reference.kubelet.registration.calls import (
    CallError,
    failure_of,
    open_channel,
    within,
)
from conformance.reference.kubelet.registration.services import Services
from conformance.wire import (
    dra_health_v1_pb2,
    dra_health_v1_pb2_grpc,
    dra_health_v1alpha1_pb2,
    dra_health_v1alpha1_pb2_grpc,
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    dra_v1beta1_pb2,
    dra_v1beta1_pb2_grpc,
)

#: Messages and stub per service; v1 and v1beta1 differ in nothing that the kubelet reads.
_PLUGIN: Mapping[str, tuple[Any, Callable[[Any], Any]]] = {
    "v1.DRAPlugin": (dra_v1_pb2, dra_v1_pb2_grpc.DRAPluginStub),
    "v1beta1.DRAPlugin": (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc.DRAPluginStub),
}
_HEALTH: Mapping[str, tuple[Any, Callable[[Any], Any]]] = {
    "v1.DRAResourceHealth": (dra_health_v1_pb2, dra_health_v1_pb2_grpc.DRAResourceHealthStub),
    "v1alpha1.DRAResourceHealth": (
        dra_health_v1alpha1_pb2,
        dra_health_v1alpha1_pb2_grpc.DRAResourceHealthStub,
    ),
}


#: Real seconds in which gRPC has surely tried again to connect.
RECONNECT_SECONDS = 0.8


@attrs.frozen(kw_only=True)
class ClaimRef:
    """A claim as drivers are told of it."""

    namespace: str
    name: str
    uid: str


class Plugin:
    """The kubelet's end of the connection to one instance of a driver."""

    def __init__(
        self, driver: str, endpoint: str, services: Services, *, clock: Clock, timeout: float
    ) -> None:
        """``timeout`` is what the driver may take for one call, in seconds of the clock."""
        self.driver = driver
        self.endpoint = endpoint
        self.services = services
        self.connected = False
        self._clock = clock
        self._timeout = timeout
        self._channel = open_channel(endpoint)
        #: Is told of each call: driver, full method, how it ended, seconds.
        self.observe: Callable[[str, str, str, float], None] = lambda *_: None

    async def prepare(self, claims: list[ClaimRef]) -> Mapping[str, Any]:
        """Call NodePrepareResources; returns the answers by claim uid.

        Raises ``CallError``.
        """
        return await self._call("NodePrepareResources", claims)

    async def unprepare(self, claims: list[ClaimRef]) -> Mapping[str, Any]:
        """Call NodeUnprepareResources; returns the answers by claim uid.

        Raises ``CallError``.
        """
        return await self._call("NodeUnprepareResources", claims)

    async def watch_health(self) -> AsyncGenerator[list[Any]]:
        """Yield the devices of each health report until the driver ends the stream.

        Raises ``CallError`` when the stream breaks.
        """
        messages, stub = _HEALTH[self.services.health]
        with self._clock.streaming(self.endpoint) as taken:
            call = stub(self._channel).NodeWatchResources(messages.NodeWatchResourcesRequest())
            try:
                async for report in call:
                    taken()
                    yield list(report.devices)
            except grpc.aio.AioRpcError as error:
                raise failure_of(error) from error
            finally:
                call.cancel()

    async def monitor(self, on_change: Callable[[], None]) -> None:
        """Keep ``connected`` true to the connection, reconnecting whenever it breaks."""
        while True:
            state = self._channel.get_state(try_to_connect=True)
            connected = state is grpc.ChannelConnectivity.READY
            if connected != self.connected:
                self.connected = connected
                on_change()
            if state is grpc.ChannelConnectivity.CONNECTING and not self.connected:
                await self._first_answer(state)
            else:
                await self._channel.wait_for_state_change(state)

    async def close(self) -> None:
        """Close the connection."""
        self.connected = False
        await self._channel.close()

    async def _connection(self) -> None:
        """Wait a moment for a connection that is broken: gRPC tries again on the real clock."""
        if self._channel.get_state(try_to_connect=True) is grpc.ChannelConnectivity.READY:
            return
        with self._clock.calling(), contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._channel.channel_ready(), RECONNECT_SECONDS)

    async def _first_answer(self, state: grpc.ChannelConnectivity) -> None:
        with self._clock.calling():
            await self._channel.wait_for_state_change(state)

    async def _call(self, method: str, claims: list[ClaimRef]) -> Mapping[str, Any]:
        messages, stub = _PLUGIN[self.services.plugin]
        request = getattr(messages, f"{method}Request")(
            claims=[
                messages.Claim(namespace=claim.namespace, name=claim.name, uid=claim.uid)
                for claim in claims
            ]
        )
        await self._connection()
        call = getattr(stub(self._channel), method)(request)
        begun, code = self._clock.monotonic(), "OK"
        try:
            answer = await within(self._clock, self._timeout, call, peer=self.endpoint)
        except CallError as error:
            code = error.code
            raise
        finally:
            path = f"/k8s.io.kubelet.pkg.apis.dra.{self.services.plugin}/{method}"
            self.observe(self.driver, path, code, self._clock.monotonic() - begun)
        return {uid: answer.claims[uid] for uid in answer.claims}


async def cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait until it has ended."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task

"""The gRPC services that the kubelet calls: registration and DRAPlugin."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import grpc

from conformance.kube.objects import Object, uid_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.client.transport import Unreachable
from conformance.reference.driver.checkpoint import PreparedClaim, PrepareError
from conformance.reference.driver.preparing import Preparation
from conformance.reference.driver.telling.metrics import DriverMetrics
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import allocation_of
from conformance.wire import (
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    dra_v1beta1_pb2,
    dra_v1beta1_pb2_grpc,
    grpc_health_v1_pb2,
    grpc_health_v1_pb2_grpc,
    pluginregistration_v1_pb2,
    pluginregistration_v1_pb2_grpc,
)

#: Per service: its messages, and how a servicer joins a server.
SERVICES: Mapping[str, tuple[Any, Callable[..., None]]] = {
    "v1.DRAPlugin": (dra_v1_pb2, dra_v1_pb2_grpc.add_DRAPluginServicer_to_server),
    "v1beta1.DRAPlugin": (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc.add_DRAPluginServicer_to_server),
}

#: The service by which a probe asks whether the driver is ready.
_READINESS = "readiness"

#: Called with a claim and what was prepared for it, after the kubelet has its answer.
AfterPrepare = Callable[[Object, PreparedClaim], None]


def plugin_info(name: str, endpoint: str, services: Sequence[str]) -> Any:
    """Return what the driver tells the kubelet of itself."""
    return pluginregistration_v1_pb2.PluginInfo(
        type="DRAPlugin", name=name, endpoint=endpoint, supported_versions=services
    )


async def recall(_client: ApiClient, _asked: Any) -> None:
    """Look up what is needed to undo a claim: nothing, since the claim itself may be gone."""


def unchanged(info: Any) -> Any:
    """Return what was announced first."""
    return info


async def go_on(_registered: bool, _servers: Sequence[Any]) -> None:
    """Serve on, whether a kubelet has taken the driver or not: it will try again."""


def told(registered: bool, error: str) -> str:
    """Return what is told of a registration status."""
    return "registered" if registered else f"the kubelet did not take the driver: {error}"


class Registration(pluginregistration_v1_pb2_grpc.RegistrationServicer):
    """Answers the kubelet's handshake."""

    def __init__(self, info: Any, faults: Faults, servers: Sequence[Any]) -> None:
        """``servers`` are those of the driver."""
        self._info = info
        self._asked: Callable[[Any], Any] = faults.wrap("driver.asked", unchanged)
        self._told: Callable[[bool, str], str] = faults.wrap("driver.status", told)
        self._go_on: Callable[[bool, Sequence[Any]], Awaitable[None]] = faults.wrap(
            "driver.registered", go_on
        )
        self._servers = servers
        self.registered = False
        #: What the driver has to say of its registration, as in a log.
        self.story = ""

    async def GetInfo(self, request: Any, context: Any) -> Any:  # noqa: ARG002, N802
        """Say who the driver is."""
        return self._asked(self._info)

    async def NotifyRegistrationStatus(  # noqa: N802
        self,
        request: Any,
        context: Any,  # noqa: ARG002
    ) -> Any:
        """Hear whether the kubelet took the driver."""
        self.registered = request.plugin_registered
        self.story = self._told(request.plugin_registered, request.error)
        await self._go_on(request.plugin_registered, self._servers)
        return pluginregistration_v1_pb2.RegistrationStatusResponse()


async def alive(sockets: Sequence[Path], _client: ApiClient) -> bool:
    """Tell whether a kubelet finds the driver."""
    return all(path.is_socket() for path in sockets)


def ready(registered: bool, published: bool) -> bool:
    """Tell whether work may be sent to the driver: a kubelet and a scheduler know it."""
    return registered and published


def probe_services(asked: str) -> bool:
    """Tell whether this is a service that can be probed: the driver, its life, or readiness."""
    return asked in ("", "liveness", _READINESS)


def join(servicer: Probe, server: Any) -> None:
    """Serve probes."""
    grpc_health_v1_pb2_grpc.add_HealthServicer_to_server(servicer, server)


class Probe(grpc_health_v1_pb2_grpc.HealthServicer):
    """Answers the probes of the driver's Pod."""

    def __init__(
        self,
        sockets: Sequence[Path],
        client: ApiClient,
        state: Callable[[], tuple[bool, bool]],
        faults: Faults,
    ) -> None:
        """``state`` tells whether a kubelet has taken the driver, and its slices are published."""
        self._sockets = sockets
        self._client = client
        self._state = state
        self._ready = faults.wrap("driver.ready", ready)
        self._alive: Callable[..., Awaitable[bool]] = faults.wrap("driver.alive", alive)
        self._known = faults.wrap("driver.probe_services", probe_services)

    async def Check(self, request: Any, context: Any) -> Any:  # noqa: N802 - the wire's
        """Say whether the driver is alive, or ready."""
        if not self._known(request.service):
            await context.abort(grpc.StatusCode.NOT_FOUND, f"no service {request.service}")
        states = grpc_health_v1_pb2.HealthCheckResponse
        if request.service == _READINESS:
            well = self._ready(*self._state())
        else:
            well = await self._alive(self._sockets, self._client)
        return states(status=states.SERVING if well else states.NOT_SERVING)


class Node:
    """What both versions of DRAPlugin do; only their message classes differ."""

    def __init__(
        self,
        client: ApiClient,
        preparation: Preparation,
        metrics: DriverMetrics,
        *,
        faults: Faults,
        after_prepare: AfterPrepare,
    ) -> None:
        self._client = client
        self._metrics = metrics
        self._preparation = preparation
        self._after_prepare = after_prepare
        self._prepare = faults.wrap("driver.prepare", preparation.prepare)
        self._unprepare = faults.wrap("driver.unprepare", preparation.unprepare)
        self._fetch: Callable[[Any], Awaitable[Object]] = faults.wrap(
            "driver.fetch_claim", self._fetch_claim
        )
        self._recall: Callable[[ApiClient, Any], Awaitable[None]] = faults.wrap(
            "driver.recall", recall
        )
        self._batch: Callable[[Any], list[Any]] = faults.wrap("driver.batch", list)
        #: Clear while the driver is paused: calls wait.
        self.awake = asyncio.Event()
        self.awake.set()

    async def prepare(self, request: Any, messages: Any) -> Any:
        """Answer NodePrepareResources: one entry per claim, with devices or an error."""
        await self.awake.wait()
        response = messages.NodePrepareResourcesResponse()
        with self._metrics.call():
            for asked in self._batch(request.claims):
                begun, answer = self._metrics.now(), response.claims[asked.uid]
                await self._prepare_one(asked, answer, messages)
                self._metrics.done("prepare", asked.uid, answer.error, begun)
        return response

    async def _prepare_one(self, asked: Any, answer: Any, messages: Any) -> None:
        try:
            claim = await self._fetch(asked)
            prepared = self._prepare(claim)
        except (PrepareError, OSError) as error:
            answer.error = str(error)
            return
        answer.devices.extend(_device(messages, device) for device in prepared.devices)
        self._after_prepare(claim, prepared)

    async def unprepare(self, request: Any, messages: Any) -> Any:
        """Answer NodeUnprepareResources: one entry per claim, maybe with an error."""
        await self.awake.wait()
        response = messages.NodeUnprepareResourcesResponse()
        with self._metrics.call():
            for asked in self._batch(request.claims):
                begun, answer = self._metrics.now(), response.claims[asked.uid]
                await self._unprepare_one(asked, answer)
                self._metrics.done("unprepare", asked.uid, answer.error, begun)
        return response

    async def _unprepare_one(self, asked: Any, answer: Any) -> None:
        try:
            await self._recall(self._client, asked)
            self._unprepare(asked.namespace, asked.name, asked.uid)
        except OSError as error:
            answer.error = str(error)

    async def _fetch_claim(self, asked: Any) -> Object:
        where = f"claim {asked.namespace}/{asked.name}"
        try:
            claim = await self._client.get("resourceclaims", asked.name, asked.namespace)
        except StatusError as error:
            raise PrepareError(f"retrieve {where}: {error}") from error
        except Unreachable as error:
            raise PrepareError(f"retrieve {where}: it can't be reached: {error}") from error
        if allocation_of(claim) is None:
            raise PrepareError(f"{where} not allocated")
        if uid_of(claim) != asked.uid:
            raise PrepareError(f"{where} got replaced")
        return claim


class VersionedPlugin:
    """The servicer of one version of DRAPlugin."""

    def __init__(self, node: Node, service: str) -> None:
        self._node = node
        self._messages = SERVICES[service][0]

    async def NodePrepareResources(self, request: Any, context: Any) -> Any:  # noqa: ARG002, N802
        """Prepare claims."""
        return await self._node.prepare(request, self._messages)

    async def NodeUnprepareResources(self, request: Any, context: Any) -> Any:  # noqa: ARG002, N802
        """Unprepare claims."""
        return await self._node.unprepare(request, self._messages)


def _device(messages: Any, device: Any) -> Any:
    # The kubelet knows requests, not subrequests.
    requests = [reference.split("/", 1)[0] for reference in device.requests]
    return messages.Device(
        request_names=requests,
        pool_name=device.pool,
        device_name=device.device,
        cdi_device_ids=device.cdi_ids,
        **_share(messages, device),
    )


def _share(messages: Any, device: Any) -> dict[str, str]:
    known = "share_id" in messages.Device.DESCRIPTOR.fields_by_name
    return {"share_id": device.share_id} if known and device.share_id else {}

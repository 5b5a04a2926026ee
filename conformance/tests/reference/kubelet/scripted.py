"""A driver that does what a test tells it to, on real Unix sockets."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import grpc.aio

from conformance.wire import (
    dra_health_v1_pb2,
    dra_health_v1_pb2_grpc,
    dra_health_v1alpha1_pb2,
    dra_health_v1alpha1_pb2_grpc,
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    dra_v1beta1_pb2,
    dra_v1beta1_pb2_grpc,
    pluginregistration_v1_pb2,
    pluginregistration_v1_pb2_grpc,
)

PLUGIN = {
    "v1.DRAPlugin": (dra_v1_pb2, dra_v1_pb2_grpc.add_DRAPluginServicer_to_server),
    "v1beta1.DRAPlugin": (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc.add_DRAPluginServicer_to_server),
}
HEALTH = {
    "v1.DRAResourceHealth": (
        dra_health_v1_pb2,
        dra_health_v1_pb2_grpc.add_DRAResourceHealthServicer_to_server,
    ),
    "v1alpha1.DRAResourceHealth": (
        dra_health_v1alpha1_pb2,
        dra_health_v1alpha1_pb2_grpc.add_DRAResourceHealthServicer_to_server,
    ),
}


class ScriptedDriver:
    """Remembers calls; answers with one device per claim, or as ``answer`` says."""

    def __init__(
        self,
        name: str,
        directories: Any,
        *,
        services: tuple[str, ...] = ("v1.DRAPlugin",),
        instance: str = "",
        kind: str = "DRAPlugin",
    ) -> None:
        self.name = name
        self.calls: list[tuple[str, str, tuple[str, ...]]] = []
        self.notified: list[tuple[bool, str]] = []
        self.devices: list[dict[str, Any]] = [{"device": "gpu-0", "requests": ["gpu"]}]
        self.errors: list[str] = []
        self.hang = False
        self.skip_claims = False
        self.extra_claim = ""
        self.watches: list[str] = []
        self._services = services
        self._kind = kind
        self._cdi_dir: Path = directories.cdi_dir
        folder = directories.plugins_dir / name
        folder.mkdir(parents=True, exist_ok=True)
        self._endpoint = folder / f"dra{instance}.sock"
        self._registrar = directories.registrar_dir / f"{name}{instance}-reg.sock"
        self._servers: list[tuple[grpc.aio.Server, Path]] = []
        self._streams: list[asyncio.Queue[Any]] = []
        self._last: tuple[tuple[str, int, str, int], ...] = ()

    async def start(self) -> ScriptedDriver:
        """Serve and register."""
        server = grpc.aio.server()
        for service in self._services:
            if service in PLUGIN:
                PLUGIN[service][1](Plugin(self, service), server)
            if service in HEALTH:
                HEALTH[service][1](Watch(self, service), server)
        await self._serve(self._endpoint, server)
        server = grpc.aio.server()
        pluginregistration_v1_pb2_grpc.add_RegistrationServicer_to_server(Handshake(self), server)
        await self._serve(self._registrar, server)
        return self

    async def close(self, *, crash: bool = False) -> None:
        """End; after a crash the sockets stay behind."""
        for server, socket in reversed(self._servers):
            if not crash:
                socket.unlink(missing_ok=True)
            await server.stop(None)
        self._servers.clear()

    def report(self, *devices: tuple[str, int, str, int]) -> None:
        """Send (device, health, message, timeout) to every stream, open or still to come."""
        self._last = devices
        for stream in self._streams:
            stream.put_nowait(devices)

    def end_streams(self) -> None:
        """End every open health stream."""
        for stream in self._streams:
            stream.put_nowait(None)
        self._streams.clear()

    def write_spec(self, uid: str, **edits: Any) -> str:
        """Write a CDI spec for a claim; returns the id of its device."""
        kind = f"{self.name}/device"
        spec = {
            "cdiVersion": "0.5.0",
            "kind": kind,
            "devices": [{"name": uid, "containerEdits": edits}],
        }
        (self._cdi_dir / f"{uid}.json").write_text(json.dumps(spec), "utf-8")
        return f"{kind}={uid}"

    async def _serve(self, socket: Path, server: grpc.aio.Server) -> None:
        _make_room(socket)
        server.add_insecure_port(f"unix:{socket}")
        await server.start()
        self._servers.append((server, socket))

    @property
    def info(self) -> Any:
        """What the kubelet is told."""
        return pluginregistration_v1_pb2.PluginInfo(
            type=self._kind,
            name=self.name,
            endpoint=str(self._endpoint),
            supported_versions=self._services,
        )

    def methods(self, method: str) -> list[tuple[str, ...]]:
        """Return the claims of each call of a method."""
        return [uids for called, _, uids in self.calls if called == method]

    def open_stream(self) -> asyncio.Queue[Any]:
        """Return a new queue of reports."""
        stream: asyncio.Queue[Any] = asyncio.Queue()
        if self._last:
            stream.put_nowait(self._last)
        self._streams.append(stream)
        return stream


class Handshake(pluginregistration_v1_pb2_grpc.RegistrationServicer):
    """The registration service."""

    def __init__(self, driver: ScriptedDriver) -> None:
        self._driver = driver

    async def GetInfo(self, request: Any, context: Any) -> Any:
        """Say who the driver is."""
        return self._driver.info

    async def NotifyRegistrationStatus(self, request: Any, context: Any) -> Any:
        """Remember the answer."""
        self._driver.notified.append((request.plugin_registered, request.error))
        return pluginregistration_v1_pb2.RegistrationStatusResponse()


class Plugin:
    """DRAPlugin of one version."""

    def __init__(self, driver: ScriptedDriver, service: str) -> None:
        self._driver = driver
        self._service = service
        self._messages = PLUGIN[service][0]

    async def NodePrepareResources(self, request: Any, context: Any) -> Any:
        """Prepare as told."""
        response = self._messages.NodePrepareResourcesResponse()
        error = await self._begin("prepare", request)
        for claim in request.claims if not self._driver.skip_claims else []:
            response.claims[claim.uid].error = error
            if not error:
                response.claims[claim.uid].devices.extend(self._devices(claim.uid))
        if self._driver.extra_claim:
            response.claims[self._driver.extra_claim].error = ""
        return response

    async def NodeUnprepareResources(self, request: Any, context: Any) -> Any:
        """Unprepare as told."""
        response = self._messages.NodeUnprepareResourcesResponse()
        error = await self._begin("unprepare", request)
        for claim in request.claims:
            response.claims[claim.uid].error = error
        return response

    async def _begin(self, method: str, request: Any) -> str:
        uids = tuple(sorted(claim.uid for claim in request.claims))
        self._driver.calls.append((method, self._service, uids))
        if self._driver.hang:
            await asyncio.Event().wait()
        return self._driver.errors.pop(0) if self._driver.errors else ""

    def _devices(self, uid: str) -> list[Any]:
        return [
            self._messages.Device(
                request_names=device["requests"],
                pool_name="pool",
                device_name=device["device"],
                cdi_device_ids=[one.replace("UID", uid) for one in device.get("cdi", [])],
            )
            for device in self._driver.devices
        ]


class Watch:
    """DRAResourceHealth of one version."""

    def __init__(self, driver: ScriptedDriver, service: str) -> None:
        self._driver = driver
        self._service = service
        self._messages = HEALTH[service][0]

    async def NodeWatchResources(self, request: Any, context: Any) -> Any:
        """Send what the test reports."""
        self._driver.watches.append(self._service)
        stream = self._driver.open_stream()
        while (devices := await stream.get()) is not None:
            yield self._messages.NodeWatchResourcesResponse(
                devices=[self._device(*device) for device in devices]
            )

    def _device(self, name: str, health: int, message: str, timeout: int) -> Any:
        device = self._messages.DeviceHealth(
            device=self._messages.DeviceIdentifier(pool_name="pool", device_name=name),
            health=health,
        )
        known = device.DESCRIPTOR.fields_by_name
        if "message" in known:
            device.message = message
        if "health_check_timeout_seconds" in known:
            device.health_check_timeout_seconds = timeout
        return device


def _make_room(socket: Path) -> None:
    socket.unlink(missing_ok=True)

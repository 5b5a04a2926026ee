"""One instance of the bundled driver on one node."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Coroutine
from pathlib import Path
from typing import Any, Protocol

import attrs
import grpc.aio

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.driver import health, plugin
from conformance.reference.driver.cdi import SpecFolder
from conformance.reference.driver.checkpoint import Checkpoint, PreparedClaim
from conformance.reference.driver.config import DriverConfig, check
from conformance.reference.driver.control import ControlFile
from conformance.reference.driver.devicestatus import BindingReporter, DeviceStatusWriter
from conformance.reference.driver.metadata import MetadataError
from conformance.reference.driver.preparing import Place, Preparation
from conformance.reference.driver.slices import SlicePublisher
from conformance.reference.driver.telling.metrics import DriverMetrics
from conformance.reference.driver.telling.ports import Ports
from conformance.reference.faults.seams import NONE, Faults
from conformance.reference.shifted import ShiftedClock

_LOG = logging.getLogger(__name__)


class Directories(Protocol):
    """Where a node wants a driver to put its sockets and files."""

    @property
    def name(self) -> str:
        """Name of the node."""
        ...

    @property
    def plugins_dir(self) -> Path:
        """One folder per driver, with its socket and its data."""
        ...

    @property
    def registrar_dir(self) -> Path:
        """The registration sockets."""
        ...

    @property
    def cdi_dir(self) -> Path:
        """The CDI specs that the container runtime reads."""
        ...


class ExampleDriver:
    """The node part of a driver.

    ``stop`` removes its sockets and leaves claims prepared and slices published, as a driver
    does that is updated; another instance on the same directories goes on from there.
    """

    def __init__(
        self,
        config: DriverConfig,
        client: ApiClient,
        *,
        directories: Directories,
        clock: ShiftedClock,
        faults: Faults = NONE,
    ) -> None:
        """Read what is on disk; nothing happens before ``start``.

        Raises ``ConfigurationError`` for a configuration that no driver starts with.
        """
        faults.wrap("driver.check_configuration", check)(config)
        self.config = config
        #: Its own to be set.
        self.clock = clock
        self._client = client
        self._data_dir = directories.plugins_dir / config.name
        self._data_dir.mkdir(parents=True, exist_ok=True)
        self._registrar_dir = directories.registrar_dir
        self._specs = SpecFolder(directories.cdi_dir)
        place = Place(node=directories.name, specs=self._specs, data_dir=self._data_dir)
        self._checkpoint = Checkpoint(self._data_dir / "checkpoint.json", faults)
        self._preparation = Preparation(config, place, self._checkpoint, faults, clock)
        self._slices = SlicePublisher(client, config, directories.name, clock=clock, faults=faults)
        self._status = DeviceStatusWriter(
            client, config.name, config.network_data, clock=clock, faults=faults
        )
        self._binding = (
            None
            if config.binding is None
            else BindingReporter(client, config.name, config.binding, clock=clock, faults=faults)
        )
        metrics = DriverMetrics(client, clock, self._checkpoint, faults)
        self._ports = Ports(config, metrics, faults)
        self._node = plugin.Node(
            client, self._preparation, metrics, faults=faults, after_prepare=self._after_prepare
        )
        self._update_metadata = faults.wrap(
            "driver.metadata_update", self._preparation.update_metadata
        )
        self._faults = faults
        self._pool = config.pool or directories.name
        self._inventory = config
        self.health: health.Health | None = None
        self._control: ControlFile | None = None
        self._registration: plugin.Registration | None = None
        self._servers: list[tuple[grpc.aio.Server, Path]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def story(self) -> str:
        """What it has to say of its registration."""
        return "" if self._registration is None else self._registration.story

    @property
    def registered(self) -> bool:
        """Whether a kubelet has taken the driver."""
        return self._registration is not None and self._registration.registered

    async def start(self) -> None:
        """Serve, register and publish; returns once the sockets are there."""
        service, registration = self._faults.wrap("driver.socket_names", socket_names)(
            self.config.name, self.config.instance
        )
        endpoint = self._data_dir / service
        self._start_health()
        services = self._services()
        await self._serve(endpoint, self._plugin_server(str(endpoint)))
        info = self._faults.wrap("driver.plugin_info", plugin.plugin_info)(
            self.config.name, str(endpoint), services
        )
        self._registration = plugin.Registration(info, self._faults, self._servers)
        server = grpc.aio.server()
        plugin.pluginregistration_v1_pb2_grpc.add_RegistrationServicer_to_server(
            self._registration, server
        )
        await self._serve(self._registrar_dir / registration, server)
        sockets = [socket for _, socket in self._servers]
        probe = plugin.Probe(sockets, self._client, self._state, self._faults)
        await self._ports.start(probe)
        if self._binding is not None:
            await self._binding.start()
        await self._slices.start()

    async def close(self) -> None:
        """Serve nobody any more: first the registration ends, then the services."""
        for server, socket in reversed(self._servers):
            await self._faults.wrap("driver.end_server", end_server)(server, socket)
        await self._end()

    async def finish(self) -> int:
        """End after ``close``; nothing prepared is undone, and there is nobody to wait for.

        Returns the exit code that the process would have.
        """
        await self._faults.wrap("driver.finish", finished)()
        self._faults.wrap("driver.leave", leave)(self._checkpoint, self._specs.path)
        return self._faults.wrap("driver.exit_code", success)()

    def pause(self) -> None:
        """Let calls wait, as a process does that was stopped."""
        self._node.awake.clear()

    def resume(self) -> None:
        """Go on with the calls that wait."""
        self._faults.wrap("driver.wake", asyncio.Event.set)(self._node.awake)

    def hamper(self, trouble: int) -> None:
        """Let what it does in the folder of CDI specs fail by this errno from now on; 0 for not."""
        self._specs.trouble = trouble

    async def kill(self) -> None:
        """End without putting anything in order: the files of both sockets stay."""
        for server, socket in reversed(self._servers):
            kept = socket.with_name(f".{socket.name}.kept")
            # A driver that is killed as it ends has removed some of them.
            with contextlib.suppress(FileNotFoundError):
                socket.rename(kept)
            await server.stop(0)
            with contextlib.suppress(FileNotFoundError):
                kept.rename(socket)
        await self._end()

    async def _end(self) -> None:
        self._servers.clear()
        await self._ports.stop()
        await self._slices.stop()
        if self._binding is not None:
            await self._binding.stop()
        if self._control is not None:
            self._control.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def publish(self, config: DriverConfig) -> None:
        """Publish and serve the devices of another configuration in their place."""
        self._inventory = config
        self._faults.wrap("driver.offer", Preparation.offer)(self._preparation, config.devices)
        present = frozenset(device["name"] for device in config.devices)
        if self.health is not None:
            self.health.present(present)
        self._faults.wrap("driver.withdrawn", withdrawn)(
            self._checkpoint, self._specs.path, present
        )
        self._publish()

    def _publish(self) -> None:
        update = self._faults.wrap("driver.inventory", SlicePublisher.update)
        update(self._slices, self._with_taints(self._inventory))

    def _with_taints(self, config: DriverConfig) -> DriverConfig:
        if self.health is None or config.health is None or not config.health.taints:
            return config
        taints = self._faults.wrap("driver.taints", health.taints)
        states = {one["name"]: self.health.state(one["name"]) for one in config.devices}
        marks = taints(config.name, states)
        devices = [
            {**one, "taints": marks[one["name"]]} if marks[one["name"]] else one
            for one in config.devices
        ]
        return attrs.evolve(config, devices=devices)

    def _health_changed(self) -> None:
        if self.config.health is not None and self.config.health.taints:
            self._publish()

    def _services(self) -> list[str]:
        offered = list(self.config.services)
        return [*offered, *self.config.health.services] if self.config.health else offered

    def _start_health(self) -> None:
        if self.config.health is None:
            return
        names = [device["name"] for device in self.config.devices]
        self.health = health.Health(self._pool, names, self.config.health)
        self._control = ControlFile(self._data_dir, self.health, names, self._health_changed)

    def _plugin_server(self, endpoint: str) -> grpc.aio.Server:
        server = grpc.aio.server()
        for service in self._faults.wrap("driver.served", list)(self.config.services):
            plugin.SERVICES[service][1](plugin.VersionedPlugin(self._node, service), server)
        if self.config.health is not None and self.health is not None:
            for service in self.config.health.services:
                servicer = health.HealthService(
                    self.health,
                    service,
                    driver=self.config.name,
                    endpoint=endpoint,
                    clock=self.clock,
                    faults=self._faults,
                )
                health.SERVICES[service][1](servicer, server)
        return server

    async def _serve(self, socket: Path, server: grpc.aio.Server) -> None:
        make_room(socket)
        server.add_insecure_port(f"unix:{socket}")
        await server.start()
        self._servers.append((server, socket))

    def _state(self) -> tuple[bool, bool]:
        """Tell whether a kubelet has taken the driver, and its slices are published."""
        return self.registered, self._slices.published

    def _after_prepare(self, claim: Object, prepared: PreparedClaim) -> None:
        if self.config.device_status:
            self._spawn(self._report(prepared))
        metadata = self.config.metadata
        if metadata is not None and metadata.deferred_seconds is not None:
            self._spawn(self._complete_later(claim, prepared, metadata.deferred_seconds))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _report(self, prepared: PreparedClaim) -> None:
        try:
            await self._status.write(prepared)
        except StatusError as error:
            _LOG.debug("device status of %s: %s", prepared.name, error)

    async def _complete_later(self, claim: Object, prepared: PreparedClaim, seconds: float) -> None:
        await self.clock.sleep(seconds)
        try:
            self._update_metadata(claim, prepared)
        except MetadataError as error:
            _LOG.debug("metadata of %s: %s", prepared.name, error)


def socket_names(driver: str, instance: str) -> tuple[str, str]:
    """Return the names of the service socket and of the registration socket."""
    suffix = f"-{instance}" if instance else ""
    return f"dra{suffix}.sock", f"{driver}{suffix}-reg.sock"


async def finished() -> None:
    """Have nothing more to do."""


def success() -> int:
    """Return the exit code of a driver that ended because it was asked to."""
    return 0


def leave(_checkpoint: Checkpoint, _cdi_dir: Path) -> None:
    """Leave everything where it is: containers that run need it, and those that start again."""


def withdrawn(_checkpoint: Checkpoint, _cdi_dir: Path, _present: Collection[str]) -> None:
    """Leave claims as they are whose devices are gone: a kubelet undoes them."""


async def end_server(server: grpc.aio.Server, socket: Path) -> None:
    """Stop to serve; the socket goes first, so that nobody dials a server that is going."""
    socket.unlink(missing_ok=True)  # noqa: ASYNC240 - one unlink, local
    await server.stop(None)


def make_room(socket: Path) -> None:
    """Remove a socket that an instance before left behind when it crashed."""
    socket.parent.mkdir(parents=True, exist_ok=True)
    socket.unlink(missing_ok=True)

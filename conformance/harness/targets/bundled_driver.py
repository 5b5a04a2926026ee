"""The driver that the bundled target brings: configured as each check wants it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from conformance.harness.errors import HarnessError, Violation
from conformance.harness.process.child import Departure
from conformance.harness.process.ports import free_port, loopback, metrics_url
from conformance.harness.subject import publication
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import (
    FEATURES,
    PROBED,
    Driver,
    Instance,
    Refused,
    Rotation,
    Wanted,
)
from conformance.harness.target import NodeAccess
from conformance.harness.targets.bundled import BundledCluster
from conformance.harness.world import World
from conformance.kube.objects import Object
from conformance.reference.cluster import (
    BindingConfig,
    ConfigurationError,
    DriverConfig,
    HealthConfig,
    MetadataConfig,
)

#: The inventory where a check does not care.
DEVICES: Sequence[Object] = tuple(
    {
        "name": f"gpu-{number}",
        "attributes": {
            "index": {"int": number},
            "model": {"string": "conformance"},
            "driverVersion": {"version": "1.0.0"},
        },
        "capacity": {"memory": {"value": "80Gi"}},
    }
    for number in range(2)
)

#: Reports are renewed in good time, and seldom: time passes in leaps on this target.
HEALTH = HealthConfig(period=600.0, timeout_seconds=1800)

#: The name of the instance that comes in a rolling update.
_SECOND = "second"

#: Where the bundled driver looks for orders about the health of its devices.
_CONTROL = "control.json"


@attrs.frozen
class BundledInstance:
    """Another instance of the example driver."""

    name: str
    node: str
    cluster: BundledCluster

    def kill(self) -> None:
        """End it at once."""
        self.cluster.kill_driver(self.name, self.node, _SECOND)


class BundledDriver:
    """The example driver on one node of a reference cluster."""

    def __init__(
        self, world: World, cluster: BundledCluster, access: NodeAccess, config: DriverConfig
    ) -> None:
        self.name = world.driver
        self.device_class = world.device_class
        self.node: str | None = access.name
        self.account = cluster.driver_account
        self.parameters: Mapping[str, Any] = {"environment": {"LEVEL": "high"}}
        #: It is a part of the reference, and of this process.
        self.process: int | None = None
        port = config.healthcheck_port
        self.health_address = loopback(port) if port else ""
        self.metrics_url = metrics_url(config.metrics_port)
        self.age: float | None = None
        self.broken: dict[str, Violation] = {}
        self.reached: set[str] = set()
        self._cluster = cluster
        self._config = config
        self._folder = access.plugins_dir / world.driver
        self._health: dict[str, Object] = {}
        self._gone: set[str] = set()
        self._ended = ""
        self._ahead = 0

    def set_health(self, device: str, health: str, message: str = "") -> None:
        """Make a device fail or recover."""
        self._health[device] = {"health": health, "message": message}
        text = json.dumps({"health": self._health})
        (self._folder / _CONTROL).write_text(text, "utf-8")

    def hurry(self, seconds: int) -> bool:
        """Say no: it lives on the time of its cluster, which waiting moves."""
        del seconds
        return False

    def ended(self) -> str:
        """Return why it did not start the last time, empty where it did."""
        return self._ended

    def change_inventory(self) -> None:
        """Let a device come."""
        devices = [*self._config.devices, {**self._config.devices[0], "name": "gpu-new"}]
        config = attrs.evolve(self._config, devices=devices)
        self._cluster.publish(self.name, str(self.node), config)

    def take_away(self, device: str) -> None:
        """Let a device be gone."""
        self._gone.add(device)
        self._look()

    def bring_back(self, device: str) -> None:
        """Let a device be there again."""
        self._gone.discard(device)
        self._look()

    def _look(self) -> None:
        """Let the driver find what there is."""
        self._cluster.publish(self.name, str(self.node), self._found())

    def _found(self) -> DriverConfig:
        present = [one for one in self._config.devices if one["name"] not in self._gone]
        return attrs.evolve(self._config, devices=present)

    def use(self, devices: Sequence[str], edits: Sequence[Object]) -> str:
        """Find each device in a variable: there is nothing else to use of it."""
        values = {one.partition("=")[2] for edit in edits for one in edit.get("env") or []}
        missing = [one for one in devices if one.rpartition("/")[2] not in values]
        return f"no variable names {', '.join(missing)}" if missing else ""

    def terminate(self) -> Departure:
        """Let the driver end as by SIGTERM."""
        return self._cluster.stop_driver(self.name, str(self.node))

    def kill(self) -> None:
        """Let the driver end as by SIGKILL."""
        self._cluster.kill_driver(self.name, str(self.node))

    def start(self) -> None:
        """Start another instance with the same configuration on the same directories."""
        self._ended = ""
        try:
            self._cluster.start_driver(str(self.node), self._found(), self._ahead)
        except (ValueError, LookupError, TypeError) as error:
            # What it left is not what it can read.
            self._ended = f"the driver did not start: {error}"

    def pause(self) -> None:
        """Let its calls wait."""
        self._cluster.pause_driver(self.name, str(self.node), paused=True)

    def resume(self) -> None:
        """Let its calls go on."""
        self._cluster.pause_driver(self.name, str(self.node), paused=False)

    @contextmanager
    def second(self) -> Iterator[Instance]:
        """Start another instance on the same directories, and end it afterwards."""
        node = str(self.node)
        second = attrs.evolve(self._config, instance=_SECOND, healthcheck_port=0, metrics_port=0)
        self._cluster.start_driver(node, second)
        try:
            yield BundledInstance(self.name, node, self._cluster)
        finally:
            self._cluster.stop_driver(self.name, node, _SECOND)

    @contextmanager
    def hampered(self, trouble: int) -> Iterator[None]:
        """Let what it does in that folder fail so."""
        self._cluster.hamper_driver(self.name, str(self.node), trouble)
        try:
            yield
        finally:
            self._cluster.hamper_driver(self.name, str(self.node), 0)

    @contextmanager
    def shifted(self, seconds: int) -> Iterator[None]:
        """Give the next instance a clock of its own."""
        self._ahead = seconds
        try:
            yield
        finally:
            self._ahead = 0

    def set_wall(self, seconds: int) -> None:
        """Set that of the instance."""
        self._cluster.set_driver_wall(self.name, str(self.node), seconds)

    def rotate_token(self) -> Rotation:
        """Replace the token in the file that the driver was given."""
        return self._cluster.rotate_driver(self.name, str(self.node))

    def must_be_ours(self, act: str) -> None:
        """Allow it: the driver runs for one check alone."""

    def story(self) -> str:
        """Return that it runs inside the reference."""
        said = self._cluster.driver_story(self.name, str(self.node))
        return f"{self.name} is the bundled example driver on {self.node}: {said}"


class BundledHost:
    """Starts the example driver for each check, under the world's names."""

    features = frozenset(FEATURES)

    @contextmanager
    def drive(self, world: World, wanted: Wanted) -> Iterator[Driver]:
        """Start the driver on the first node; raises ``Refused`` for a bad configuration."""
        cluster = world.cluster
        if not isinstance(cluster, BundledCluster):
            raise HarnessError("the bundled driver runs on the bundled target only")
        access = cluster.node_access()[0]
        world.create(_class(world))
        config = _configuration(world, wanted)
        try:
            cluster.start_driver(access.name, config)
        except ConfigurationError as error:
            raise Refused("a driver that starts", observed=str(error)) from error
        driver = BundledDriver(world, cluster, access, config)
        try:
            yield driver
        finally:
            Life(world, driver).clear()
            cluster.stop_driver(world.driver, access.name)
            _sweep(access, world.driver)


def _sweep(access: NodeAccess, driver: str) -> None:
    """Remove the registration sockets of instances that were killed.

    The kubelet would ask there every two minutes for as long as there is a target, and virtual
    time would wait 2 s for an answer each time.
    """
    for socket in access.registrar_dir.glob(f"{driver}*.sock"):
        socket.unlink(missing_ok=True)


def _class(world: World) -> Object:
    expression = f'device.driver == "{world.driver}"'
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": world.device_class},
        "spec": {"selectors": [{"cel": {"expression": expression}}]},
    }


def _configuration(world: World, wanted: Wanted) -> DriverConfig:
    metadata = MetadataConfig(
        deferred_seconds=wanted.deferred_seconds, extra_attributes=wanted.extra_attributes
    )
    if wanted.metadata_versions is not None:
        metadata = attrs.evolve(metadata, versions=wanted.metadata_versions)
    told = publication.of(world.driver, wanted, DEVICES)
    return DriverConfig(
        name=world.driver,
        devices=told.devices,
        shared_counters=told.shared_counters,
        partition_type_attribute=told.partition_type,
        binding=BindingConfig() if told.reports_binding else None,
        metadata=metadata if "metadata" in wanted.features else None,
        health=attrs.evolve(HEALTH, taints="taints" in wanted.features),
        network_data=wanted.network_data,
        healthcheck_port=free_port() if PROBED.intersection(wanted.features) else 0,
        metrics_port=free_port() if "metrics" in wanted.features else 0,
    )

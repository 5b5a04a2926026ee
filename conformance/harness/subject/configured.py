"""A driver program that the suite configures by a file, started for each check.

This is how a driver, or the library that drivers stand on, is put to the questions that need
it to be a certain way. The program is told by ``{configuration}`` in its command where a JSON
file lies::

    name              the driver name that it takes
    devices           entries of a ResourceSlice's spec.devices
    sharedCounters    entries of a ResourceSlice's spec.sharedCounters, in a slice of their own
    partitionType     spec.partitionTypeAttribute of the slice with the devices; empty: none
    reportsBinding    whether it attaches allocated devices and reports their binding conditions
    metadataVersions  versions of the metadata API in their order; null: no metadata files
    deferredSeconds   how long after preparing attributes and network data follow; null: at once
    extraAttributes   attributes by name that are known at run time only
    networkData       by device name
    healthFile        holds {device: {"health": ..., "message": ..., "gone": ...}}, which may
                      change any time; a device that is gone is published no longer
    taints            whether devices that are unhealthy are published with a taint

It publishes one pool, named after its node, and serves the health of its devices.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import attrs

from conformance.harness.errors import TargetMisconfigured, Unsupported, Violation
from conformance.harness.nodeplugin.attach import delete_pods, reachable_node
from conformance.harness.process.child import Child
from conformance.harness.process.command import CommandError, Surroundings, fill
from conformance.harness.process.disk import SHARED
from conformance.harness.subject import publication
from conformance.harness.subject.protocol import (
    CONFIGURATION,
    Driver,
    DriverOptions,
    Instance,
    Refused,
    Rotation,
    Wanted,
)
from conformance.harness.subject.started import OurChild
from conformance.harness.world import World
from conformance.kube.objects import Object

#: The inventory where a check does not care.
DEVICES: tuple[Object, ...] = tuple(
    {
        "name": f"device-{number}",
        "attributes": {"index": {"int": number}, "model": {"string": "conformance"}},
        "capacity": {"memory": {"value": "80Gi"}},
    }
    for number in range(2)
)

#: The versions of the metadata API that a driver writes unless a check wants others.
VERSIONS = ("v1beta1", "v1alpha1")

_SLICES = "/apis/resource.k8s.io/v1/resourceslices"


class ConfiguredDriver(OurChild):
    """The program while it runs for one check."""

    def __init__(self, world: World, child: Child, node: str, health: Path) -> None:
        self.name = world.driver
        self.device_class = world.device_class
        self.node: str | None = node
        self.account = ""
        self.parameters: Mapping[str, Any] = {}
        self.health_address = ""
        self.metrics_url = ""
        self.broken: dict[str, Violation] = {}
        self.reached: set[str] = set()
        super().__init__(child)
        self._health_file = health
        self._health: dict[str, Object] = {}

    def hurry(self, seconds: int) -> bool:
        """Say no: a node with a kubelet works with it, on the machine's time."""
        del seconds
        return False

    def ended(self) -> str:
        """Return how the process ended, empty while it runs."""
        return "" if self._child.is_alive() else self._child.story()

    def set_health(self, device: str, health: str, message: str = "") -> None:
        """Make a device fail or recover."""
        self._tell(device, health=health, message=message)

    def take_away(self, device: str) -> None:
        """Let a device be gone."""
        self._tell(device, gone=True)

    def bring_back(self, device: str) -> None:
        """Let a device be there again."""
        self._tell(device, gone=False)

    def _tell(self, device: str, **told: Any) -> None:
        self._health.setdefault(device, {"health": "Healthy"}).update(told)
        draft = self._health_file.with_suffix(".part")
        draft.write_text(json.dumps(self._health), "utf-8")
        draft.replace(self._health_file)

    def change_inventory(self) -> None:
        """Raise ``Unsupported``: the program reads its configuration once."""
        raise Unsupported("the check changes the inventory, which this program reads once")

    def use(self, devices: Sequence[str], edits: Sequence[Object]) -> str:
        """Raise ``Unsupported``: the program has no hardware."""
        del devices, edits
        raise Unsupported("the check uses devices, and those of this program are names")

    def second(self) -> AbstractContextManager[Instance]:
        """Raise ``Unsupported``: the program knows no instances."""
        raise Unsupported("the check starts the driver twice, and this program knows no instances")

    def hampered(self, trouble: int) -> AbstractContextManager[None]:
        """Raise ``Unsupported``: the folder is that of a node."""
        del trouble
        raise Unsupported(SHARED)

    def rotate_token(self) -> Rotation:
        """Raise ``Unsupported``: it has the kubeconfig of whoever runs the checks."""
        raise Unsupported(
            "the check replaces the driver's token, and this one has that of --kubeconfig"
        )


@attrs.frozen(kw_only=True)
class ConfiguredHost:
    """Starts the program for each check, under the world's names."""

    options: DriverOptions
    kubeconfig: Path

    @property
    def features(self) -> frozenset[str]:
        """What the person said that the driver can have."""
        return frozenset(self.options.features)

    @contextmanager
    def drive(self, world: World, wanted: Wanted) -> Iterator[Driver]:
        """Start the program; raises ``Refused`` for a configuration that it won't take."""
        world.create(_class(world))
        node = reachable_node(world).name
        with tempfile.TemporaryDirectory(prefix="dra-conf-driver-") as folder:
            health = Path(folder) / "health.json"
            with self._child(world, wanted, health) as child:
                driver = ConfiguredDriver(world, child, node, health)
                try:
                    _await_slices(world, driver)
                    yield driver
                finally:
                    delete_pods(world)

    def _child(self, world: World, wanted: Wanted, health: Path) -> Child:
        access = reachable_node(world)
        file = health.with_name("configuration.json")
        file.write_text(json.dumps(_configuration(world, wanted, health)), "utf-8")
        surroundings = Surroundings(
            node_name=access.name,
            kubeconfig=self.kubeconfig,
            plugins_dir=access.plugins_dir,
            registrar_dir=access.registrar_dir,
            cdi_dir=access.cdi_dir,
            instance=self.options.instance,
        )
        try:
            command = (self.options.command or "").replace(CONFIGURATION, str(file))
            words = fill(command, surroundings)
        except CommandError as error:
            raise TargetMisconfigured(str(error)) from error
        log = health.with_name("driver.log")
        return Child(words, environment=surroundings.environment(), log=log)


def _configuration(world: World, wanted: Wanted, health: Path) -> Object:
    versions = VERSIONS if wanted.metadata_versions is None else wanted.metadata_versions
    told = publication.of(world.driver, wanted, DEVICES)
    return {
        "name": world.driver,
        "devices": list(told.devices),
        "sharedCounters": list(told.shared_counters),
        "partitionType": told.partition_type,
        "reportsBinding": told.reports_binding,
        "metadataVersions": list(versions) if "metadata" in wanted.features else None,
        "deferredSeconds": wanted.deferred_seconds,
        "extraAttributes": dict(wanted.extra_attributes),
        "networkData": dict(wanted.network_data),
        "healthFile": str(health),
        "taints": "taints" in wanted.features,
    }


def _class(world: World) -> Object:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": world.device_class},
        "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{world.driver}"'}}]},
    }


def _await_slices(world: World, driver: ConfiguredDriver) -> None:
    """Wait for the driver's slices; raises ``Refused`` once the program has ended."""

    def published() -> bool:
        path = f"{_SLICES}?fieldSelector=spec.driver%3D{driver.name}"
        return bool(driver.ended() or world.api.ask("GET", path)["items"])

    world.until("the driver has published its devices", published, bound="slice-published")
    if driver.ended():
        raise Refused("a driver that starts", observed=driver.story())

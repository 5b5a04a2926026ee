"""A driver that is already there: known by its name and its class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import attrs

from conformance.harness.errors import Unsupported, Violation
from conformance.harness.process.child import Departure
from conformance.harness.process.command import Surroundings
from conformance.harness.process.disk import SHARED
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import (
    FEATURES,
    Driver,
    DriverOptions,
    Instance,
    Rotation,
    Wanted,
)
from conformance.harness.vendor.hooks import Hooks
from conformance.harness.world import World
from conformance.kube.objects import Object


@attrs.frozen(kw_only=True)
class InstalledDriver:
    """A driver that somebody else runs; what is done to its hardware its vendor's hooks do."""

    name: str
    device_class: str
    hooks: Hooks
    node: str | None = None
    account: str = ""
    parameters: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    process: int | None = None
    health_address: str = ""
    metrics_url: str = ""
    age: float | None = None
    broken: dict[str, Violation] = attrs.field(factory=dict)
    reached: set[str] = attrs.field(factory=set)

    def hurry(self, seconds: int) -> bool:
        """Say no: it is not ours."""
        del seconds
        return False

    def ended(self) -> str:
        """Return that more may always come of it."""
        return ""

    def set_health(self, device: str, health: str, message: str = "") -> None:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        self.hooks.mark(device, health, message)

    def change_inventory(self) -> None:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        self.hooks.run("change-inventory")

    def take_away(self, device: str) -> None:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        self.hooks.remove(device)

    def bring_back(self, device: str) -> None:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        self.hooks.bring_back(device)

    def use(self, devices: Sequence[str], edits: Sequence[Object]) -> str:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        return self.hooks.use(devices, edits)

    def terminate(self) -> Departure:
        """Raise ``Unsupported``: it is not ours to end."""
        raise Unsupported("the check ends the driver, and this one is not ours to end")

    def kill(self) -> None:
        """Raise ``Unsupported``: it is not ours to end."""
        raise Unsupported("the check kills the driver, and this one is not ours to kill")

    def start(self) -> None:
        """Raise ``Unsupported``: it is not ours to start."""
        raise Unsupported("the check starts the driver, and this one is not ours to start")

    def pause(self) -> None:
        """Raise ``Unsupported``: it is not ours to pause."""
        raise Unsupported("the check pauses the driver, and this one is not ours to pause")

    def resume(self) -> None:
        """Raise ``Unsupported``: it is not ours to pause."""
        raise Unsupported("the check pauses the driver, and this one is not ours to pause")

    def second(self) -> AbstractContextManager[Instance]:
        """Raise ``Unsupported``: it is not ours to start."""
        raise Unsupported("the check starts the driver twice, and this one is not ours to start")

    def hampered(self, trouble: int) -> AbstractContextManager[None]:
        """Raise ``Unsupported``: the folder is that of a node."""
        del trouble
        raise Unsupported(SHARED)

    def shifted(self, seconds: int) -> AbstractContextManager[None]:
        """Raise ``Unsupported``: it is not ours to start."""
        del seconds
        raise Unsupported("the check starts the driver, and this one is not ours to start")

    def set_wall(self, seconds: int) -> None:
        """Raise ``Unsupported``: it is that of a node."""
        del seconds
        raise Unsupported("the check sets the driver's wall clock, and this one is its node's")

    def rotate_token(self) -> Rotation:
        """Raise ``Unsupported``: its kubelet does so, when it is time."""
        raise Unsupported(
            "the check replaces the driver's token, and the credentials of this one are not ours"
        )

    def must_be_ours(self, act: str) -> None:
        """Raise ``Unsupported``: others rely on it."""
        raise Unsupported(f"the check {act}, and others rely on this driver")

    def story(self) -> str:
        """Return that nothing is known."""
        return f"{self.name} is installed in the cluster; its output is not known here"


@attrs.frozen(kw_only=True)
class InstalledHost:
    """Provides the driver that a person named, or none."""

    options: DriverOptions = attrs.field(factory=DriverOptions)
    #: How the cluster is reached, for hooks.
    kubeconfig: Path = Path()
    #: The steps that the driver failed to take in this run.
    broken: dict[str, Violation] = attrs.field(factory=dict)
    #: The steps that it has taken.
    reached: set[str] = attrs.field(factory=set)

    @property
    def features(self) -> frozenset[str]:
        """What the person said that the driver has."""
        return frozenset(self.options.features)

    @contextmanager
    def drive(self, world: World, wanted: Wanted) -> Iterator[Driver]:
        """Provide the driver as it is; raises ``Unsupported``."""
        if not self.options.name:
            raise Unsupported("the check judges a driver, and none was named (--driver-name)")
        require(self.features, wanted)
        driver = InstalledDriver(
            name=self.options.name,
            device_class=self.options.device_class,
            hooks=Hooks(options=self.options, surroundings=self._surroundings(world)),
            parameters=self.options.parameters,
            broken=self.broken,
            reached=self.reached,
        )
        try:
            yield driver
        finally:
            Life(world, driver).clear()
            driver.hooks.recover()

    def _surroundings(self, world: World) -> Surroundings | None:
        """Return the node on which hooks run, the first that is reached; None for none."""
        for access in world.cluster.node_access():
            return Surroundings(
                node_name=access.name,
                kubeconfig=self.kubeconfig,
                plugins_dir=access.plugins_dir,
                registrar_dir=access.registrar_dir,
                cdi_dir=access.cdi_dir,
            )
        return None


def require(features: frozenset[str], wanted: Wanted) -> None:
    """Raise ``Unsupported`` unless a driver that can't be told anything will do."""
    for feature in wanted.features:
        if feature not in features:
            meaning = FEATURES[feature]
            raise Unsupported(
                f"the check needs a driver with {meaning}; say --driver-feature {feature} if it has"
            )
    for feature in wanted.without:
        if feature in features:
            raise Unsupported(f"the check needs a driver without {FEATURES[feature]}")
    if not wanted.is_plain:
        raise Unsupported("the check needs a driver that can be configured by the suite")

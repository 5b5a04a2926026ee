"""A vendor's program, started as a child against a control plane that we bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import attrs

from conformance.harness.errors import Violation
from conformance.harness.process.child import Child, Departure
from conformance.harness.process.command import NO_PORT, CommandError, Surroundings, fill
from conformance.harness.process.disk import SpecDisk
from conformance.harness.process.ports import free_port, loopback, metrics_url
from conformance.harness.subject.installed import require
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import (
    GRACE,
    PROBED,
    Driver,
    DriverOptions,
    Instance,
    Rotation,
    Wanted,
)
from conformance.harness.vendor.hooks import Hooks
from conformance.harness.world import World
from conformance.kube.objects import Object

#: Longest part of a driver's last line that is told in a message, in characters.
_LINE = 200


#: The uid of the Pod that replaces the driver's in a rolling update.
_UPDATED = "6d1cbf8e-0c5b-4d0e-9d0f-000000000002"


class OurChild:
    """What can be done to the process of a driver that runs as our child."""

    def __init__(self, child: Child) -> None:
        self._child = child

    @property
    def process(self) -> int | None:
        """The child while it runs."""
        return self._child.pid

    @property
    def age(self) -> float:
        """The seconds since the child was started."""
        return self._child.age

    def terminate(self) -> Departure:
        """Send SIGTERM and wait until the driver has ended, killing it if it does not."""
        return self._child.end(patience=GRACE)

    def kill(self) -> None:
        """End the driver at once, as by SIGKILL."""
        self._child.kill()

    def start(self) -> None:
        """Start the same command again."""
        self._child.start()

    def pause(self) -> None:
        """Send SIGSTOP."""
        self._child.pause()

    def resume(self) -> None:
        """Send SIGCONT."""
        self._child.resume()

    def shifted(self, seconds: int) -> AbstractContextManager[None]:
        """Give the child a clock of its own; raises ``Unsupported``."""
        return self._child.shifted(seconds)

    def set_wall(self, seconds: int) -> None:
        """Set that of the child; raises ``Unsupported``."""
        self._child.set_wall(seconds)

    def must_be_ours(self, act: str) -> None:
        """Allow it: the driver runs for the checks alone."""

    def story(self) -> str:
        """Return how the process is and its last words."""
        tail = self._child.tail().rstrip()
        return f"{self._child.story()}; its last output:\n{tail or '(none)'}"


class StartedDriver(OurChild):
    """A driver that runs as our child."""

    def __init__(
        self,
        options: DriverOptions,
        surroundings: Surroundings,
        child: Child,
        other: Callable[[], Child],
        disk: SpecDisk,
        rotate: Callable[[], Rotation],
    ) -> None:
        """``other`` makes the child of another instance, which is not started yet.

        ``rotate`` replaces the token in the file that its kubeconfig names.
        """
        self.name = options.name
        self.device_class = options.device_class
        self.node: str | None = surroundings.node_name
        self.account = options.account
        self.parameters = options.parameters
        port = surroundings.healthcheck_port
        self.health_address = loopback(port) if port > 0 else ""
        self.metrics_url = metrics_url(surroundings.metrics_port)
        self.broken: dict[str, Violation] = {}
        self.reached: set[str] = set()
        super().__init__(child)
        self._other = other
        self._disk = disk
        self._rotate = rotate
        self._patient = options.patient
        self._hooks = Hooks(options=options, surroundings=surroundings)

    def hurry(self, seconds: int) -> bool:
        """Move the clock of the child, unless whoever judges it is patient."""
        return not self._patient and self._child.hurry(seconds)

    def ended(self) -> str:
        """Return how the process ended, empty while it runs."""
        if self._child.is_alive():
            return ""
        last = self._child.tail().strip().rpartition("\n")[2]
        return f"{self._child.story()}, saying last {last[:_LINE]!r}"

    def set_health(self, device: str, health: str, message: str = "") -> None:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        self._hooks.mark(device, health, message)

    def change_inventory(self) -> None:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        self._hooks.run("change-inventory")

    def take_away(self, device: str) -> None:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        self._hooks.remove(device)

    def bring_back(self, device: str) -> None:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        self._hooks.bring_back(device)

    def use(self, devices: Sequence[str], edits: Sequence[Object]) -> str:
        """Let the vendor's hook do so; raises ``Unsupported`` where there is none."""
        return self._hooks.use(devices, edits)

    def recover(self) -> None:
        """Let every device be well and there again that a check has let fail or be gone."""
        self._hooks.recover()

    @contextmanager
    def second(self) -> Iterator[Instance]:
        """Start the same command with another ``{pod_uid}``, and end it afterwards."""
        with self._other() as child:
            yield child

    def hampered(self, trouble: int) -> AbstractContextManager[None]:
        """Do so to the file system below the folder; raises ``Unsupported``."""
        return self._disk.short(trouble)

    def rotate_token(self) -> Rotation:
        """Replace the token in the file that its kubeconfig names."""
        return self._rotate()


class ChildHost:
    """Keeps one child running for all checks; starts it again when a check has ended it."""

    def __init__(
        self,
        options: DriverOptions,
        surroundings: Surroundings,
        log: Path,
        *,
        rotate: Callable[[], Rotation],
        disk: SpecDisk,
    ) -> None:
        """Describe the child; raises ``CommandError`` for a command that can't be right.

        ``rotate`` replaces the token in the file that its kubeconfig names; on ``disk`` its CDI
        specs lie.
        """
        self._options = options
        self._log = log
        surroundings = attrs.evolve(surroundings, **self._ports())
        self._child = self._make(surroundings)
        updated = attrs.evolve(surroundings, pod_uid=_UPDATED, **self._ports())
        self._disk = disk
        self._driver = StartedDriver(
            options,
            surroundings,
            self._child,
            lambda: self._make(updated),
            self._disk,
            rotate,
        )

    def _ports(self) -> dict[str, int]:
        # Pods have their ports each to themselves; here two instances share the machine.
        asked = {"healthcheck_port": PROBED, "metrics_port": {"metrics"}}
        return {
            name: free_port() if features.intersection(self._options.features) else NO_PORT
            for name, features in asked.items()
        }

    def _make(self, surroundings: Surroundings) -> Child:
        words = fill(self._options.command or "", surroundings)
        environment = {**surroundings.environment(), **self._options.environment}
        return Child(words, environment=environment, log=self._log)

    @property
    def features(self) -> frozenset[str]:
        """What the person said that the driver has."""
        return frozenset(self._options.features)

    def start(self) -> None:
        """Start the child; raises ``CommandError`` where it can't be started."""
        self._disk.mount()
        try:
            self._child.start()
        except CommandError:
            self._disk.close()
            raise

    def close(self) -> None:
        """End the child."""
        self._child.stop()
        self._disk.close()

    @contextmanager
    def drive(self, world: World, wanted: Wanted) -> Iterator[Driver]:
        """Provide the child; raises ``Unsupported``.

        A child that ended by itself stays ended: that is what the check has to find.
        """
        require(self.features, wanted)
        alive = self._child.is_alive()
        try:
            yield self._driver
        finally:
            Life(world, self._driver).clear()
            self._driver.recover()
            if self._child.is_alive() and self._child.is_shifted:
                self._child.end(patience=GRACE)
            if alive and not self._child.is_alive():
                self._child.start()

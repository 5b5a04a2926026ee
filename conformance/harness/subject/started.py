"""A vendor's program, started as a child against a control plane that we bring."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.harness.errors import Unsupported, Violation
from conformance.harness.process.child import Child
from conformance.harness.process.command import Surroundings, fill
from conformance.harness.subject.installed import require
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import Driver, DriverOptions, Wanted
from conformance.harness.world import World

#: Longest part of a driver's last line that is told in a message, in characters.
_LINE = 200


class StartedDriver:
    """A driver that runs as our child."""

    def __init__(self, options: DriverOptions, node: str, child: Child) -> None:
        self.name = options.name
        self.device_class = options.device_class
        self.node: str | None = node
        self.broken: dict[str, Violation] = {}
        self.reached: set[str] = set()
        self._child = child

    @property
    def process(self) -> int | None:
        """The child while it runs."""
        return self._child.pid

    def ended(self) -> str:
        """Return how the process ended, empty while it runs."""
        if self._child.is_alive():
            return ""
        last = self._child.tail().strip().rpartition("\n")[2]
        return f"{self._child.story()}, saying last {last[:_LINE]!r}"

    def set_health(self, device: str, health: str, message: str = "") -> None:
        """Raise ``Unsupported``: there is no common way to make a vendor's device fail."""
        raise Unsupported("the check needs a driver whose devices can be made to fail")

    def terminate(self) -> None:
        """Send SIGTERM and wait until the driver has ended, killing it if it does not."""
        self._child.stop()

    def kill(self) -> None:
        """End the driver at once, as by SIGKILL."""
        self._child.kill()

    def start(self) -> None:
        """Start the same command again."""
        self._child.start()

    def must_be_ours(self, act: str) -> None:
        """Allow it: the driver runs for the checks alone."""

    def story(self) -> str:
        """Return how the process is and its last words."""
        tail = self._child.tail().rstrip()
        return f"{self._child.story()}; its last output:\n{tail or '(none)'}"


class ChildHost:
    """Keeps one child running for all checks; starts it again when a check has ended it."""

    def __init__(self, options: DriverOptions, surroundings: Surroundings, log: Path) -> None:
        """Describe the child; raises ``CommandError`` for a command that can't be right."""
        words = fill(options.command or "", surroundings)
        self._options = options
        self._child = Child(words, environment=surroundings.environment(), log=log)
        self._driver = StartedDriver(options, surroundings.node_name, self._child)

    @property
    def features(self) -> frozenset[str]:
        """What the person said that the driver has."""
        return frozenset(self._options.features)

    def start(self) -> None:
        """Start the child; raises ``CommandError`` where it can't be started."""
        self._child.start()

    def close(self) -> None:
        """End the child."""
        self._child.stop()

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
            if alive and not self._child.is_alive():
                self._child.start()

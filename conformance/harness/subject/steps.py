"""How the steps of a claim's life are taken: once for whoever judges them, never in vain."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import attrs

from conformance.harness.errors import Undecided, Violation
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World

Found = TypeVar("Found")

#: Real seconds that a driver has for its work in a second of its own.
_WORK = 0.05

#: What it means that a step was not taken, for the checks that stand on it.
STEPS: Mapping[str, str] = {
    "published": "the driver publishes no devices",
    "registered": "the driver does not register",
    "consistent": "the slices of the driver form no consistent pools",
    "allocated": "no device of the driver is allocated",
    "prepared": "the driver does not answer NodePrepareResources as it must",
    "running": "no Pod with a claim runs",
    "released": "the driver does not let go of a claim",
    "reused": "a second Pod with a claim does not run",
}


@attrs.frozen
class _Ended:
    """The driver is gone: nothing more can be expected of it."""

    why: str


@attrs.frozen
class Steps:
    """One driver's steps in one world."""

    world: World
    driver: Driver

    def take(self, step: str, act: Callable[[], Found]) -> Found:
        """Take a step; raises ``Violation``, at once if it failed before with this driver."""
        if step in self.driver.broken:
            raise self.driver.broken[step]
        try:
            found = act()
        except Violation as violation:
            self.driver.broken[step] = violation
            raise
        self.driver.reached.add(step)
        return found

    def after(self, step: str, take: Callable[[], Found]) -> Found:
        """Stand on a step; raises ``Undecided`` where it is not taken."""
        try:
            return take()
        except Violation as violation:
            raise Undecided(f"not judged, since {STEPS[step]}") from violation

    def stand_on(self, step: str) -> None:
        """Raise ``Undecided`` where a step is known to have failed."""
        if step in self.driver.broken:
            raise Undecided(f"not judged, since {STEPS[step]}")

    def until(self, what: str, look: Callable[[], Found], *, bound: str) -> Found:
        """Wait as the world does, but not for a driver that has ended."""

        def look_or_end() -> Found | _Ended:
            why = self.driver.ended()
            return _Ended(why) if why else look()

        found = self.world.until(what, look_or_end, bound=bound)
        if isinstance(found, _Ended):
            raise Violation(f"that {what}", observed=found.why)
        return found

    def in_its_time(self, what: str, look: Callable[[], Found], *, bound: str) -> Found:
        """Wait as ``until`` does for what the driver does by its own clock, in as little time.

        The clock of a driver goes ahead where it can be moved. What has not come then is waited
        for on the machine's, so that no driver is accused by another clock than its own.
        """
        seconds = self.world.options.bounds.seconds[bound]
        for _ in itertools.chain([None], self.hurried(seconds)):
            with contextlib.suppress(Violation):
                if found := look():
                    return found
            if self.driver.ended():
                # Which ``until`` tells, at once.
                break
        return self.until(what, look, bound=bound)

    def elapse(self, seconds: float, *, at_most: float | None = None) -> None:
        """Let so many seconds pass for the driver, in no time where its clock can be moved.

        Of the machine's time no more than ``at_most`` seconds pass.
        """
        left = seconds - sum(1 for _ in self.hurried(seconds))
        if left > 0:
            self.world.patience.elapse(left if at_most is None else min(left, at_most))

    def hurried(self, seconds: float) -> Iterator[None]:
        """Let so many seconds pass for the driver, one after the other; none where that can't be.

        It has some real time for what it finds to do in each of them.
        """
        for _ in range(math.ceil(seconds)):
            if not self.driver.hurry(1):
                return
            self.world.hurried += 1
            self.world.cluster.time.pass_(_WORK)
            yield

    def soon(self, what: str, look: Callable[[], Any]) -> bool:
        """Wait for what usually takes moments; say whether it came."""
        try:
            self.world.until(what, look, bound="driver-answers")
        except Violation:
            return False
        return True

"""The health stream of a driver, judged from the kubelet's end of it.

The harness opens a stream of its own; the one of a real kubelet goes on beside it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TypeVar

import attrs

from conformance.harness.bench.bench import Bench
from conformance.harness.errors import Undecided, Unsupported, Violation
from conformance.harness.kubeletside import health
from conformance.harness.kubeletside.health import DeviceHealth, Report, Stream
from conformance.harness.subject import inventory
from conformance.harness.subject.life import Life
from conformance.kube.objects import Object

Found = TypeVar("Found")

#: Seconds after which a kubelet takes a device for Unknown where the driver names no timeout.
_TIMEOUT = 30

#: Longest message of a device, in characters; a kubelet cuts longer ones.
_MESSAGE = 1024

#: A time in seconds is smaller than this for three thousand years, one in milliseconds is not.
_SECONDS = 10**11

#: How often a driver is looked at while its timeout runs.
_LOOKS = 10

_PATH = "NodeWatchResourcesResponse.devices[]"


@attrs.frozen
class Watch:
    """One stream to the driver on the bench."""

    bench: Bench
    stream: Stream

    def first(self) -> Report:
        """Stand on a first report, or raise ``Undecided``."""
        try:
            return self.answered()
        except Violation as violation:
            raise Undecided(f"not judged, since there is no report: {violation}") from violation

    def answered(self) -> Report:
        """Return the first report; raises ``Violation`` where none comes."""

        def look() -> Report:
            for report in self.stream.reports(bool):
                return report
            raise Violation("a report", path="NodeWatchResources", observed=self.stream.ended)

        return self._until("the driver reports the health of its devices", look)

    def shows(self, device: DeviceHealth, health_: str) -> DeviceHealth:
        """Return the newest word on a device once it is this; raises ``Violation``."""

        def news(reports: list[Report]) -> DeviceHealth | None:
            found = [one for report in reports if (one := report.of(device.pool, device.name))]
            return found[-1] if found and found[-1].health == health_ else None

        def look() -> DeviceHealth:
            reports = self.stream.reports(lambda so_far: news(so_far) is not None)
            found = news(reports)
            if found is None:
                last = [report.of(device.pool, device.name) for report in reports[-1:]]
                raise Violation(f"{device.name} {health_}", path=f"{_PATH}.health", observed=last)
            return found

        return self._until(f"the driver reports {device.name} as {health_}", look)

    def refreshed(self, first: Report) -> None:
        """Expect that no device of a report outlives its timeout without being reported again."""
        if not first.devices:
            raise Unsupported("the check needs a driver that reports a device")
        timeout = min(one.timeout if one.timeout > 0 else _TIMEOUT for one in first.devices)
        again: frozenset[tuple[str, str]] = frozenset()
        for _ in range(_LOOKS):
            self.bench.world.patience.elapse(timeout / _LOOKS)
            again = _names(self.stream.reports(lambda reports: len(reports) > 1)[1:])
            if first.names <= again:
                return
        self.must_be_open()
        raise Violation(
            f"within {timeout} s another report of each device",
            path=_PATH,
            observed=f"none of {sorted(first.names - again)}",
        )

    def must_be_open(self) -> None:
        """Raise ``Undecided`` where the driver ended the stream."""
        if self.stream.ended:
            raise Undecided(f"not judged, since the stream ended: {self.stream.ended}")

    def stays_open(self) -> None:
        """Expect that the driver does not end the stream while nothing happens."""

        def look() -> bool:
            if self.stream.ended:
                raise Violation("an open stream", observed=self.stream.ended)
            return True

        self.bench.world.stays("the stream is open", look, for_="health-stream-open")

    def newest(self) -> Report:
        """Return the last report so far."""
        return self.stream.reports(bool)[-1]

    def seen(self) -> list[DeviceHealth]:
        """Return every word on any device so far."""
        return [one for report in self.stream.reports(bool) for one in report.devices]

    def _until(self, what: str, look: Callable[[], Found]) -> Found:
        def look_or_end() -> Found:
            try:
                return look()
            except Violation as violation:
                if self.stream.ended and self.stream.reports(bool):
                    raise Undecided(
                        f"not judged, since the stream ended: {self.stream.ended}"
                    ) from violation
                raise

        return self.bench.world.until(what, look_or_end, bound="health-update")


@contextlib.contextmanager
def watched(bench: Bench, service: str = "") -> Iterator[Watch]:
    """Open a stream of a version, by default of the one that kubelets prefer.

    Raises ``Unsupported`` for a driver that announces none.
    """
    found = bench.registration()
    with health.watched(found, service or preferred(bench)) as stream:
        yield Watch(bench, stream)


def report_by(bench: Bench, service: str) -> Report:
    """Return the first report of a version; raises ``Violation`` where none comes."""
    with watched(bench, service) as watch:
        return watch.answered()


def reports_by_all(bench: Bench) -> list[Report]:
    """Return the first report of every announced version; raises ``Violation``.

    The streams are open at one time: whether one can be opened again is another question.
    """
    with contextlib.ExitStack() as stack:
        watches = [stack.enter_context(watched(bench, one)) for one in services(bench)]
        return [watch.answered() for watch in watches]


def healthy(watch: Watch) -> DeviceHealth:
    """Return a device that the first report calls healthy; raises ``Unsupported``."""
    for one in watch.first().devices:
        if one.health == "Healthy":
            return one
    raise Unsupported("the check needs a driver that reports a healthy device")


def failed(bench: Bench, watch: Watch) -> DeviceHealth:
    """Stand on a device that failed and is reported so; raises ``Undecided``."""
    device = healthy(watch)
    bench.driver.set_health(device.name, "Unhealthy", "on fire")
    try:
        return watch.shows(device, "Unhealthy")
    except Violation as violation:
        raise Undecided("not judged, since no failure is reported") from violation


def state_in(report: Report, device: DeviceHealth) -> str:
    """Return what a report says of a device, or what is said now where it says nothing."""
    found = report.of(device.pool, device.name)
    return device.health if found is None else found.health


def services(bench: Bench) -> list[str]:
    """Return the versions of the service that the driver announces; raises ``Unsupported``."""
    found = health.offered(bench.registration())
    if not found:
        raise Unsupported("the check judges the health service, and the driver announces none")
    return found


def preferred(bench: Bench) -> str:
    """Return the version that a kubelet chooses."""
    announced = services(bench)
    return next(one for one in health.SERVICES if one in announced)


def published(bench: Bench) -> frozenset[tuple[str, str]]:
    """Return pool and name of every device that the driver publishes for its node."""
    found = Life(bench.world, bench.driver).inventory()
    node = bench.access.name
    return frozenset(
        (pool.name, device["name"])
        for pool in found.pools
        for one in pool.slices
        if _on(one, node)
        for device in one["spec"].get("devices") or []
    )


def everywhere(bench: Bench) -> frozenset[tuple[str, str]]:
    """Return pool and name of every device that the driver publishes anywhere."""
    return inventory.read(bench.world, bench.driver.name).names


def out_of_bounds(seen: list[DeviceHealth]) -> list[str]:
    """Return what of a driver's words a kubelet cuts or can't understand."""
    rules = {
        f"a message of at most {_MESSAGE} characters": lambda one: len(one.message) <= _MESSAGE,
        "a last_updated_time in seconds": lambda one: 0 < one.updated < _SECONDS,
        "a known health": lambda one: one.health in ("Unknown", "Healthy", "Unhealthy"),
    }
    return [
        f"{one.name}: not {rule}" for one in seen for rule, holds in rules.items() if not holds(one)
    ]


def _on(one: Object, node: str) -> bool:
    return one["spec"].get("nodeName") in (None, node)


def _names(reports: list[Report]) -> frozenset[tuple[str, str]]:
    return frozenset(name for report in reports for name in report.names)

"""What a driver answers when its Pod is asked whether it is ready."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from conformance.harness import expect
from conformance.harness.bench import publication, trouble
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import lifecycle, liveness
from conformance.harness.errors import Undecided, Violation
from conformance.harness.kubeletside import registration
from conformance.harness.kubeletside.probing import SERVING
from conformance.harness.subject.inventory import Inventory
from conformance.harness.subject.life import Life

#: The service that is asked, as Kubernetes' documents name it.
SERVICE = "readiness"

STATUS = "HealthCheckResponse.status"


def reported(bench: Bench) -> None:
    """Wait until the driver calls itself ready; raises ``Violation``."""

    def look() -> bool:
        expect.same(liveness.says(bench, SERVICE), SERVING, path=STATUS)
        return True

    bench.world.until("the driver calls itself ready", look, bound="driver-recovers")


def stood_on(bench: Bench) -> Inventory:
    """Stand on a driver that calls itself ready: what it publishes, or ``Undecided``."""
    before = settled(bench)
    try:
        reported(bench)
    except Violation as violation:
        raise Undecided("not judged, since the driver does not call itself ready") from violation
    return before


def settled(bench: Bench) -> Inventory:
    """Stand on a driver that is registered: what it publishes, or ``Undecided``."""
    before = publication.settled(Life(bench.world, bench.driver))
    bench.registration()
    return before


@contextlib.contextmanager
def unpublished(bench: Bench, before: Inventory) -> Iterator[None]:
    """Have the driver start anew, and the API server take none of its writes of slices."""
    with trouble.started(Life(bench.world, bench.driver), before, trouble.UNWRITTEN):
        yield


def published_late(bench: Bench) -> None:
    """Let the driver start, and publish what is missing once the API server takes it."""
    life, before = Life(bench.world, bench.driver), stood_on(bench)
    with trouble.started(life, before, trouble.OBSTACLES["unavailable"]):
        _published(bench, before)


def never(bench: Bench) -> None:
    """Expect that the driver does not call itself ready for a while; raises ``Violation``."""
    bench.world.patience.stays(
        "the driver is not ready", lambda: _unready(bench), for_="slices-troubled"
    )


@contextlib.contextmanager
def unregistered(bench: Bench) -> Iterator[None]:
    """Have a kubelet refuse the driver, and take it afterwards."""
    lifecycle.refused(bench)
    try:
        yield
    finally:
        registration.accept(bench.registration())


def given_up(bench: Bench) -> None:
    """Wait until the driver does not call itself ready any more; raises ``Violation``."""
    bench.world.until("the driver is not ready", lambda: _unready(bench), bound="driver-answers")


def taken_again(bench: Bench) -> None:
    """Let a kubelet refuse the driver and take it afterwards."""
    stood_on(bench)
    with unregistered(bench):
        pass


def _unready(bench: Bench) -> bool:
    said = liveness.says(bench, SERVICE)
    expect.that(said != SERVING, "no SERVING", path=STATUS, observed=said)
    return True


def _published(bench: Bench, before: Inventory) -> None:
    """Stand on slices that are published in the end, or raise ``Undecided``."""
    try:
        bench.world.until(
            "the slices are published in the end",
            lambda: publication.same_names(bench.world, bench.driver, before),
            bound="slice-published",
        )
    except Violation as violation:
        raise Undecided("not judged, since the slices are not published") from violation

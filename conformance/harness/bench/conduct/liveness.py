"""What a driver answers to the probes of its Pod."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.errors import Undecided, Unsupported, Violation
from conformance.harness.kubeletside import probing
from conformance.harness.kubeletside.registration import Registration

#: A service that no driver has.
STRANGER = "dra-conformance.test"

#: The sockets of a driver, by what they are for.
SOCKETS = ("registration", "service")


def says(bench: Bench, service: str = "") -> str:
    """Return what the driver answers; raises ``Unsupported`` where it is not known where."""
    address = bench.driver.health_address
    if not address:
        raise Unsupported("the check probes the driver, and its port is not known here")
    return probing.probed(address, service, bench.world.note)


def exposed(bench: Bench) -> None:
    """Wait until a health service answers, whatever it says; raises ``Violation``."""

    def look() -> bool:
        said = says(bench)
        expect.that(
            said.startswith(probing.OF_A_HEALTH_SERVICE),
            "an answer of grpc.health.v1.Health",
            path=bench.driver.health_address,
            observed=said,
        )
        return True

    bench.registration()
    bench.world.until("a gRPC health service answers", look, bound="driver-recovers")


def served(bench: Bench) -> None:
    """Wait until the driver calls itself alive; raises ``Violation``."""

    def look() -> bool:
        expect.same(says(bench), probing.SERVING, path="HealthCheckResponse.status")
        return True

    bench.registration()
    bench.world.until("the driver answers its probe", look, bound="driver-recovers")


def alive(bench: Bench) -> Registration:
    """Stand on a driver that calls itself alive, or raise ``Undecided``."""
    try:
        served(bench)
    except Violation as violation:
        raise Undecided("not judged, since the driver does not call itself alive") from violation
    return bench.registration()


@contextlib.contextmanager
def without_socket(bench: Bench, which: str) -> Iterator[None]:
    """Have nobody find a socket of the driver for a while."""
    bench.driver.must_be_ours("takes a socket of the driver away")
    found = alive(bench)
    path = {"registration": found.socket, "service": Path(found.endpoint)}[which]
    aside = path.with_name(f".{path.name}.aside")
    path.rename(aside)
    try:
        yield
    finally:
        aside.rename(path)

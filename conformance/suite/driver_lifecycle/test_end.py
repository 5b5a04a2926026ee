"""How a driver ends when it is asked to."""

from __future__ import annotations

import pathlib

import pytest

from conformance.harness import expect
from conformance.harness.bench import cdi
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import lifecycle
from conformance.harness.subject.protocol import GRACE
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-DLC-04")
def test_the_driver_ends_in_time(bench: Bench) -> None:
    """SIGTERM is enough: a Pod is not killed for it."""
    lifecycle.started(bench)

    departure = bench.driver.terminate()

    expect.that(departure.in_time, f"an end within {GRACE:g} s", observed=bench.driver.story())


@pytest.mark.requirement("DRA-DLC-05")
def test_the_driver_ends_without_an_error(bench: Bench) -> None:
    """That it was asked to end is no failure."""
    lifecycle.started(bench)

    departure = bench.driver.terminate()

    expect.same(departure.code, 0, path="exit code", hint=bench.driver.story())


@pytest.mark.requirement("DRA-DLC-06")
def test_the_service_socket_goes_with_the_driver(bench: Bench) -> None:
    """After SIGTERM no socket is left on which nobody answers."""
    endpoint = pathlib.Path(lifecycle.started(bench).endpoint)

    bench.driver.terminate()

    expect.that(not endpoint.exists(), "no socket", path="PluginInfo.endpoint", observed=endpoint)


@pytest.mark.requirement("DRA-DLC-07")
def test_prepared_claims_outlive_the_driver(bench: Bench) -> None:
    """Containers that start again while the driver is away find their devices described."""
    answer = bench.prepared(bench.simple())
    before = cdi.standing(bench.folder.read(), answer)

    bench.driver.terminate()

    after = bench.folder.read().describing(cdi.ids_of(answer))
    bench.driver.start()
    expect.same([one.document for one in after], [one.document for one in before], path="CDI specs")

"""The stream when a device fails, and when it is well again."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import health
from conformance.harness.bench.conduct.health import Watch
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-DHL-05")
def test_a_failure_is_reported(bench: Bench, watch: Watch) -> None:
    """A device that fails is reported as unhealthy on the stream that is open."""
    device = health.healthy(watch)

    bench.driver.set_health(device.name, "Unhealthy", "on fire")

    expect.same(watch.shows(device, "Unhealthy").health, "Unhealthy", path="devices[].health")


@pytest.mark.requirement("DRA-DHL-06")
def test_a_recovery_is_reported(bench: Bench, watch: Watch) -> None:
    """A device that is well again is reported as healthy, without a restart of anything."""
    device = health.failed(bench, watch)

    bench.driver.set_health(device.name, "Healthy")

    expect.same(watch.shows(device, "Healthy").health, "Healthy", path="devices[].health")


@pytest.mark.requirement("DRA-DHL-10")
def test_a_failure_is_of_one_device(bench: Bench, watch: Watch) -> None:
    """Where one device fails, the others are as healthy as before."""
    before = watch.first()

    device = health.failed(bench, watch)

    others = [one for one in watch.newest().devices if one.name != device.name]
    changed = [one.name for one in others if one.health != health.state_in(before, one)]
    expect.same(changed, [], path="NodeWatchResourcesResponse.devices[].health")


@pytest.mark.requirement("DRA-DHL-11")
def test_a_failure_is_known_after_a_restart(bench: Bench) -> None:
    """The driver that was started again still reports what fails."""
    with health.watched(bench) as watch:
        device = health.failed(bench, watch)
    bench.restart("terminate")

    with health.watched(bench) as watch:
        shown = watch.shows(device, "Unhealthy")

    expect.same(shown.health, "Unhealthy", path="devices[].health")

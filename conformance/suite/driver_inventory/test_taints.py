"""A device fails and recovers, and the driver says so in its slices."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import hardware
from conformance.harness.target import NODE_ACCESS

pytestmark = [
    pytest.mark.needs(NODE_ACCESS),
    pytest.mark.driver(features=("taints",)),
    pytest.mark.variant(gates={"DRADeviceTaints": True}),
]


@pytest.mark.requirement("DRA-DIN-10")
def test_a_device_that_fails_is_not_offered_as_before(bench: Bench) -> None:
    """The scheduler gives nobody a device that fails."""
    (place,) = bench.devices(1)

    with hardware.failing(bench, place):
        hardware.unusable(bench, place)


@pytest.mark.requirement("DRA-DIN-11")
def test_a_recovered_device_is_offered_again(bench: Bench) -> None:
    """The taint goes with the failure, and nobody starts the driver again for that."""
    (place,) = bench.devices(1)
    before = hardware.described(bench)
    with hardware.failing(bench, place):
        hardware.marked(bench, place)

        bench.driver.set_health(place.device, "Healthy")

        hardware.as_before(bench, before)


@pytest.mark.requirement("DRA-DIN-12")
def test_a_taint_keeps_its_time(bench: Bench) -> None:
    """A taint is as old as it was when another device fails later."""
    first, second = bench.devices(2)
    with hardware.failing(bench, first, second):
        before = hardware.tainted(bench, first)
        hardware.next_second(bench)

        bench.driver.set_health(second.device, "Unhealthy", "on fire")
        hardware.marked(bench, second)

        after = hardware.tainted(bench, first)
    expect.same(after, before, path="spec.devices[].taints[].timeAdded")


@pytest.mark.requirement("DRA-DIN-13")
def test_other_devices_are_not_tainted(bench: Bench) -> None:
    """Where one device fails, the others are offered as before."""
    place, *_ = bench.devices(2)
    before = hardware.described(bench)

    with hardware.failing(bench, place):
        hardware.marked(bench, place)
        hardware.others_stay(bench, place, before)


@pytest.mark.requirement("DRA-DIN-14")
def test_a_failure_is_not_forgotten_in_a_restart(bench: Bench) -> None:
    """The driver that was started again does not offer what fails."""
    (place,) = bench.devices(1)
    with hardware.failing(bench, place):
        hardware.marked(bench, place)

        bench.restart("terminate")

        hardware.stays_unusable(bench, place)

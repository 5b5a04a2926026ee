"""A device goes away while the driver runs, and comes back."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import cdi
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import hardware
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-DIN-01")
def test_a_device_that_is_gone_is_withdrawn(bench: Bench) -> None:
    """A device that is gone is no longer offered, although a claim has it."""
    (place,) = bench.devices(1)
    bench.prepared(bench.claim("claim", place))

    with hardware.without(bench, place):
        hardware.withdrawn(bench, place)


@pytest.mark.requirement("DRA-DIN-02")
def test_the_last_device_that_is_gone_is_withdrawn(bench: Bench) -> None:
    """Where nothing is left nothing is offered."""
    everything = hardware.everything(bench)

    with hardware.without(bench, *everything):
        hardware.withdrawn(bench, *everything)


@pytest.mark.requirement("DRA-DIN-03")
def test_other_devices_stay_as_they_are(bench: Bench) -> None:
    """Nobody else's device has another name or other attributes afterwards."""
    place, *_ = bench.devices(2)
    before = hardware.described(bench)

    with hardware.without(bench, place):
        hardware.gone(bench, place)
        hardware.others_stay(bench, place, before)


@pytest.mark.requirement("DRA-DIN-04")
def test_the_pool_is_complete_without_the_device(bench: Bench) -> None:
    """Generation and number of the slices agree, and stay so."""
    (place,) = bench.devices(1)

    with hardware.without(bench, place):
        hardware.gone(bench, place)
        hardware.complete(bench)


@pytest.mark.requirement("DRA-DIN-05")
def test_a_claim_is_undone_without_its_device(bench: Bench) -> None:
    """A claim lets go of a device that is gone, and nothing is left."""
    before = bench.settled()
    (place,) = bench.devices(1)
    claim = bench.claim("claim", place)
    prepared = bench.prepared(claim)

    with hardware.without(bench, place):
        hardware.gone(bench, place)
        answer = bench.unprepare(claim)

    expect.same(answer.error, "", path="NodeUnprepareResourcesResponse.claims[].error")
    expect.same(bench.folder.read().left(before, claim, prepared), [], path="CDI specs")


@pytest.mark.requirement("DRA-DIN-06")
def test_a_device_that_is_gone_is_not_prepared(bench: Bench) -> None:
    """A claim that was allocated the device a moment before is answered by an error."""
    (place,) = bench.devices(1)
    claim = bench.claim("claim", place)

    with hardware.without(bench, place):
        hardware.gone(bench, place)
        error = bench.refusal(claim)

    expect.that(bool(error), "an error for a device that is gone", observed="it was prepared")


@pytest.mark.requirement("DRA-DIN-07")
def test_a_prepared_claim_stays_prepared(bench: Bench) -> None:
    """What containers were given is described until the claim is undone."""
    (place,) = bench.devices(1)
    answer = bench.prepared(bench.claim("claim", place))
    before = cdi.standing(bench.folder.read(), answer)

    with hardware.without(bench, place):
        hardware.gone(bench, place)
        after = bench.folder.read().describing(cdi.ids_of(answer))

    expect.same([one.document for one in after], [one.document for one in before], path="CDI specs")


@pytest.mark.requirement("DRA-DIN-08")
def test_a_device_that_comes_back_is_published_again(bench: Bench) -> None:
    """The device is what it was, and the driver was not started again for that."""
    (place,) = bench.devices(1)
    before = hardware.described(bench)
    with hardware.without(bench, place):
        hardware.gone(bench, place)

        bench.driver.bring_back(place.device)

        hardware.as_before(bench, before)


@pytest.mark.requirement("DRA-DIN-09")
def test_other_claims_are_served_meanwhile(bench: Bench) -> None:
    """That one device is gone is no reason to refuse claims with others."""
    place, other = bench.devices(2)
    claim = bench.claim("claim", other)

    with hardware.without(bench, place):
        hardware.gone(bench, place)
        error = bench.prepare(claim).error or bench.unprepare(claim).error

    expect.same(error, "", path="claims[].error")

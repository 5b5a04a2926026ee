"""How much of a shared device a claim consumes."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

CONSUMED = "status.allocation.devices.results[0].consumedCapacity"
RESULTS = "status.allocation.devices.results"


@pytest.mark.requirement("DRA-SHD-01")
def test_a_claim_that_asks_for_nothing_takes_the_default(flow: Any, shares: Any) -> None:
    """The policy's default is 3Gi."""
    flow.publish(shares.device(default="3Gi", validRange={"min": "1Gi"}))
    shares.take()

    expect.same(shares.taken(), {"memory": "3Gi"}, path=CONSUMED)


@pytest.mark.requirement("DRA-SHD-02")
def test_a_claim_that_asks_for_nothing_takes_all_without_a_policy(flow: Any, shares: Any) -> None:
    """The device has 10Gi, and says nothing of how they are shared."""
    flow.publish(shares.device())
    shares.take()

    expect.same(shares.taken(), {"memory": "10Gi"}, path=CONSUMED)


@pytest.mark.requirement("DRA-SHD-03")
def test_a_claim_takes_the_least_that_the_policy_allows(flow: Any, shares: Any) -> None:
    """1Gi is asked for, and 2Gi is the least that can be had."""
    flow.publish(shares.device(default="2Gi", validRange={"min": "2Gi"}))
    shares.take("1Gi")

    expect.same(shares.taken(), {"memory": "2Gi"}, path=CONSUMED)


@pytest.mark.requirement("DRA-SHD-04")
def test_a_claim_takes_whole_steps(flow: Any, shares: Any) -> None:
    """4Gi is asked for, and from 1Gi on there are steps of 2Gi."""
    flow.publish(shares.device(default="1Gi", validRange={"min": "1Gi", "step": "2Gi"}))
    shares.take("4Gi")

    expect.same(shares.taken(), {"memory": "5Gi"}, path=CONSUMED)


@pytest.mark.requirement("DRA-SHD-05")
def test_a_claim_takes_the_next_valid_value(flow: Any, shares: Any) -> None:
    """3Gi is asked for, and of 2Gi, 4Gi and 8Gi one can be had."""
    flow.publish(shares.device(default="2Gi", validValues=["2Gi", "4Gi", "8Gi"]))
    shares.take("3Gi")

    expect.same(shares.taken(), {"memory": "4Gi"}, path=CONSUMED)


@pytest.mark.requirement("DRA-SHD-06")
def test_a_claim_cannot_take_more_than_the_policy_allows(flow: Any, shares: Any) -> None:
    """7Gi is asked for; 10Gi are there, and 6Gi is the most that one claim may have."""
    flow.publish(shares.device(default="1Gi", validRange={"min": "1Gi", "max": "6Gi"}))
    shares.take("7Gi")

    shares.refused()


@pytest.mark.requirement("DRA-SHD-07")
def test_a_claim_cannot_take_more_than_the_greatest_valid_value(flow: Any, shares: Any) -> None:
    """5Gi is asked for; 10Gi are there, and 4Gi is the greatest value."""
    flow.publish(shares.device(default="2Gi", validValues=["2Gi", "4Gi"]))
    shares.take("5Gi")

    shares.refused()


@pytest.mark.requirement("DRA-SHD-08")
def test_a_device_without_the_capacity_is_passed_over(flow: Any, shares: Any) -> None:
    """The first device has memory and no cores."""
    cores = {"capacity": {"cores": {"value": "4"}}, "allowMultipleAllocations": True}
    flow.publish(shares.device("without"), {"name": "with", **cores})
    shares.take(cores="1")

    expect.same(flow.devices(), ["with"], path=RESULTS)


@pytest.mark.requirement("DRA-SHD-09")
def test_a_device_with_too_little_left_is_passed_over(flow: Any, shares: Any) -> None:
    """7Gi of the first device are in use, and 4Gi are asked for."""
    flow.publish(shares.device("first"), shares.device("second"))
    shares.take("7Gi", claim="holder")
    expect.same(flow.devices("holder"), ["first"], path=RESULTS)
    shares.take("4Gi")

    expect.same(flow.devices(), ["second"], path=RESULTS)


@pytest.mark.requirement("DRA-SHD-10")
def test_capacity_that_is_given_back_can_be_had_again(flow: Any, shares: Any) -> None:
    """The second Pod waits until the first one is gone."""
    flow.publish(shares.device())
    shares.take("7Gi", claim="holder")
    flow.devices("holder")
    shares.take("4Gi")
    flow.world.pods.unschedulable("claim")

    flow.world.pods.delete("holder", grace=0)

    flow.world.pods.scheduled("claim", bound="claim-deallocated")


@pytest.mark.requirement("DRA-SHD-11")
def test_every_capacity_of_a_device_counts(flow: Any, shares: Any) -> None:
    """Enough memory is left, and no cores are."""
    device = shares.device()
    device["capacity"]["cores"] = {"value": "4"}
    flow.publish(device)
    shares.take("2Gi", cores="4", claim="holder")
    flow.devices("holder")
    shares.take("2Gi", cores="1")

    shares.refused()


@pytest.mark.requirement("DRA-SHD-12")
def test_a_device_of_its_own_has_the_capacity_that_is_asked_for(flow: Any) -> None:
    """Neither device is shared; the first one has too little memory."""
    sizes = {"small": "4Gi", "large": "8Gi"}
    flow.publish(
        *({"name": name, "capacity": {"memory": {"value": of}}} for name, of in sizes.items())
    )
    flow.claim(flow.exactly(capacity={"requests": {"memory": "6Gi"}}))
    flow.pod()

    expect.same(flow.devices(), ["large"], path=RESULTS)


@pytest.mark.requirement("DRA-SHD-13")
def test_a_device_of_its_own_is_not_shared(flow: Any) -> None:
    """Half of the capacity is asked for each time; the device does not allow sharing."""
    flow.publish({"name": "device", "capacity": {"memory": {"value": "8Gi"}}})
    half = flow.exactly(capacity={"requests": {"memory": "4Gi"}})
    flow.claim(half, claim="holder")
    flow.pod("holder", claim="holder")
    flow.devices("holder")
    flow.claim(half)
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-SHD-14")
def test_requests_of_one_claim_share_a_device(flow: Any, shares: Any) -> None:
    """Each of the two requests takes a part of the only device."""
    flow.publish(shares.device())
    part = {"capacity": {"requests": {"memory": "4Gi"}}}
    flow.claim(flow.exactly(name="one", **part), flow.exactly(name="two", **part))
    flow.pod()

    expect.same(flow.devices(), ["shared", "shared"], path=RESULTS)


@pytest.mark.requirement("DRA-SHD-15")
def test_a_device_without_capacity_is_shared_without_limit(flow: Any) -> None:
    """Nothing of the device can be consumed: three claims have it at the same time."""
    flow.publish({"name": "endless", "allowMultipleAllocations": True})
    names = ("one", "two", "three")
    for name in names:
        flow.claim(claim=name)
        flow.pod(name, claim=name)

    given = [flow.devices(name) for name in names]

    expect.same(given, [["endless"]] * 3, path=RESULTS)


@pytest.mark.requirement("DRA-SHD-16")
def test_a_device_in_use_is_not_given_when_it_becomes_shared(flow: Any, shares: Any) -> None:
    """The driver lets claims share the device while one of them holds all of it."""
    device = {**shares.device(), "allowMultipleAllocations": False}
    published = flow.world.apply("workflow/slice", devices=[device], slice="slice", count=1)
    shares.take("7Gi", claim="holder")
    flow.devices("holder")
    path = "/spec/devices/0/allowMultipleAllocations"
    change = {"op": "replace", "path": path, "value": True}
    flow.world.patch(published.of("ResourceSlice"), [change])
    shares.take("2Gi")

    shares.refused()


@pytest.mark.requirement("DRA-SHD-26")
def test_a_device_with_shares_is_not_given_when_it_is_shared_no_longer(
    flow: Any, shares: Any
) -> None:
    """The driver wants one claim to have the whole device while another one holds a share."""
    published = flow.world.apply(
        "workflow/slice", devices=[shares.device()], slice="slice", count=1
    )
    shares.take("2Gi", claim="holder")
    flow.devices("holder")
    path = "/spec/devices/0/allowMultipleAllocations"
    change = {"op": "replace", "path": path, "value": False}
    flow.world.patch(published.of("ResourceSlice"), [change])
    shares.take()

    shares.refused()

"""How many devices a claim gets, and that it gets them all or none."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

RESULTS = "status.allocation.devices.results"


@pytest.mark.requirement("DRA-ALC-01")
@pytest.mark.parametrize("count", [2, 3, 8])
def test_a_request_gets_as_many_devices_as_it_counts(flow: Any, count: int) -> None:
    """Of nine devices so many are given, no one of them twice."""
    flow.publish(*(f"device-{number}" for number in range(9)))
    flow.claim(flow.exactly(count=count))
    flow.pod()

    given = flow.devices()

    expect.same(len(set(given)), count, path=f"different devices of {RESULTS}")
    expect.same(len(given), count, path=RESULTS)


@pytest.mark.requirement("DRA-ALC-02")
def test_two_requests_of_a_claim_get_two_devices(flow: Any) -> None:
    """Both requests match the same devices; each gets one of its own."""
    flow.publish("device-1", "device-2")
    flow.claim(flow.exactly(name="one"), flow.exactly(name="two"))
    flow.pod()

    expect.same(sorted(flow.devices()), ["device-1", "device-2"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-03")
@pytest.mark.parametrize(
    "counts", [pytest.param([3], id="one request"), pytest.param([1, 2], id="two requests")]
)
def test_a_claim_is_not_allocated_in_part(flow: Any, counts: list[int]) -> None:
    """Three devices are asked for and two are there: the claim gets none."""
    flow.publish("device-1", "device-2")
    flow.claim(*(flow.exactly(name=f"r{count}", count=count) for count in counts))
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-ALC-04")
def test_no_claim_of_a_pod_is_allocated_without_the_others(flow: Any) -> None:
    """For one of the two claims there is a device, for the other one there is none."""
    flow.publish("device-1")
    flow.claim(claim="first")
    flow.claim(claim="second")
    flow.pod_of("first", "second")

    flow.refused(claims=("first", "second"))


@pytest.mark.requirement("DRA-ALC-05")
def test_a_request_leaves_a_device_to_another_one_that_needs_it(flow: Any) -> None:
    """The first request takes any device, the second one that device alone which comes first."""
    flow.publish({"name": "needed", "attributes": {"rare": {"bool": True}}}, "other")
    rare = f'device.attributes["{flow.world.driver}"].?rare.orValue(false)'
    needs = flow.exactly(name="needs", selectors=[{"cel": {"expression": rare}}])
    flow.claim(flow.exactly(name="any"), needs)
    flow.pod()

    expect.same(flow.devices(), ["other", "needed"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-06")
def test_a_claim_leaves_a_device_to_another_claim_that_needs_it(flow: Any) -> None:
    """The first claim takes any device, the second one that device alone which comes first."""
    flow.publish({"name": "needed", "attributes": {"rare": {"bool": True}}}, "other")
    rare = f'device.attributes["{flow.world.driver}"].?rare.orValue(false)'
    flow.claim(claim="any")
    flow.claim(flow.selecting(rare), claim="needs")
    flow.pod_of("any", "needs")

    expect.same(flow.devices("any"), ["other"], path=RESULTS)
    expect.same(flow.devices("needs"), ["needed"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-07")
def test_all_devices_that_match_are_given(flow: Any) -> None:
    """Of four devices the three that the selector accepts are given."""
    sizes = {"one": "large", "two": "small", "three": "large", "four": "large"}
    flow.publish(
        *({"name": name, "attributes": {"size": {"string": of}}} for name, of in sizes.items())
    )
    large = f'device.attributes["{flow.world.driver}"].size == "large"'
    selectors = [{"cel": {"expression": large}}]
    flow.claim(flow.exactly(allocationMode="All", selectors=selectors))
    flow.pod()

    expect.same(sorted(flow.devices()), ["four", "one", "three"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-08")
def test_all_devices_are_not_given_while_one_is_in_use(flow: Any) -> None:
    """Another claim holds one of the two devices."""
    flow.publish("device-1", "device-2")
    flow.claim(claim="holder")
    flow.pod("holder", claim="holder")
    flow.devices("holder")
    flow.claim(flow.exactly(allocationMode="All"))
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-ALC-09")
def test_all_devices_of_none_are_not_given(flow: Any) -> None:
    """No device matches, and the claim is not allocated as one that needs nothing."""
    flow.publish("device-1")
    flow.claim(flow.exactly(allocationMode="All", selectors=[{"cel": {"expression": "false"}}]))
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-ALC-10")
def test_a_claim_can_hold_32_devices(flow: Any) -> None:
    """All devices are asked for, and there are 32."""
    flow.publish(*(f"device-{number}" for number in range(32)))
    flow.claim(flow.exactly(allocationMode="All"))
    flow.pod()

    expect.same(len(flow.devices()), 32, path=RESULTS)


@pytest.mark.requirement("DRA-ALC-11")
def test_a_claim_never_holds_more_than_32_devices(flow: Any) -> None:
    """All devices are asked for, and there are 33."""
    flow.publish(*(f"device-{number}" for number in range(33)))
    flow.claim(flow.exactly(allocationMode="All"))
    flow.pod()

    flow.refused()

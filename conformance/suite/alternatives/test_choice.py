"""Which of its alternatives a request gets."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

RESULTS = "status.allocation.devices.results"


@pytest.mark.requirement("DRA-ALT-01")
def test_a_claim_is_not_allocated_where_no_alternative_can_be(flow: Any, either: Any) -> None:
    """There is a device of neither kind."""
    flow.publish(either.device("device-1", "c"))
    flow.claim(either.request("a", "b"))
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-ALT-02")
def test_an_alternative_that_needs_more_than_there_is_is_passed_over(
    flow: Any, either: Any
) -> None:
    """Two devices of the first kind are wanted, and there is one; one of the second kind does."""
    flow.publish(either.device("a-1", "a"), either.device("b-1", "b"))
    flow.claim(either.request(either.of("a", count=2), "b"))
    flow.pod()

    expect.same(flow.devices(), ["b-1"], path=RESULTS)


@pytest.mark.requirement("DRA-ALT-03")
def test_an_alternative_can_want_all_devices(flow: Any, either: Any) -> None:
    """All devices of the first kind are three."""
    flow.publish(*(either.device(name, "a") for name in ("x", "y", "z")), either.device("b-1", "b"))
    flow.claim(either.request(either.of("a", allocationMode="All"), "b"))
    flow.pod()

    expect.same(sorted(flow.devices()), ["x", "y", "z"], path=RESULTS)


@pytest.mark.requirement("DRA-ALT-04")
def test_an_alternative_that_wants_all_of_none_is_passed_over(flow: Any, either: Any) -> None:
    """There is no device of the first kind."""
    flow.publish(either.device("b-1", "b"))
    flow.claim(either.request(either.of("a", allocationMode="All"), "b"))
    flow.pod()

    expect.same(flow.devices(), ["b-1"], path=RESULTS)


@pytest.mark.requirement("DRA-ALT-05")
def test_the_first_request_keeps_its_preference(flow: Any, either: Any) -> None:
    """Both requests prefer the only device of the first kind."""
    flow.publish(either.device("b-1", "b"), either.device("a-1", "a"))
    flow.claim(either.request("a", "b", name="one"), either.request("a", "b", name="two"))
    flow.pod()

    expect.same(flow.devices(), ["a-1", "b-1"], path=RESULTS)


@pytest.mark.requirement("DRA-ALT-06")
def test_a_request_gives_up_its_preference_for_one_that_has_no_choice(
    flow: Any, either: Any
) -> None:
    """The first request prefers what the second one needs."""
    flow.publish(either.device("a-1", "a"), either.device("b-1", "b"))
    flow.claim(either.request("a", "b", name="one"), either.request("a", name="two"))
    flow.pod()

    expect.same(flow.devices(), ["b-1", "a-1"], path=RESULTS)


@pytest.mark.requirement("DRA-ALT-07")
@pytest.mark.variant(gates={"DRADeviceTaints": True})
def test_an_alternative_is_given_what_it_tolerates(flow: Any, either: Any) -> None:
    """The device of the first kind is tainted, and so is that of the second, which tolerates it."""
    taint = {"key": "d.example/broken", "value": "yes", "effect": "NoSchedule"}
    devices = [either.device("a-1", "a"), either.device("b-1", "b")]
    flow.publish(*({**device, "taints": [taint]} for device in devices))
    tolerates = [{"key": "d.example/broken", "operator": "Exists"}]
    flow.claim(either.request("a", either.of("b", tolerations=tolerates)))
    flow.pod()

    expect.same(flow.devices(), ["b-1"], path=RESULTS)


@pytest.mark.requirement("DRA-ALT-08")
def test_an_alternative_that_would_be_too_much_is_passed_over(flow: Any, either: Any) -> None:
    """A claim holds 32 devices: beside 20 of them 20 more are too many, and one is not."""
    flow.publish(*(either.device(f"a-{number}", "a") for number in range(41)))
    many, one = either.of("a", count=20, name="many"), either.of("a", name="one")
    flow.claim(flow.exactly(count=20, name="first"), either.request(many, one))
    flow.pod()

    expect.same(len(flow.devices()), 21, path=RESULTS)


@pytest.mark.requirement("DRA-ALT-09")
def test_another_alternative_is_taken_where_a_constraint_wants_it(
    world: World, flow: Any, either: Any
) -> None:
    """The device of the preferred kind is on the other side than the device beside it."""
    side = f"{world.driver}/side"
    flow.publish(
        either.device("a-1", "a", side={"int": 1}),
        either.device("b-1", "b", side={"int": 2}),
        either.device("c-1", "c", side={"int": 2}),
    )
    requests = [either.request("a", "b"), either.request("c", name="beside")]
    flow.claim(*requests, constraints=[{"matchAttribute": side, "requests": ["device", "beside"]}])
    flow.pod()

    expect.same(flow.devices(), ["b-1", "c-1"], path=RESULTS)


@pytest.mark.requirement("DRA-ALT-10")
def test_a_constraint_of_one_alternative_leaves_others_alone(
    world: World, flow: Any, either: Any
) -> None:
    """The constraint names the second alternative; the first one, which is given, breaks it."""
    side = f"{world.driver}/side"
    flow.publish(
        either.device("a-1", "a", side={"int": 1}), either.device("c-1", "c", side={"int": 2})
    )
    named = ["device/b", "beside"]
    requests = [either.request("a", "b"), either.request("c", name="beside")]
    flow.claim(*requests, constraints=[{"matchAttribute": side, "requests": named}])
    flow.pod()

    expect.same(flow.devices(), ["a-1", "c-1"], path=RESULTS)

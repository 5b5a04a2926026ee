"""What the devices of a claim must have in common, and what must differ."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

RESULTS = "status.allocation.devices.results"


def having(name: str, value: Any, attribute: str = "side") -> dict[str, Any]:
    """Return a device with an attribute, or without it where there is no value."""
    return {"name": name, "attributes": {attribute: value}} if value else {"name": name}


@pytest.mark.requirement("DRA-ALC-23")
@pytest.mark.parametrize(
    ("here", "there"),
    [
        pytest.param({"string": "left"}, {"string": "right"}, id="strings"),
        pytest.param({"int": 1}, {"int": 2}, id="integers"),
        pytest.param({"bool": True}, {"bool": False}, id="booleans"),
        pytest.param({"version": "1.0.0"}, {"version": "1.0.1"}, id="versions"),
    ],
)
def test_devices_of_a_claim_have_the_same_value(
    flow: Any, here: dict[str, Any], there: dict[str, Any]
) -> None:
    """The first device is alone with its value: the two that share the other one are given."""
    flow.publish(having("alone", there), having("one", here), having("two", here))
    matching = {"matchAttribute": f"{flow.world.driver}/side"}
    flow.claim(flow.exactly(count=2), constraints=[matching])
    flow.pod()

    expect.same(sorted(flow.devices()), ["one", "two"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-24")
def test_a_device_without_the_attribute_is_not_given(flow: Any) -> None:
    """Even a single device must have the attribute that its claim is constrained by."""
    flow.publish("without", having("with", {"string": "left"}))
    flow.claim(constraints=[{"matchAttribute": f"{flow.world.driver}/side"}])
    flow.pod()

    expect.same(flow.devices(), ["with"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-25")
def test_a_constraint_counts_for_the_requests_that_it_names(flow: Any) -> None:
    """Two requests must agree; the third one, which the constraint does not name, need not."""
    left, right = {"string": "left"}, {"string": "right"}
    flow.publish(having("left", left), having("right", right), having("right-too", right))
    requests = [flow.exactly(name=name) for name in ("one", "two", "free")]
    matching = {"matchAttribute": f"{flow.world.driver}/side", "requests": ["one", "two"]}
    flow.claim(*requests, constraints=[matching])
    flow.pod()

    expect.same(flow.devices(), ["right", "right-too", "left"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-26")
def test_every_constraint_of_a_claim_counts(flow: Any) -> None:
    """Devices that agree in one attribute differ in the other one, but for the last pair."""
    rows = [("a", 1, 1), ("b", 1, 2), ("c", 2, 2), ("d", 2, 2)]
    flow.publish(
        *(
            {"name": name, "attributes": {"side": {"int": side}, "size": {"int": size}}}
            for name, side, size in rows
        )
    )
    both = [{"matchAttribute": f"{flow.world.driver}/{one}"} for one in ("side", "size")]
    flow.claim(flow.exactly(count=2), constraints=both)
    flow.pod()

    expect.same(sorted(flow.devices()), ["c", "d"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-27")
def test_all_devices_are_not_given_where_they_differ(flow: Any) -> None:
    """All devices of a claim must share a value that one of them does not have."""
    flow.publish(having("one", {"int": 1}), having("two", {"int": 1}), having("three", {"int": 2}))
    matching = {"matchAttribute": f"{flow.world.driver}/side"}
    flow.claim(flow.exactly(allocationMode="All"), constraints=[matching])
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-ALC-28")
def test_devices_of_a_claim_have_different_values(flow: Any) -> None:
    """The second device has the value of the first one: it is passed over."""
    sides = {"one": 1, "also-one": 1, "two": 2, "also-two": 2, "three": 3}
    flow.publish(*(having(name, {"int": side}) for name, side in sides.items()))
    apart = {"distinctAttribute": f"{flow.world.driver}/side"}
    flow.claim(flow.exactly(count=3), constraints=[apart])
    flow.pod()

    expect.same(flow.devices(), ["one", "two", "three"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-29")
def test_devices_that_do_not_differ_enough_are_not_given(flow: Any) -> None:
    """There are two values, and three devices that must differ are asked for."""
    sides = {"one": 1, "also-one": 1, "two": 2}
    flow.publish(*(having(name, {"int": side}) for name, side in sides.items()))
    apart = {"distinctAttribute": f"{flow.world.driver}/side"}
    flow.claim(flow.exactly(count=3), constraints=[apart])
    flow.pod()

    flow.refused()

"""What devices have in common, and what must differ, where their attributes are lists."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

RESULTS = "status.allocation.devices.results"

pytestmark = pytest.mark.variant(gates={"DRAListTypeAttributes": True})


def listing(name: str, **value: Any) -> dict[str, Any]:
    """Return a device with an attribute that is so."""
    return {"name": name, "attributes": {"side": value}}


@pytest.mark.requirement("DRA-ALC-37")
@pytest.mark.parametrize(
    ("kind", "first", "second", "third"),
    [
        pytest.param("strings", "left", "right", "top", id="strings"),
        pytest.param("ints", 1, 2, 3, id="integers"),
        pytest.param("versions", "1.0.0", "1.0.1", "2.0.0", id="versions"),
    ],
)
def test_devices_match_that_have_a_value_in_common(
    flow: Any, kind: str, first: Any, second: Any, third: Any
) -> None:
    """The first device has no value of the others, which have one in common."""
    one, two = {kind: [second, third]}, {kind: [third]}
    flow.publish(listing("alone", **{kind: [first]}), listing("one", **one), listing("two", **two))
    flow.claim(flow.exactly(count=2), constraints=[{"matchAttribute": f"{flow.world.driver}/side"}])
    flow.pod()

    expect.same(sorted(flow.devices()), ["one", "two"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-38")
def test_devices_that_match_in_pairs_alone_are_not_given(flow: Any) -> None:
    """Each two devices have a value in common, and no value is that of all three."""
    pairs = {"one": [1, 2], "two": [2, 3], "three": [3, 1]}
    flow.publish(*(listing(name, ints=values) for name, values in pairs.items()))
    flow.claim(flow.exactly(count=3), constraints=[{"matchAttribute": f"{flow.world.driver}/side"}])
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-ALC-39")
def test_a_value_matches_a_list_that_holds_it(flow: Any) -> None:
    """One device has a list and the other one a value; the first device has another value."""
    flow.publish(
        listing("alone", string="top"),
        listing("one", strings=["left", "right"]),
        listing("two", string="right"),
    )
    flow.claim(flow.exactly(count=2), constraints=[{"matchAttribute": f"{flow.world.driver}/side"}])
    flow.pod()

    expect.same(sorted(flow.devices()), ["one", "two"], path=RESULTS)


@pytest.mark.requirement("DRA-ALC-40")
def test_lists_with_a_value_in_common_are_not_distinct(flow: Any) -> None:
    """The device in the middle has a value in common with each of the others."""
    sides = {"one": [1, 2], "between": [2, 3], "three": [3, 4]}
    flow.publish(*(listing(name, ints=values) for name, values in sides.items()))
    flow.claim(
        flow.exactly(count=2), constraints=[{"distinctAttribute": f"{flow.world.driver}/side"}]
    )
    flow.pod()

    expect.same(sorted(flow.devices()), ["one", "three"], path=RESULTS)

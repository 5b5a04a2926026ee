"""Which of several devices that match is taken."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World


@pytest.mark.requirement("DRA-WF-08")
@pytest.mark.parametrize(
    ("expression", "first"),
    [
        pytest.param("true", "c-small", id="all match"),
        pytest.param('device.attributes["{driver}"].size == "large"', "b-large", id="some match"),
    ],
)
def test_the_first_device_that_matches_is_taken(
    world: World, flow: Any, expression: str, first: str
) -> None:
    """Devices are tried in the order in which the slice lists them, whatever their names."""
    flow.publish(
        *(
            {"name": name, "attributes": {"size": {"string": name.rpartition("-")[2]}}}
            for name in ("c-small", "b-large", "a-large")
        )
    )
    flow.claim(flow.selecting(expression.replace("{driver}", world.driver)))
    flow.pod()

    expect.same(flow.devices(), [first], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-WF-09")
def test_pools_are_tried_in_the_order_of_their_names(world: World, flow: Any) -> None:
    """The device of the pool whose name comes first is taken, whichever was created first."""
    for name in ("m", "z", "a"):
        flow.publish(f"of-{name}", slice=f"slice-{name}", pool=f"{world.pool}-{name}")
    flow.claim()
    flow.pod()

    expect.same(flow.devices(), ["of-a"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-WF-09")
def test_slices_of_a_pool_are_tried_in_the_order_of_their_names(world: World, flow: Any) -> None:
    """The device of the slice whose name comes first is taken, whichever was created first."""
    for name in ("m", "z", "a"):
        flow.publish(f"of-{name}", slice=f"slice-{name}", count=3)
    flow.claim()
    flow.pod()

    world.pods.scheduled("pod")
    expect.same(flow.devices(), ["of-a"], path="status.allocation.devices.results")

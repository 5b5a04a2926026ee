"""Devices that are tainted."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World


def tainted(name: str, effect: str = "NoSchedule") -> dict[str, Any]:
    """Return a device with a taint."""
    return {"name": name, "taints": [{"key": "d.example/broken", "value": "yes", "effect": effect}]}


@pytest.mark.requirement("DRA-FEA-05")
@pytest.mark.parametrize("effect", ["NoSchedule", "NoExecute"])
def test_a_tainted_device_is_not_allocated(world: World, flow: Any, effect: str) -> None:
    """The only device is tainted: the claim stays unallocated."""
    flow.publish(tainted("device-1", effect))
    flow.claim()
    flow.pod()

    world.pods.unschedulable("pod")

    world.claims.stays_unallocated("claim")


@pytest.mark.requirement("DRA-FEA-05")
@pytest.mark.parametrize(
    ("toleration", "chosen"),
    [
        pytest.param({"key": "d.example/broken", "operator": "Exists"}, "first", id="any value"),
        pytest.param({"key": "d.example/broken", "value": "yes"}, "first", id="its value"),
        pytest.param({"operator": "Exists"}, "first", id="everything"),
        pytest.param({"key": "d.example/broken", "value": "no"}, "second", id="another value"),
        pytest.param({"key": "d.example/other", "operator": "Exists"}, "second", id="another key"),
    ],
)
def test_a_request_that_tolerates_the_taint_gets_the_device(
    flow: Any, toleration: dict[str, Any], chosen: str
) -> None:
    """The tainted device stands first: it is taken where the taint is tolerated, and only there."""
    flow.publish(tainted("first"), "second")
    flow.claim(flow.exactly(tolerations=[{**toleration}]))
    flow.pod()

    expect.same(flow.devices(), [chosen], path="status.allocation.devices.results")

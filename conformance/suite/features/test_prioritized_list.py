"""Alternatives in order of preference."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World


def sized(size: str) -> dict[str, Any]:
    """Return a device of this size."""
    return {"name": size, "attributes": {"d.example/size": {"string": size}}}


def wanting(world: World, size: str) -> dict[str, Any]:
    """Return a subrequest for a device of this size, named after it."""
    expression = f'device.attributes["d.example"].size == "{size}"'
    selectors = [{"cel": {"expression": expression}}]
    return {"name": size, "deviceClassName": world.device_class, "selectors": selectors}


@pytest.mark.requirement("DRA-FEA-01")
@pytest.mark.parametrize(
    ("published", "chosen"),
    [
        pytest.param(["small", "medium", "large"], "large", id="all can be satisfied"),
        pytest.param(["small", "medium"], "medium", id="the first cannot"),
        pytest.param(["small"], "small", id="only the last can"),
    ],
)
def test_the_first_alternative_that_can_be_satisfied_is_taken(
    world: World, flow: Any, published: list[str], chosen: str
) -> None:
    """Large before medium before small, whatever the order of the devices is."""
    flow.publish(*map(sized, published))
    wanted = [wanting(world, size) for size in ("large", "medium", "small")]
    flow.claim({"name": "device", "firstAvailable": wanted})
    flow.pod()

    allocation = world.claims.allocated("claim")["status"]["allocation"]["devices"]

    expect.field(allocation, "results[0].device", chosen)
    expect.field(allocation, "results[0].request", f"device/{chosen}")

"""Which configuration comes with the alternative that was chosen."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

CONFIG = "status.allocation.devices.config"


def opaque(world: World, value: str, *requests: str) -> dict[str, Any]:
    """Return configuration for the world's driver, for some requests or all."""
    named = {"requests": list(requests)} if requests else {}
    return {"opaque": {"driver": world.driver, "parameters": {"set": value}}, **named}


def values(world: World) -> list[str]:
    """Return the value of each configuration of the allocated claim."""
    devices = world.claims.allocated("claim")["status"]["allocation"]["devices"]
    return [row["opaque"]["parameters"]["set"] for row in devices.get("config") or []]


@pytest.mark.requirement("DRA-ALT-11")
def test_the_configuration_of_the_chosen_alternative_is_handed_on(
    world: World, flow: Any, either: Any
) -> None:
    """Of the configuration for two alternatives and for the request that of the other is left."""
    flow.publish(either.device("b-1", "b"))
    config = [
        opaque(world, "for a", "device/a"),
        opaque(world, "for b", "device/b"),
        opaque(world, "for both", "device"),
    ]
    flow.claim(either.request("a", "b"), config=config)
    flow.pod()

    expect.same(values(world), ["for b", "for both"], path=CONFIG)


@pytest.mark.requirement("DRA-ALT-12")
def test_the_configuration_of_the_chosen_class_is_handed_on(
    world: World, flow: Any, either: Any
) -> None:
    """Each alternative is of a class of its own, and both classes are configured."""
    for kind in ("a", "b"):
        made = {"class": f"{world.device_class}-{kind}", "config": [opaque(world, kind)]}
        world.apply("allocation/configured_class", **made)
    flow.publish(either.device("b-1", "b"))
    rows = [either.of(kind, deviceClassName=f"{world.device_class}-{kind}") for kind in ("a", "b")]
    flow.claim(either.request(*rows))
    flow.pod()

    expect.same(values(world), ["b"], path=CONFIG)

"""Which configuration an allocation hands to the driver."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World
from conformance.kube.objects import name_of

CONFIG = "status.allocation.devices.config"


def opaque(world: World, value: str) -> dict[str, Any]:
    """Return configuration for the world's driver."""
    return {"opaque": {"driver": world.driver, "parameters": {"set": value}}}


def configured(world: World, value: str) -> dict[str, Any]:
    """Create a class of the world's devices with configuration."""
    values = {"class": f"{world.device_class}-configured", "config": [opaque(world, value)]}
    return world.apply("allocation/configured_class", **values).of("DeviceClass")


def allocated(world: World) -> list[tuple[Any, ...]]:
    """Return source, requests and value of each configuration of the allocated claim."""
    devices = world.claims.allocated("claim")["status"]["allocation"]["devices"]
    return [
        (row["source"], row.get("requests"), row["opaque"]["parameters"]["set"])
        for row in devices.get("config") or []
    ]


@pytest.mark.requirement("DRA-ALC-30")
def test_configuration_of_a_claim_names_its_requests(world: World, flow: Any) -> None:
    """One configuration is for two of three requests, and says so in the allocation."""
    flow.publish("device-1", "device-2", "device-3")
    requests = [flow.exactly(name=name) for name in ("one", "two", "three")]
    config = [{**opaque(world, "some"), "requests": ["one", "two"]}]
    flow.claim(*requests, config=config)
    flow.pod()

    expect.same(allocated(world), [("FromClaim", ["one", "two"], "some")], path=CONFIG)


@pytest.mark.requirement("DRA-ALC-31")
def test_configuration_of_the_class_comes_before_that_of_the_claim(world: World, flow: Any) -> None:
    """What comes later can override what comes first: the class's, then the claim's in order."""
    made = name_of(configured(world, "class"))
    flow.publish("device-1")
    request = {"name": "device", "exactly": {"deviceClassName": made}}
    flow.claim(request, config=[opaque(world, "first"), opaque(world, "second")])
    flow.pod()

    found = [(source, value) for source, _, value in allocated(world)]

    wanted = [("FromClass", "class"), ("FromClaim", "first"), ("FromClaim", "second")]
    expect.same(found, wanted, path=CONFIG)


@pytest.mark.requirement("DRA-ALC-32")
def test_configuration_of_a_class_names_the_requests_of_that_class(world: World, flow: Any) -> None:
    """Of two requests one is of the class that is configured."""
    made = name_of(configured(world, "class"))
    flow.publish("device-1", "device-2")
    other = {"name": "configured", "exactly": {"deviceClassName": made}}
    flow.claim(flow.exactly(name="plain"), other)
    flow.pod()

    expect.same(allocated(world), [("FromClass", ["configured"], "class")], path=CONFIG)


@pytest.mark.requirement("DRA-ALC-33")
def test_an_allocation_keeps_the_configuration_that_its_class_had(world: World, flow: Any) -> None:
    """The class is changed after the allocation: the claim's configuration stays as it was."""
    device_class = configured(world, "before")
    flow.publish("device-1")
    flow.claim({"name": "device", "exactly": {"deviceClassName": name_of(device_class)}})
    flow.pod()
    before = allocated(world)

    replace = {"op": "replace", "path": "/spec/config", "value": [opaque(world, "after")]}
    world.patch(device_class, [replace])

    expect.same(before, [("FromClass", None, "before")], path=CONFIG)
    world.claims.stays_allocated("claim", for_="claim-refused")

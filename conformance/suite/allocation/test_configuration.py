"""Which configuration an allocation hands to the driver."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World
from conformance.kube.objects import name_of

CONFIG = "status.allocation.devices.config"


@pytest.mark.requirement("DRA-ALC-30")
def test_configuration_of_a_claim_names_its_requests(flow: Any) -> None:
    """One configuration is for two of three requests, and says so in the allocation."""
    flow.publish("device-1", "device-2", "device-3")
    requests = [flow.exactly(name=name) for name in ("one", "two", "three")]
    config = [flow.opaque("some", "one", "two")]
    flow.claim(*requests, config=config)
    flow.pod()

    expect.same(flow.configuration(), [("FromClaim", ["one", "two"], "some")], path=CONFIG)


@pytest.mark.requirement("DRA-ALC-31")
def test_configuration_of_the_class_comes_before_that_of_the_claim(flow: Any) -> None:
    """What comes later can override what comes first: the class's, then the claim's in order."""
    made = name_of(flow.configured_class("class"))
    flow.publish("device-1")
    request = {"name": "device", "exactly": {"deviceClassName": made}}
    flow.claim(request, config=[flow.opaque("first"), flow.opaque("second")])
    flow.pod()

    found = [(source, value) for source, _, value in flow.configuration()]

    wanted = [("FromClass", "class"), ("FromClaim", "first"), ("FromClaim", "second")]
    expect.same(found, wanted, path=CONFIG)


@pytest.mark.requirement("DRA-ALC-32")
def test_configuration_of_a_class_names_the_requests_of_that_class(flow: Any) -> None:
    """Of two requests one is of the class that is configured."""
    made = name_of(flow.configured_class("class"))
    flow.publish("device-1", "device-2")
    other = {"name": "configured", "exactly": {"deviceClassName": made}}
    flow.claim(flow.exactly(name="plain"), other)
    flow.pod()

    expect.same(flow.configuration(), [("FromClass", ["configured"], "class")], path=CONFIG)


@pytest.mark.requirement("DRA-ALC-33")
def test_an_allocation_keeps_the_configuration_that_its_class_had(world: World, flow: Any) -> None:
    """The class is changed after the allocation: the claim's configuration stays as it was."""
    device_class = flow.configured_class("before")
    flow.publish("device-1")
    flow.claim({"name": "device", "exactly": {"deviceClassName": name_of(device_class)}})
    flow.pod()
    before = flow.configuration()

    replace = {"op": "replace", "path": "/spec/config", "value": [flow.opaque("after")]}
    world.patch(device_class, [replace])

    expect.same(before, [("FromClass", None, "before")], path=CONFIG)
    world.claims.stays_allocated("claim", for_="claim-refused")

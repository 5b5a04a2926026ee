"""Which configuration comes with the alternative that was chosen."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

CONFIG = "status.allocation.devices.config"


@pytest.mark.requirement("DRA-ALT-11")
def test_the_configuration_of_the_chosen_alternative_is_handed_on(flow: Any, either: Any) -> None:
    """Of the configuration for two alternatives and for the request that of the other is left."""
    flow.publish(either.device("b-1", "b"))
    config = [
        flow.opaque("for a", "device/a"),
        flow.opaque("for b", "device/b"),
        flow.opaque("for both", "device"),
    ]
    flow.claim(either.request("a", "b"), config=config)
    flow.pod()

    values = [value for _, _, value in flow.configuration()]
    expect.same(values, ["for b", "for both"], path=CONFIG)


@pytest.mark.requirement("DRA-ALT-12")
def test_the_configuration_of_the_chosen_class_is_handed_on(
    world: World, flow: Any, either: Any
) -> None:
    """Each alternative is of a class of its own, and both classes are configured."""
    for kind in ("a", "b"):
        flow.configured_class(kind, kind)
    flow.publish(either.device("b-1", "b"))
    rows = [either.of(kind, deviceClassName=f"{world.device_class}-{kind}") for kind in ("a", "b")]
    flow.claim(either.request(*rows))
    flow.pod()

    values = [value for _, _, value in flow.configuration()]
    expect.same(values, ["b"], path=CONFIG)

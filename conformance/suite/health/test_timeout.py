"""A device of which nothing is heard turns Unknown, each at its own time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.harness.observe import health
from conformance.harness.target import NODE_ACCESS
from conformance.harness.world import World

pytestmark = pytest.mark.needs(NODE_ACCESS)

Start = Callable[..., dict[str, object]]
Say = Callable[..., None]


@pytest.mark.requirement("DRA-HLT-07")
def test_silence_for_the_default_timeout_makes_unknown(
    world: World, start_pod: Start, say: Say
) -> None:
    """The health is kept for less than 30 s of silence, and is Unknown after that."""
    start_pod()
    say("device-1", "Healthy")
    health.await_health(world, "pod", "device-1", health="Healthy")

    health.keeps_health(world, "pod", "device-1", "Healthy", for_="health-kept-default")

    health.await_health(world, "pod", "device-1", health="Unknown", bound="health-timeout-default")


@pytest.mark.requirement("DRA-HLT-08")
def test_a_longer_timeout_of_the_device_is_obeyed(world: World, start_pod: Start, say: Say) -> None:
    """A device with a timeout of 150 s keeps its health beyond the default, and not for ever."""
    start_pod()
    say("device-1", "Unhealthy", timeout_seconds=150)
    health.await_health(world, "pod", "device-1", health="Unhealthy")

    health.keeps_health(world, "pod", "device-1", "Unhealthy", for_="health-kept-configured")

    health.await_health(
        world, "pod", "device-1", health="Unknown", bound="health-timeout-configured"
    )


@pytest.mark.requirement("DRA-HLT-09")
def test_two_devices_turn_unknown_each_at_its_own_time(
    world: World, start_pod: Start, say: Say
) -> None:
    """Of two devices that fall silent together, the one with the shorter timeout is first."""
    start_pod("one", claim="first")
    start_pod("two", claim="second")
    say("device-1", "Healthy", timeout_seconds=5)
    say("device-2", "Healthy", timeout_seconds=150)
    health.await_health(world, "two", "device-2", health="Healthy")

    health.await_health(world, "one", "device-1", health="Unknown", bound="health-timeout-default")
    health.await_health(world, "two", "device-2", health="Healthy")

    health.await_health(
        world, "two", "device-2", health="Unknown", bound="health-timeout-configured"
    )

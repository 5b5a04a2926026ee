"""The driver double and a Pod that uses a device of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from conformance.harness.nodeplugin.attach import attached, reachable_node
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.nodeplugin.health import DeviceHealth, HealthService
from conformance.harness.world import World

#: Starts a Pod that uses a claim, and waits until it runs.
StartPod = Callable[..., dict[str, Any]]


@pytest.fixture
def double(world: World) -> Iterator[DriverDouble]:
    """Run a driver double with the health service, known to the kubelet, with its slices."""
    with attached(world) as running:
        world.apply("health/two_devices", node=reachable_node(world).name)
        yield running


@pytest.fixture
def stream(double: DriverDouble) -> HealthService:
    """Return the double's health service."""
    assert double.health is not None
    return double.health


@pytest.fixture
def start_pod(world: World) -> StartPod:
    """Return what starts a Pod with one claim and waits until it runs."""

    def start(
        pod: str = "pod", *, claim: str = "first", use: dict[str, str] | None = None
    ) -> dict[str, Any]:
        world.apply("health/pod", pod=pod, claim=claim, use=use or {"name": "device"})
        return world.pods.running(pod)

    return start


@pytest.fixture
def say(world: World, stream: HealthService) -> Callable[..., None]:
    """Return what reports the health of one device of the double."""

    def report(device: str, health: str, **fields: Any) -> None:
        world.until("the kubelet listens", stream.streams, bound="health-update")
        stream.report(DeviceHealth(pool=world.pool, device=device, health=health, **fields))

    return report

"""The kubelet listens to the drivers that have a health service, and does without elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.attach import attached, reachable_node
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.nodeplugin.health import DeviceHealth, HealthService
from conformance.harness.observe import health
from conformance.harness.pods import PODS
from conformance.harness.target import NODE_ACCESS, RESTART_KUBELET
from conformance.harness.world import World

pytestmark = pytest.mark.needs(NODE_ACCESS)

Start = Callable[..., dict[str, object]]
Say = Callable[..., None]

WATCH = "NodeWatchResources"


@pytest.mark.requirement("DRA-HLT-02a")
def test_one_stream_stays_open(world: World, double: DriverDouble, stream: HealthService) -> None:
    """The kubelet opens one stream to the driver and keeps it."""
    world.until("the kubelet listens", stream.streams, bound="health-update")

    world.stays("one stream is open", lambda: stream.streams() == 1, for_="stays")

    expect.same(len(double.calls.of(WATCH)), 1, path="NodeWatchResources calls")


@pytest.mark.requirement("DRA-HLT-02b")
def test_a_driver_without_the_service_is_served(world: World, start_pod: Start) -> None:
    """A driver that has no health service has its claims prepared as before."""
    with attached(world, health_version=None) as plain:
        world.apply("health/two_devices", node=reachable_node(world).name)

        start_pod()

        expect.same(len(plain.calls.of("NodePrepareResources")), 1, path="prepare calls")


@pytest.mark.requirement("DRA-HLT-15")
def test_v1alpha1_of_the_service_is_enough(world: World, start_pod: Start) -> None:
    """A driver that speaks only v1alpha1 of the health service is listened to."""
    with attached(world, health_version="v1alpha1") as old:
        world.apply("health/two_devices", node=reachable_node(world).name)
        assert old.health is not None
        start_pod()
        world.until("the kubelet listens", old.health.streams, bound="health-update")

        old.health.report(DeviceHealth(pool=world.pool, device="device-1", health="Unhealthy"))

        health.await_health(world, "pod", "device-1", health="Unhealthy")
        expect.same(old.calls.of(WATCH)[0].version, "health/v1alpha1", path="service version")


@pytest.mark.requirement("DRA-HLT-10a")
def test_every_pod_that_shares_the_device_is_updated(
    world: World, start_pod: Start, say: Say
) -> None:
    """A change of one device shows in each of the Pods that share its claim."""
    start_pod("one", claim="first")
    start_pod("two", claim="first")

    say("device-1", "Unhealthy")

    health.await_health(world, "one", "device-1", health="Unhealthy")
    health.await_health(world, "two", "device-1", health="Unhealthy")


@pytest.mark.requirement("DRA-HLT-10b")
def test_other_pods_are_left_alone(world: World, start_pod: Start, say: Say) -> None:
    """A change of one device leaves what other Pods show, also when their status is written."""
    start_pod("one", claim="first")
    start_pod("two", claim="second")
    say("device-2", "Healthy", timeout_seconds=600)
    health.await_health(world, "two", "device-2", health="Healthy")

    say("device-1", "Unhealthy")

    health.await_health(world, "one", "device-1", health="Unhealthy")
    world.api.patch(PODS, "two", {"metadata": {"labels": {"touched": "yes"}}}, world.namespace)
    health.keeps_health(world, "two", "device-2", "Healthy", for_="stays")


@pytest.mark.requirement("DRA-HLT-11")
@pytest.mark.needs(RESTART_KUBELET)
def test_known_health_survives_a_restart_of_the_kubelet(
    world: World, start_pod: Start, stream: HealthService, say: Say
) -> None:
    """The health that was known is shown after a restart, though the driver says nothing new."""
    start_pod()
    say("device-1", "Unhealthy", timeout_seconds=3600)
    health.await_health(world, "pod", "device-1", health="Unhealthy")
    stream.forget()

    world.cluster.restart_kubelet(reachable_node(world).name)

    health.keeps_health(world, "pod", "device-1", "Unhealthy", for_="stays")


@pytest.mark.requirement("DRA-HLT-13")
@pytest.mark.variant(gates={"ResourceHealthStatus": False})
def test_without_the_gate_the_field_is_absent(world: World, start_pod: Start) -> None:
    """With ResourceHealthStatus off no container status has allocatedResourcesStatus."""
    with attached(world) as listening:
        world.apply("health/two_devices", node=reachable_node(world).name)
        assert listening.health is not None

        start_pod()
        listening.health.report(DeviceHealth(pool=world.pool, device="device-1", health="Healthy"))

        world.stays(
            "the Pod shows no health",
            lambda: expect.same(health.entries(world.pods.get("pod")), [], path="status") == [],
            for_="stays",
        )

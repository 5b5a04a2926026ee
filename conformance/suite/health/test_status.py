"""The health of a device appears in the status of the container that uses it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.observe import health
from conformance.harness.pods import PODS
from conformance.harness.subject.life import Life
from conformance.harness.target import NODE_ACCESS
from conformance.harness.world import World

pytestmark = pytest.mark.needs(NODE_ACCESS)

Start = Callable[..., dict[str, object]]
Say = Callable[..., None]


@pytest.mark.requirement("DRA-HLT-03")
@pytest.mark.parametrize(
    "reports",
    [
        pytest.param(["Healthy"], id="healthy"),
        pytest.param(["Unhealthy"], id="unhealthy"),
        pytest.param(["Healthy", "Unknown"], id="unknown after healthy"),
    ],
)
def test_each_state_is_shown_as_the_driver_reports_it(
    world: World, start_pod: Start, say: Say, reports: list[str]
) -> None:
    """The status of the container shows the health that the driver reports."""
    start_pod()

    shown = [shown_after(world, say, report) for report in reports]

    expect.same(shown, reports, path="health")


def shown_after(world: World, say: Say, report: str) -> str:
    """Report the health of the device, and return what the Pod then shows."""
    say("device-1", report, timeout_seconds=600)
    return health.await_health(world, "pod", "device-1", health=report)["health"]


@pytest.mark.requirement("DRA-HLT-04")
def test_each_container_shows_the_devices_that_it_uses(
    world: World, double: DriverDouble, say: Say
) -> None:
    """Of two containers with a device each, each status shows its own device and no other."""
    world.apply("health/two_containers")
    world.pods.running("pod")

    say("device-1", "Healthy")
    say("device-2", "Healthy")

    health.await_health(world, "pod", "device-1", container="first", health="Healthy")
    health.await_health(world, "pod", "device-2", container="second", health="Healthy")
    pod = world.pods.get("pod")
    shown = [len(health.resources(pod, container)) for container in ("first", "second")]
    expect.same(shown, [1, 1], path="allocatedResourcesStatus[].resources of each container")


@pytest.mark.requirement("DRA-HLT-12")
def test_recovery_is_shown(world: World, start_pod: Start, say: Say) -> None:
    """A device that was Unhealthy is shown as Healthy again once it has recovered."""
    start_pod()
    say("device-1", "Unhealthy", message="too hot")
    health.await_health(world, "pod", "device-1", health="Unhealthy")

    say("device-1", "Healthy")

    health.await_health(world, "pod", "device-1", health="Healthy", message=None)


@pytest.mark.requirement("DRA-HLT-06")
@pytest.mark.parametrize(
    "message",
    [
        pytest.param("ECC errors: 17", id="a short message"),
        pytest.param("température élevée ✗", id="a message outside ASCII"),
    ],
)
def test_a_message_rides_on_the_health(
    world: World, start_pod: Start, say: Say, message: str
) -> None:
    """The driver's message stands beside the health, and a new message replaces it."""
    start_pod()
    say("device-1", "Unhealthy", message="first")
    health.await_health(world, "pod", "device-1", health="Unhealthy", message="first")

    say("device-1", "Unhealthy", message=message)

    health.await_health(world, "pod", "device-1", health="Unhealthy", message=message)


@pytest.mark.requirement("DRA-HLT-05a")
@pytest.mark.parametrize(
    ("use", "name"),
    [
        pytest.param({"name": "device"}, "claim:device", id="the whole claim"),
        pytest.param(
            {"name": "device", "request": "device"}, "claim:device/device", id="one request"
        ),
    ],
)
def test_the_entry_is_named_after_the_claim_of_the_pod(
    world: World, start_pod: Start, say: Say, use: dict[str, str], name: str
) -> None:
    """The entry's name is claim: and the name in pod.spec.resourceClaims, with the request."""
    start_pod(use=use)
    say("device-1", "Healthy")

    health.await_health(world, "pod", "device-1", health="Healthy")

    names = [entry["name"] for entry in health.entries(world.pods.get("pod"))]
    expect.same(names, [name], path="allocatedResourcesStatus[].name")


@pytest.mark.requirement("DRA-HLT-05b")
def test_the_resource_id_is_that_of_the_device(
    world: World, start_pod: Start, say: Say, double: DriverDouble
) -> None:
    """The id is the CDI device id that the driver gave the device when it prepared it."""
    start_pod()
    say("device-1", "Healthy")

    shown = health.await_health(world, "pod", "device-1", health="Healthy")

    claim = world.claims.get("first")
    wanted = double.cdi_id(claim, claim["status"]["allocation"]["devices"]["results"][0])
    expect.same(shown["resourceID"], wanted, path="resources[].resourceID")


@pytest.mark.requirement("DRA-HLT-22")
def test_the_status_example_of_the_document_is_accepted(world: World) -> None:
    """The document's example of allocatedResourcesStatus is stored as it is written."""
    pod = world.apply("health/status_example").of("Pod")
    entry = {
        "name": "claim:my-gpu-claim",
        "resources": [{"resourceID": "example.com/gpu-a1b2-c3d4", "health": "Unhealthy"}],
    }
    status = {
        "name": "my-gpu-intensive-container",
        "image": "",
        "imageID": "",
        "ready": False,
        "restartCount": 0,
        "allocatedResourcesStatus": [entry],
    }

    world.api.patch(
        PODS,
        pod["metadata"]["name"],
        {"status": {"containerStatuses": [status]}},
        world.namespace,
        subresource="status",
    )

    found = health.entries(world.pods.get("pod"), "my-gpu-intensive-container")
    expect.same(found, [entry], path="status.containerStatuses[0].allocatedResourcesStatus")


@pytest.mark.requirement("DRA-HLT-16")
@pytest.mark.driver(features=("health",))
def test_a_driver_reports_that_an_allocated_device_failed(
    world: World, life: Life, start_pod: Start
) -> None:
    """A device that fails while a Pod uses it is shown as Unhealthy in the Pod's status."""
    life.ready()
    world.apply("health/judged_driver", device_class=life.driver.device_class)
    start_pod(claim="judged")
    (result,) = world.claims.get("judged")["status"]["allocation"]["devices"]["results"]

    life.driver.set_health(result["device"], "Unhealthy", "broken by the suite")

    health.await_health(world, "pod", "", health="Unhealthy")

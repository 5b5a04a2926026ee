"""The health of a device appears in the status of the container that uses it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.harness import expect
from conformance.harness.observe import health
from conformance.harness.pods import PODS
from conformance.harness.target import NODE_ACCESS
from conformance.harness.world import World

pytestmark = pytest.mark.needs(NODE_ACCESS)

Start = Callable[..., dict[str, object]]
Say = Callable[..., None]


@pytest.mark.requirement("DRA-HLT-03", "DRA-HLT-04")
@pytest.mark.parametrize("reported", ["Healthy", "Unhealthy", "Unknown"])
def test_each_state_is_shown_as_the_driver_reports_it(
    world: World, start_pod: Start, say: Say, reported: str
) -> None:
    """The status of the container shows the health that the driver reports."""
    start_pod()
    say("device-1", "Healthy" if reported != "Healthy" else "Unhealthy")
    health.await_health(
        world, "pod", "device-1", health="Healthy" if reported != "Healthy" else "Unhealthy"
    )

    say("device-1", reported)

    health.await_health(world, "pod", "device-1", health=reported)


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
def test_the_resource_id_tells_devices_apart(world: World, start_pod: Start, say: Say) -> None:
    """Two devices have two resource ids, each that of its own device."""
    start_pod("one", claim="first")
    start_pod("two", claim="second")
    say("device-1", "Unhealthy")
    say("device-2", "Healthy")

    first = health.await_health(world, "one", "device-1", health="Unhealthy")
    second = health.await_health(world, "two", "device-2", health="Healthy")

    expect.that(first["resourceID"] != second["resourceID"], "ids that differ", observed=first)


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

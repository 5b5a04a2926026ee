"""What happens to Pods with claims while their driver is down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

pytestmark = pytest.mark.needs(KUBELET, NODE_ACCESS)


@pytest.fixture
def double(served: DriverDouble) -> Iterator[DriverDouble]:
    """Run the driver; it is back, if it was down, before its Pods go."""
    yield served
    served.stop()
    served.start()


def container(world: World, pod: str) -> dict[str, Any]:
    """Return the status of the one container of a Pod."""
    return expect.present(world.pods.get(pod), "status.containerStatuses[0]")


@pytest.mark.requirement("DRA-ADM-04a")
def test_a_pod_whose_claim_is_not_prepared_waits(
    world: World, double: DriverDouble, flow: Any
) -> None:
    """Nothing of the Pod starts while the driver is down; once it is back, the Pod runs."""
    double.stop()
    flow.pod()
    world.claims.allocated("claim")
    world.pods.stays_pending("pod", for_="driver-away")

    double.start()

    world.pods.running("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-ADM-05a")
def test_a_pod_is_not_over_before_its_claim_is_unprepared(
    world: World, double: DriverDouble, flow: Any
) -> None:
    """A deleted Pod stays while the driver is down; once it is back, the Pod goes."""
    flow.pod()
    world.pods.running("pod")
    double.stop()
    world.pods.delete("pod", grace=1)

    world.pods.stays_unfinished("pod", for_="driver-away")

    double.start()
    world.pods.gone("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-ADM-05b")
def test_a_device_that_is_not_unprepared_is_not_used_again(
    world: World, double: DriverDouble, flow: Any
) -> None:
    """While the driver is down, the device of a deleted Pod is given to no other claim."""
    flow.pod()
    world.pods.running("pod")
    double.stop()
    world.pods.delete("pod", grace=1)

    flow.claim(claim="second")
    flow.pod("second", claim="second")

    world.claims.stays_unallocated("second", for_="driver-away")


@pytest.mark.requirement("DRA-ADM-06")
def test_a_running_pod_keeps_running(world: World, double: DriverDouble, flow: Any) -> None:
    """The container that runs when the driver goes down is the one that runs later."""
    flow.pod()
    world.pods.running("pod")
    before = container(world, "pod")["containerID"]

    double.stop()

    world.stays(
        "the container runs",
        lambda: expect.present(
            expect.field(container(world, "pod"), "containerID", before), "state.running"
        ),
        for_="driver-away-for-good",
    )


@pytest.mark.requirement("DRA-ADM-04b")
def test_a_container_with_a_prepared_claim_starts_again(world: World, double: DriverDouble) -> None:
    """What ends while the driver is down is started again, and has its device."""
    world.apply("admin/restarting_pod", pod="pod", claim="claim")
    world.pods.running("pod")
    double.stop()
    before = container(world, "pod")["restartCount"]

    def restarted() -> bool:
        status = container(world, "pod")
        expect.present(status, "state.running")
        return status["restartCount"] > before

    world.until("the container is started again", restarted, bound="kubelet-retry")

"""The kubelet does not start a Pod whose claims are not ready, and starts it once they are."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.claims import NO_DEVICES, STRANGERS
from conformance.harness.target import KUBELET
from conformance.harness.world import World

pytestmark = pytest.mark.needs(KUBELET)

#: Seconds in which the kubelet has surely looked at the Pod for the first time.
A_WHILE = 5


@pytest.mark.requirement("DRA-PRE-02")
def test_a_pod_waits_for_a_claim_that_does_not_exist(world: World) -> None:
    """No container starts while the claim is missing."""
    world.apply("prescheduled/waiting_pod", node=world.running_node())

    world.pods.stays_pending("pod")


@pytest.mark.requirement("DRA-PRE-03")
def test_a_pod_waits_for_a_claim_that_is_not_allocated(world: World) -> None:
    """No container starts while the claim is there but not allocated."""
    world.apply("prescheduled/claim")
    world.apply("prescheduled/waiting_pod", node=world.running_node())

    world.pods.stays_pending("pod")


@pytest.mark.requirement("DRA-PRE-04")
def test_a_pod_waits_for_a_claim_that_is_not_reserved_for_it(world: World) -> None:
    """No container starts while the claim is allocated and reserved for others alone."""
    world.apply("prescheduled/claim")
    world.claims.write_status("claim", allocation=NO_DEVICES, reservedFor=STRANGERS)
    world.apply("prescheduled/waiting_pod", node=world.running_node())

    world.pods.stays_pending("pod")


@pytest.mark.requirement("DRA-PRE-05")
def test_a_waiting_pod_starts_when_its_claim_appears(world: World) -> None:
    """A Pod that waited for a missing claim runs once the claim is there and reserved."""
    waiting = world.apply("prescheduled/waiting_pod", node=world.running_node()).of("Pod")
    world.patience.elapse(A_WHILE)

    world.apply("prescheduled/claim")
    world.claims.write_status("claim", allocation=NO_DEVICES, reservedFor=[_consumer(waiting)])

    running = world.pods.running("pod", bound="kubelet-retry")
    expect.field(running, "metadata.uid", waiting["metadata"]["uid"])


@pytest.mark.requirement("DRA-PRE-05")
def test_a_waiting_pod_starts_when_its_claim_is_allocated(world: World) -> None:
    """A Pod that waited for an allocation runs once the claim is allocated and reserved."""
    world.apply("prescheduled/claim")
    waiting = world.apply("prescheduled/waiting_pod", node=world.running_node()).of("Pod")
    world.patience.elapse(A_WHILE)

    world.claims.write_status("claim", allocation=NO_DEVICES, reservedFor=[_consumer(waiting)])

    running = world.pods.running("pod", bound="kubelet-retry")
    expect.field(running, "metadata.uid", waiting["metadata"]["uid"])


@pytest.mark.requirement("DRA-PRE-05")
def test_a_waiting_pod_starts_when_its_claim_is_reserved(world: World) -> None:
    """A Pod that waited for a reservation runs once the claim is reserved for it."""
    world.apply("prescheduled/claim")
    world.claims.write_status("claim", allocation=NO_DEVICES, reservedFor=STRANGERS)
    waiting = world.apply("prescheduled/waiting_pod", node=world.running_node()).of("Pod")
    world.patience.elapse(A_WHILE)

    world.claims.write_status("claim", reservedFor=[_consumer(waiting)])

    running = world.pods.running("pod", bound="kubelet-retry")
    expect.field(running, "metadata.uid", waiting["metadata"]["uid"])


def _consumer(pod: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return the entry that reserves a claim for a Pod."""
    metadata = pod["metadata"]
    return {"resource": "pods", "name": metadata["name"], "uid": metadata["uid"]}

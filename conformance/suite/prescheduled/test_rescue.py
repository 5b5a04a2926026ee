"""kube-controller-manager reserves what is allocated for a Pod on a node; it never allocates."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.world import World


@pytest.mark.requirement("DRA-PRE-06")
def test_an_allocated_claim_is_reserved_for_a_prescheduled_pod(world: World) -> None:
    """A claim that was allocated for another Pod is reserved for the Pod on a node as well."""
    world.apply("prescheduled/scheduled_pod")
    first = world.pods.scheduled("first")

    second = world.apply("prescheduled/waiting_pod", node=first["spec"]["nodeName"]).of("Pod")

    world.claims.reserved("claim", second)
    world.claims.reserved("claim", first)


@pytest.mark.requirement("DRA-PRE-11")
def test_an_allocated_claim_is_reserved_for_a_pod_of_an_unaware_scheduler(world: World) -> None:
    """A Pod that was bound without regard to its claim gets the reservation all the same."""
    world.apply("prescheduled/scheduled_pod")
    first = world.pods.scheduled("first")

    second = world.apply("prescheduled/unaware_scheduler").of("Pod")
    world.pods.bind("pod", first["spec"]["nodeName"])

    world.claims.reserved("claim", second)
    world.claims.reserved("claim", first)


@pytest.mark.requirement("DRA-PRE-07")
def test_a_claim_is_never_allocated_for_a_prescheduled_pod(world: World) -> None:
    """A claim that the scheduler did not allocate stays so, and is reserved for nobody."""
    world.apply("prescheduled/claim")
    world.apply("prescheduled/waiting_pod", node=world.node)

    world.claims.stays_unallocated("claim")

    expect.absent(world.claims.get("claim"), "status.reservedFor")

"""spec.nodeName bypasses the scheduler; a node selector does not."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.target import KUBELET
from conformance.harness.world import World


@pytest.mark.requirement("DRA-PRE-01")
@pytest.mark.needs(KUBELET)
def test_a_pod_on_a_node_needs_no_scheduler(world: World) -> None:
    """A Pod with spec.nodeName runs although nobody is its scheduler."""
    node = world.running_node()
    world.apply("prescheduled/unclaimed_pod", node=node)

    running = world.pods.running("pod")

    expect.field(running, "spec.nodeName", node)


@pytest.mark.requirement("DRA-PRE-01")
def test_the_scheduler_does_not_allocate_for_a_pod_on_a_node(world: World) -> None:
    """The claim of such a Pod stays unallocated although a device is free."""
    world.apply("prescheduled/claim")
    world.apply("prescheduled/free_device")
    world.apply("prescheduled/waiting_pod", node=world.node)

    world.claims.stays_unallocated("claim")

    expect.field(world.pods.get("pod"), "spec.nodeName", world.node)


@pytest.mark.requirement("DRA-PRE-08")
@pytest.mark.parametrize(
    "position", [pytest.param(0, id="the first node"), pytest.param(1, id="the second node")]
)
def test_a_host_name_selector_goes_through_the_scheduler(world: World, position: int) -> None:
    """Such a Pod gets its claim allocated and lands on the node of that name."""
    node = world.nodes(2)[position]
    world.apply("prescheduled/selecting_pod", node=node)

    pod = world.pods.scheduled("pod")

    expect.field(pod, "spec.nodeName", node)
    expect.present(world.claims.reserved("claim", pod), "status.allocation")

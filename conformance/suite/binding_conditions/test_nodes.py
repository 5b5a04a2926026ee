"""Which node is chosen, and where the scheduler writes it down."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World


def only_node(name: str) -> list[dict[str, Any]]:
    """Return the terms of a node selector that matches this node and no other."""
    return [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]}]


@pytest.mark.requirement("DRA-BND-05")
def test_binds_to_node_puts_the_chosen_node_into_the_allocation(world: World) -> None:
    """The allocation of a device with bindsToNode is limited to the node that was chosen."""
    world.apply("binding_conditions/binds_to_node", selector={})

    claim = world.claims.allocated("claim")
    world.claims.condition("claim", "conformance.test/attached", "True")
    pod = world.pods.scheduled("pod")

    expect.field(
        claim,
        "status.allocation.nodeSelector.nodeSelectorTerms",
        only_node(pod["spec"]["nodeName"]),
    )


@pytest.mark.requirement("DRA-BND-06")
@pytest.mark.parametrize(
    "selector",
    [
        pytest.param(None, id="a Pod without a node selector"),
        pytest.param({"kubernetes.io/os": "linux"}, id="a Pod with a node selector"),
    ],
)
def test_binds_to_node_leaves_the_pods_node_selector_alone(
    world: World, selector: dict[str, str] | None
) -> None:
    """spec.nodeSelector of the Pod is, while waiting and when bound, what its author wrote."""
    world.apply("binding_conditions/binds_to_node", selector=selector)

    world.claims.allocated("claim")
    waiting = world.pods.get("pod")
    world.claims.condition("claim", "conformance.test/attached", "True")
    bound = world.pods.scheduled("pod")

    expect.same(waiting["spec"].get("nodeSelector"), selector, path="spec.nodeSelector")
    expect.same(bound["spec"].get("nodeSelector"), selector, path="spec.nodeSelector")


@pytest.mark.requirement("DRA-BND-09")
def test_the_slices_node_selector_limits_the_candidates(world: World) -> None:
    """A device behind a node selector lands its Pod on the one node with the label."""
    world.own_node("a-plain")
    labelled = world.own_node("b-fast", {"accelerator-type": "high-performance"})
    world.own_node("c-plain", {"accelerator-type": "low-performance"})

    world.apply("binding_conditions/labelled_nodes")

    expect.field(world.pods.scheduled("pod"), "spec.nodeName", labelled)


@pytest.mark.requirement("DRA-BND-09")
def test_no_node_with_the_label_means_no_allocation(world: World) -> None:
    """Where no node carries the label, the device is not allocated and the Pod waits."""
    world.own_node("a-plain")
    world.apply("binding_conditions/labelled_nodes")

    world.pods.unschedulable("pod")

    world.claims.stays_unallocated("claim")

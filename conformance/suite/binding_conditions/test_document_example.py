"""The document's example slice behaves as its six bullets say."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

PREPARED = "dra.example.com/is-prepared"
PREPARING_FAILED = "dra.example.com/preparing-failed"
LABELS = {"accelerator-type": "high-performance"}


def only_node(name: str) -> list[dict[str, Any]]:
    """Return the terms of a node selector that matches this node and no other."""
    return [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]}]


@pytest.mark.requirement("DRA-BND-11")
def test_the_example_waits_on_the_labelled_node_until_prepared(world: World) -> None:
    """gpu-1 goes to the labelled node, names it in the claim, and waits for is-prepared."""
    world.own_node("a-plain")
    labelled = world.own_node("node-3", LABELS)
    world.apply("binding_conditions/document_example")

    claim = world.claims.allocated("claim")
    world.pods.stays_unscheduled("pod")
    world.claims.condition("claim", PREPARED, "True")
    pod = world.pods.scheduled("pod")

    terms = "status.allocation.nodeSelector.nodeSelectorTerms"
    expect.field(claim, "status.allocation.devices.results[0].device", "gpu-1")
    expect.field(claim, terms, only_node(labelled))
    expect.field(pod, "spec.nodeName", labelled)


@pytest.mark.requirement("DRA-BND-11")
def test_the_example_is_aborted_when_preparing_failed(world: World) -> None:
    """preparing-failed aborts the binding of gpu-1 and clears the allocation."""
    world.own_node("node-3", LABELS)
    objects = world.apply("binding_conditions/document_example")
    world.claims.allocated("claim")
    world.withdraw(objects.of("ResourceSlice"))

    world.claims.condition("claim", PREPARING_FAILED, "True")

    world.claims.deallocated("claim")
    expect.absent(world.pods.get("pod"), "spec.nodeName")


@pytest.mark.requirement("DRA-BND-11")
def test_the_example_waits_600_seconds(world: World) -> None:
    """The scheduler waits for gpu-1 to be prepared for 600 s, and no longer."""
    world.own_node("node-3", LABELS)
    objects = world.apply("binding_conditions/document_example")
    world.claims.allocated("claim")
    world.withdraw(objects.of("ResourceSlice"))

    world.claims.stays_allocated("claim", for_="binding-wait-default")

    world.claims.deallocated("claim", bound="binding-timeout-slack")

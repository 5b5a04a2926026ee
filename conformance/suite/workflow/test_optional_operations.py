"""Devices that need nothing done on their node."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.attach import attached, reachable_node
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

pytestmark = [
    pytest.mark.needs(KUBELET, NODE_ACCESS),
    pytest.mark.variant(gates={"DRAOptionalNodeOperations": True}),
]


@pytest.mark.requirement("DRA-WF-12")
@pytest.mark.parametrize(
    ("skipped", "called"),
    [
        pytest.param(["*"], [], id="every call"),
        pytest.param(["NodeUnprepareResources"], ["NodePrepareResources"], id="unpreparing"),
    ],
)
def test_the_driver_is_not_called_for_what_it_skips(
    world: World, flow: Any, skipped: list[str], called: list[str]
) -> None:
    """The Pod comes and goes, and the kubelet makes the other calls alone."""
    with attached(world, health_version=None) as double:
        world.apply("workflow/passive_slice", node=reachable_node(world).name, skipped=skipped)
        flow.claim()
        flow.pod()
        world.pods.running("pod")

        world.pods.delete("pod", grace=1)
        world.pods.gone("pod")

        calls = [call.method for call in double.calls if call.claim_uids]

    expect.same(sorted(set(calls)), called, path="calls for the claim")


@pytest.mark.requirement("DRA-WF-12")
def test_a_device_that_needs_no_call_needs_no_driver(world: World, flow: Any) -> None:
    """Nobody serves the driver's name on the node: the Pod runs all the same."""
    node = reachable_node(world).name
    world.apply("workflow/passive_slice", node=node, skipped=["*"])
    flow.claim()
    flow.pod()

    world.pods.running("pod")

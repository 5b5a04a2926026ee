"""Who has to leave a device with a NoExecute taint, and what the Pod says of it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect


@pytest.mark.requirement("DRA-TNT-05")
def test_a_pod_leaves_a_device_that_must_not_be_used(tainting: Any) -> None:
    """The device of a Pod gets a NoExecute taint, which its claim does not tolerate."""
    tainting.use()

    tainting.taint()

    tainting.evicted()


@pytest.mark.requirement("DRA-TNT-05")
def test_a_pod_with_a_generated_claim_leaves_too(tainting: Any) -> None:
    """The same with a claim that was made from a template."""
    tainting.world.apply("workflow/template")
    tainting.world.apply("device_taints/template_pod", node=tainting.node)
    tainting.world.pods.scheduled("pod")

    tainting.taint()

    tainting.evicted()


@pytest.mark.requirement("DRA-TNT-07")
def test_an_evicted_pod_says_why_it_ends(tainting: Any) -> None:
    """The Pod has a condition that tells controllers of workloads from a failure of its own."""
    tainting.use()

    tainting.taint()

    condition = expect.condition(tainting.evicted(), "DisruptionTarget", "True")
    expect.field(condition, "reason", "DeletionByDeviceTaintManager")


@pytest.mark.requirement("DRA-TNT-16")
def test_every_pod_of_a_shared_claim_leaves(tainting: Any) -> None:
    """Two Pods share the claim of the device: both go."""
    tainting.use(pod="first")
    tainting.share("second")

    tainting.taint()

    tainting.evicted("first")
    tainting.evicted("second")


@pytest.mark.requirement("DRA-TNT-17")
def test_a_pod_without_a_node_stays(tainting: Any) -> None:
    """A Pod that is not scheduled shares the reserved claim: it uses nothing and stays."""
    tainting.use()
    tainting.flow.pod("waiting", place={"conformance.test/node": "none"})
    waiting = tainting.world.pods.unschedulable("waiting")
    tainting.reserve("claim", waiting)

    tainting.taint()

    tainting.evicted()
    tainting.world.pods.stays_unfinished("waiting")


@pytest.mark.requirement("DRA-TNT-18")
def test_a_pod_with_extended_resources_leaves_too(tainting: Any) -> None:
    """The Pod names no claim: its status alone tells which one serves its extended resources."""
    pod = tainting.world.apply("device_taints/extended_pod", node=tainting.node).of("Pod")
    tainting.serve_extended(pod)

    tainting.taint()

    tainting.evicted()

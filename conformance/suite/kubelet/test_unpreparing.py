"""What is undone after a Pod, and what waits for it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.observe import probe
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

pytestmark = pytest.mark.needs(KUBELET, NODE_ACCESS)

PREPARE, UNPREPARE = "NodePrepareResources", "NodeUnprepareResources"


def fails(double: DriverDouble, how: str) -> None:
    """Order a driver to fail to undo claims in this manner."""
    orders = {
        "claim": lambda: double.plan.fail(UNPREPARE, error="not yet"),
        "call": lambda: double.plan.fail(UNPREPARE, error="not yet", whole_call=True),
        "omit": lambda: double.plan.answer(UNPREPARE, "omit"),
    }
    orders[how]()


@pytest.mark.requirement("DRA-KUB-27")
@pytest.mark.parametrize("how", ["claim", "call", "omit"])
def test_what_could_not_be_undone_is_tried_again(
    world: World, served: DriverDouble, flow: Any, on_node: Any, how: str
) -> None:
    """An error for the claim, of the call, or an answer without the claim: the Pod stays."""
    flow.pod()
    world.pods.running("pod")
    fails(served, how)
    world.pods.delete("pod", grace=1)
    on_node.awaits(served, UNPREPARE)
    world.pods.stays_unfinished("pod")

    served.plan.obey(UNPREPARE)

    world.pods.gone("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-KUB-28")
def test_a_claim_is_undone_after_a_pod_that_was_forced_away(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A Pod that is deleted without any grace leaves nothing prepared."""
    flow.pod()
    world.pods.running("pod")

    world.pods.delete("pod", grace=0)

    on_node.unprepared(served, on_node.uid())


@pytest.mark.requirement("DRA-KUB-29")
def test_a_claim_is_undone_after_a_pod_that_has_ended(
    world: World, served: DriverDouble, on_node: Any
) -> None:
    """A Pod that has run to its end, and is still there, leaves nothing prepared."""
    world.apply("kubelet/idle_pod", command="sleep 1", policy="Never")

    on_node.unprepared(served, on_node.uid())

    expect.absent(world.pods.get("pod"), "metadata.deletionTimestamp")


@pytest.mark.requirement("DRA-KUB-30")
def test_a_namesake_of_a_claim_waits_until_the_old_one_is_undone(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """The old claim is gone from the API, and not from the node: the new Pod waits."""
    old = world.claims.get("claim")
    flow.pod("first")
    world.pods.running("first")
    served.plan.fail(UNPREPARE, error="not yet")
    world.pods.delete("first", grace=0)
    on_node.awaits(served, UNPREPARE)
    world.withdraw(old)
    on_node.claim_gone("claim")

    flow.claim()
    flow.pod("second")
    world.claims.allocated("claim")
    world.pods.stays_pending("second")

    served.plan.obey(UNPREPARE)
    world.pods.running("second", bound="kubelet-retry")


@pytest.mark.requirement("DRA-KUB-31")
def test_a_failed_preparation_is_undone(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A Pod that could not start is deleted: its driver is told to undo what it may have done."""
    served.plan.fail(PREPARE, error="not ever")
    flow.pod()
    on_node.awaits(served, PREPARE)

    world.pods.delete("pod", grace=1)

    world.pods.gone("pod")
    on_node.unprepared(served, on_node.uid())


@pytest.mark.requirement("DRA-KUB-32")
def test_a_claim_is_undone_though_the_pod_does_not_name_it(
    world: World, served: DriverDouble, on_node: Any
) -> None:
    """Somebody has taken the names of the claims out of the status of a Pod that ends."""
    world.apply("workflow/template")
    world.apply("workflow/template_pod", pod="pod")
    world.pods.running("pod")
    served.plan.fail(UNPREPARE, error="not yet")
    world.pods.delete("pod", grace=1)
    (uid,) = on_node.awaits(served, UNPREPARE).claim_uids
    emptied = world.pods.patch_status("pod", resourceClaimStatuses=[])
    expect.absent(emptied, "status.resourceClaimStatuses")

    served.plan.obey(UNPREPARE)

    world.pods.gone("pod", bound="kubelet-retry")
    on_node.unprepared(served, uid)


@pytest.mark.requirement("DRA-KUB-33")
def test_a_claim_that_is_being_undone_is_prepared_again(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A Pod that comes meanwhile waits, and the claim is prepared for it afterwards."""
    flow.pod("first")
    world.pods.running("first")
    served.plan.fail(UNPREPARE, error="not yet")
    world.pods.delete("first", grace=1)
    on_node.awaits(served, UNPREPARE)
    flow.pod("second")
    world.pods.scheduled("second")
    world.pods.stays_pending("second")

    served.plan.obey(UNPREPARE)

    world.pods.running("second", bound="kubelet-retry")
    calls = on_node.done(served)
    expect.same(calls, [PREPARE, UNPREPARE, PREPARE], path="calls of the kubelet")


@pytest.mark.requirement("DRA-KUB-34")
def test_each_driver_undoes_its_claim(
    world: World, served: DriverDouble, other: DriverDouble, on_node: Any
) -> None:
    """After a Pod with claims of two drivers each of them is told to undo its own."""
    world.apply("kubelet/pod_with_two", first="claim", second="other", probe=probe.command())
    world.pods.running("pod")

    world.pods.delete("pod", grace=1)

    world.pods.gone("pod")
    expect.same(on_node.done(served), [PREPARE, UNPREPARE], path="calls of one driver")
    expect.same(on_node.done(other, "other"), [PREPARE, UNPREPARE], path="calls of the other")

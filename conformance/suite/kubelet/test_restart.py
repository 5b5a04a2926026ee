"""What a kubelet knows and does after it was started again."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.target import KUBELET, NODE_ACCESS, RESTART_KUBELET
from conformance.harness.world import World

pytestmark = pytest.mark.needs(KUBELET, NODE_ACCESS, RESTART_KUBELET)

PREPARE, UNPREPARE = "NodePrepareResources", "NodeUnprepareResources"


@pytest.mark.requirement("DRA-KUB-35")
def test_a_kubelet_that_comes_back_registers_the_drivers(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """The driver did not stop, is asked who it is again, and serves Pods."""
    on_node.restart_kubelet(served)

    on_node.slices_gone()
    on_node.publish("device-1")
    flow.pod()
    world.pods.running("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-KUB-36")
def test_a_kubelet_starts_without_the_slices_of_its_node(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """Slices of the own node go when the kubelet starts; those of another node stay."""
    far = world.own_node("far")
    flow.publish_on(far, "device-2")

    on_node.restart_kubelet()

    world.until(
        "the slice of the other node alone is there",
        lambda: on_node.slices() == [f"{world.name}-{far}"],
        bound="slices-wiped",
    )


@pytest.mark.requirement("DRA-KUB-37")
def test_a_preparation_is_tried_again_after_a_restart(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A Pod whose claim could not be prepared before the restart runs after it."""
    served.plan.fail(PREPARE, error="not yet")
    flow.pod()
    on_node.awaits(served, PREPARE)
    on_node.restart_kubelet(served)

    served.plan.obey(PREPARE)

    world.pods.running("pod", bound="kubelet-retry")
    expect.same(on_node.done(served), [PREPARE], path="calls without an error")


@pytest.mark.requirement("DRA-KUB-38")
def test_what_could_not_be_undone_is_tried_again_after_a_restart(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A claim that could not be undone before the restart is undone after it."""
    flow.pod()
    world.pods.running("pod")
    served.plan.fail(UNPREPARE, error="not yet")
    world.pods.delete("pod", grace=1)
    on_node.awaits(served, UNPREPARE)
    on_node.restart_kubelet(served)

    served.plan.obey(UNPREPARE)

    world.pods.gone("pod", bound="kubelet-retry")
    on_node.unprepared(served, on_node.uid())


@pytest.mark.requirement("DRA-KUB-39")
def test_what_was_prepared_before_a_restart_is_undone_after_it(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A Pod that outlived the restart is deleted: its claim is undone."""
    flow.pod()
    world.pods.running("pod")
    on_node.restart_kubelet(served)
    world.pods.running("pod")

    world.pods.delete("pod", grace=1)

    world.pods.gone("pod", bound="kubelet-retry")
    on_node.unprepared(served, on_node.uid())


@pytest.mark.requirement("DRA-KUB-40")
def test_a_claim_is_prepared_anew_after_a_restart(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """Nobody knows what a node has lost meanwhile: before a Pod starts the driver is asked."""
    flow.pod("first")
    world.pods.running("first")
    on_node.restart_kubelet(served)

    flow.pod("second")

    world.pods.running("second", bound="kubelet-retry")
    expect.same(on_node.done(served), [PREPARE, PREPARE], path="calls of the kubelet")


@pytest.mark.requirement("DRA-KUB-41")
def test_a_preparation_that_a_restart_interrupts_is_made_again(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """The kubelet is restarted while the driver prepares: the Pod waits, and then runs."""
    served.plan.hang()
    flow.pod()
    on_node.awaits(served, PREPARE)
    on_node.restart_kubelet(served)
    world.pods.stays_pending("pod", for_="claims-quiet")

    served.plan.resume()

    world.pods.running("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-KUB-42")
def test_an_undoing_that_a_restart_interrupts_is_made_again(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """The kubelet is restarted while the driver undoes: the Pod stays, and goes afterwards."""
    flow.pod()
    world.pods.running("pod")
    served.plan.hang()
    world.pods.delete("pod", grace=1)
    on_node.awaits(served, UNPREPARE)
    on_node.restart_kubelet(served)
    world.pods.stays_unfinished("pod", for_="claims-quiet")

    served.plan.resume()

    world.pods.gone("pod", bound="kubelet-retry")
    on_node.unprepared(served, on_node.uid())


@pytest.mark.requirement("DRA-KUB-43")
def test_nothing_is_prepared_for_a_pod_that_has_gone(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A Pod that could not start vanishes, the kubelet restarts: its claim is only undone."""
    for call in (PREPARE, UNPREPARE):
        served.plan.fail(call, error="not yet")
    flow.pod()
    on_node.awaits(served, PREPARE)
    world.pods.delete("pod", grace=0)
    on_node.restart_kubelet(served)

    for call in (PREPARE, UNPREPARE):
        served.plan.obey(call)

    on_node.unprepared(served, on_node.uid())
    world.stays(
        "nothing is prepared",
        lambda: PREPARE not in on_node.done(served),
        for_="claims-quiet",
    )

"""What is prepared before a Pod starts, and what keeps it waiting."""

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


@pytest.mark.requirement("DRA-KUB-15")
def test_a_claim_that_no_container_uses_is_prepared(
    world: World, served: DriverDouble, on_node: Any
) -> None:
    """A Pod names a claim, and none of its containers does."""
    world.apply("kubelet/idle_pod", command="sleep 3600", policy="Always")

    world.pods.running("pod")

    expect.same(on_node.done(served), [PREPARE], path="calls of the kubelet")


@pytest.mark.requirement("DRA-KUB-16")
@pytest.mark.parametrize("oddity", ["omit", "stray"])
def test_an_answer_must_speak_of_each_claim_and_of_no_other(
    world: World, served: DriverDouble, flow: Any, on_node: Any, oddity: str
) -> None:
    """A claim is left out, or one is named that nobody asked for: the Pod waits."""
    served.plan.answer(PREPARE, oddity)
    flow.pod()
    on_node.awaits(served, PREPARE)
    world.pods.stays_pending("pod")

    served.plan.obey(PREPARE)

    world.pods.running("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-KUB-17")
def test_an_answer_may_name_no_device(world: World, served: DriverDouble, flow: Any) -> None:
    """A driver that has nothing for the container runtime says nothing: the Pod runs."""
    served.plan.answer(PREPARE, "bare")

    flow.pod()

    world.pods.running("pod")


@pytest.mark.requirement("DRA-KUB-18")
def test_a_prepared_claim_is_not_prepared_again(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A second Pod with the claim runs without another call of the driver."""
    flow.pod("first")
    world.pods.running("first")

    flow.pod("second")
    world.pods.running("second")

    expect.same(on_node.done(served), [PREPARE], path="calls of the kubelet")


@pytest.mark.requirement("DRA-KUB-19")
def test_a_new_claim_beside_a_prepared_one_is_prepared(
    world: World, pair: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A Pod with a claim that another Pod uses, and with a new one, has the new one prepared."""
    flow.claim()
    flow.claim(claim="fresh")
    flow.pod("first")
    world.pods.running("first")

    world.apply("kubelet/pod_with_two", first="claim", second="fresh", probe=probe.command())

    world.pods.running("pod")
    expect.same(on_node.done(pair, "fresh"), [PREPARE], path="calls for the new claim")


@pytest.mark.requirement("DRA-KUB-20")
def test_a_driver_that_does_not_answer_is_asked_again(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """While the call is not answered nothing starts; it is given up and made again."""
    served.plan.hang()
    flow.pod()
    on_node.awaits(served, PREPARE)
    world.pods.stays_pending("pod", for_="call-given-up")

    served.plan.resume()

    world.pods.running("pod", bound="kubelet-retry")
    expect.that(len(on_node.done(served)) > 1, "two calls", observed=served.calls.transcript())


@pytest.mark.requirement("DRA-KUB-21")
def test_a_call_that_failed_as_a_whole_is_made_again(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """An error of the call itself, not of a claim, is no end: the Pod runs later."""
    served.plan.fail(PREPARE, times=1, error="not now", whole_call=True)

    flow.pod()

    world.pods.running("pod", bound="kubelet-retry")
    expect.same(len(served.calls.of(PREPARE)), 2, path="calls of the kubelet")


@pytest.mark.requirement("DRA-KUB-22")
def test_a_pod_waits_for_each_of_its_drivers(
    world: World, served: DriverDouble, other: DriverDouble, on_node: Any
) -> None:
    """A Pod with claims of two drivers waits while one of them fails, and then has both."""
    other.plan.fail(PREPARE, error="the other is not ready")
    world.apply("kubelet/pod_with_two", first="claim", second="other", probe=probe.command())
    on_node.awaits(other, PREPARE)
    world.pods.stays_pending("pod")

    other.plan.obey(PREPARE)

    world.pods.running("pod", bound="kubelet-retry")
    seen = probe.first(world, "pod").environment
    expect.field(seen, "DRA_CONFORMANCE_DEVICE", "device-1")
    expect.field(seen, "DRA_CONFORMANCE_OTHER", "other-1")


@pytest.mark.requirement("DRA-KUB-23")
def test_a_generated_claim_of_another_pod_is_not_used(world: World, on_node: Any) -> None:
    """A status names, for a claim from a template, one that the Pod does not own."""
    pod = world.apply("kubelet/placed_by_hand").of("Pod")
    consumer = {"resource": "pods", "name": "pod", "uid": pod["metadata"]["uid"]}
    world.claims.write_status(
        "claim", allocation={"devices": {"results": []}}, reservedFor=[consumer]
    )
    named = [{"name": "mine", "resourceClaimName": "claim"}]
    world.pods.patch_status("pod", resourceClaimStatuses=named)

    world.pods.bind("pod", on_node.node)

    world.pods.stays_pending("pod")


@pytest.mark.requirement("DRA-KUB-24")
def test_a_pod_that_no_driver_has_heard_of_can_go(world: World, on_node: Any, flow: Any) -> None:
    """A Pod whose driver never came is deleted without it."""
    on_node.publish("device-1")
    flow.claim()
    flow.pod()
    world.pods.scheduled("pod")
    world.pods.stays_pending("pod", for_="claims-quiet")

    world.pods.delete("pod", grace=1)

    world.pods.gone("pod")


@pytest.mark.requirement("DRA-KUB-25")
def test_each_container_sees_what_it_asked_for(
    world: World, pair: DriverDouble, flow: Any, on_node: Any
) -> None:
    """One request of the claim, the whole claim, or nothing, as each container says."""
    flow.claim(flow.exactly(name="one"), flow.exactly(name="two"))
    world.apply("kubelet/sharing_pod", probe=probe.command())

    seen = {
        name: sorted(
            variable
            for variable in probe.first(world, "pod", name).environment
            if variable.startswith("DRA_CONFORMANCE_")
        )
        for name in ("part", "whole", "none")
    }

    both = ["DRA_CONFORMANCE_ONE", "DRA_CONFORMANCE_TWO"]
    expect.same(seen, {"part": both[:1], "whole": both, "none": []}, path="environment")


@pytest.mark.requirement("DRA-KUB-26")
@pytest.mark.parametrize("container", ["first", "beside"])
def test_containers_that_come_first_have_their_devices(
    world: World, served: DriverDouble, container: str
) -> None:
    """An init container, and one that stays beside the others, see the device of the claim."""
    world.apply("kubelet/pod_with_inits", probe=probe.command())

    report = probe.first(world, "pod", container)

    expect.field(report.environment, "DRA_CONFORMANCE_DEVICE", "device-1")
    world.pods.running("pod")

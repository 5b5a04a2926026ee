"""What the kubelet asks of a driver while a Pod with a claim comes and goes."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.attach import await_call
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.observe import probe
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

pytestmark = pytest.mark.needs(KUBELET, NODE_ACCESS)


def asked(served: DriverDouble, method: str, claim: Any) -> None:
    """Expect that the kubelet made this call for a claim."""
    uid = claim["metadata"]["uid"]
    calls = served.calls.of(method, uid)
    expect.that(bool(calls), f"a call of {method} for {uid}", observed=served.calls.transcript())


@pytest.mark.requirement("DRA-WF-11")
def test_kubelet_and_driver_give_the_container_its_device(
    world: World, served: DriverDouble
) -> None:
    """What the driver set up for the claim is there in the container."""
    world.apply("workflow/probing_pod", pod="pod", claim="claim", probe=probe.command())

    report = probe.first(world, "pod")

    expect.field(report.environment, "DRA_CONFORMANCE_DEVICE", "device-1")
    asked(served, "NodePrepareResources", world.claims.get("claim"))


@pytest.mark.requirement("DRA-WF-26a")
def test_no_container_starts_before_the_driver_has_prepared(
    world: World, served: DriverDouble, flow: Any
) -> None:
    """While the driver refuses to prepare, the Pod waits; once it obeys, the Pod runs."""
    served.plan.fail("NodePrepareResources", error="not yet")
    flow.pod()
    await_call(world, served, "NodePrepareResources", bound="pod-running", error="not yet")
    world.pods.stays_pending("pod")

    served.plan.obey("NodePrepareResources")

    world.pods.running("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-WF-26b")
def test_the_last_pod_of_a_claim_ends_it(world: World, served: DriverDouble, flow: Any) -> None:
    """With the first of two Pods nothing is unprepared; with the second the claim is."""
    claim = world.claims.get("claim")
    for name in ("first", "second"):
        flow.pod(name)
        world.pods.running(name)

    world.pods.delete("first", grace=1)
    world.pods.gone("first")
    early = served.calls.of("NodeUnprepareResources")
    world.pods.delete("second", grace=1)
    world.pods.gone("second")

    expect.same(len(early), 0, path="NodeUnprepareResources while a Pod uses the claim")
    asked(served, "NodeUnprepareResources", claim)

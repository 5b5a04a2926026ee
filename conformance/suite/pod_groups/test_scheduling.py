"""What kube-scheduler makes of a claim that the Pods of a group share."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

pytestmark = pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
    serves=["scheduling.k8s.io/v1beta1"],
)


@pytest.fixture
def one_device(flow: Any, grouped: Any) -> None:
    """Publish one device, and a template of claims for it."""
    flow.publish("device-1")
    grouped.template(wanted={"devices": {"requests": [flow.exactly()]}})


@pytest.mark.requirement("DRA-PGR-24")
@pytest.mark.usefixtures("one_device")
def test_the_claim_is_reserved_for_the_group(world: World, grouped: Any) -> None:
    """Nobody but the group holds the claim that was allocated for its first Pod."""
    group = grouped.group()

    grouped.pod(place={})

    world.pods.scheduled("pod")
    claim = grouped.noted(group)
    expect.field(claim, "status.reservedFor", [grouped.holder(group)])
    expect.field(claim, "status.allocation.devices.results[0].device", "device-1")


@pytest.mark.requirement("DRA-PGR-25")
@pytest.mark.usefixtures("one_device")
def test_the_pods_of_a_group_share_one_device(world: World, grouped: Any) -> None:
    """There is one device: both Pods get it, by one claim with one reservation."""
    group = grouped.group()

    grouped.pod("first", place={})
    grouped.pod("second", place={})

    world.pods.scheduled("first")
    world.pods.scheduled("second")
    names = [claim["metadata"]["name"] for claim in grouped.claims()]
    expect.same(names, [grouped.noted(group)["metadata"]["name"]], path="ResourceClaims")
    grouped.reserved_for(names[0], group)


@pytest.mark.requirement("DRA-PGR-26")
def test_a_claim_of_the_pod_alone_is_reserved_for_the_pod(
    world: World, flow: Any, grouped: Any
) -> None:
    """Of two claims one is the group's: the other one is held by the Pod."""
    flow.publish("device-1", "device-2")
    flow.claim(claim="mine")
    flow.claim(claim="ours")
    shared, own = grouped.entry(claim="ours"), grouped.entry("own", claim="mine")
    group = grouped.group("group", shared)

    pod = grouped.pod("pod", shared, own, place={})

    world.pods.scheduled("pod")
    grouped.reserved_for("ours", group)
    grouped.reserved_for("mine", pod)


@pytest.mark.requirement("DRA-PGR-27")
def test_a_pod_without_its_group_is_not_scheduled(world: World, flow: Any, grouped: Any) -> None:
    """A Pod that could be scheduled waits for the group that it names."""
    flow.publish("device-1")
    flow.claim()
    shared = grouped.entry(claim="claim")
    grouped.pod("pod", shared, place={})

    world.pods.stays_unscheduled("pod")
    group = grouped.group("group", shared)

    world.pods.scheduled("pod")
    grouped.reserved_for("claim", group)

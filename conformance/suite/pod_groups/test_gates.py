"""What is left of groups where a gate is off."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.target import KUBELET
from conformance.harness.world import World


@pytest.mark.requirement("DRA-PGR-02")
@pytest.mark.variant(gates={"GenericWorkload": False, "DRAWorkloadResourceClaims": False})
def test_no_groups_without_the_gate(grouped: Any) -> None:
    """With GenericWorkload off, there is no such resource."""
    with expect.refused(404):
        grouped.group()


@pytest.mark.requirement("DRA-PGR-03")
@pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": False},
    serves=["scheduling.k8s.io/v1beta1"],
)
def test_groups_without_claims_where_their_gate_is_off(world: World, grouped: Any) -> None:
    """With DRAWorkloadResourceClaims off, a group is stored without its claims."""
    group = grouped.group()

    expect.unset(world.read(group), "spec.resourceClaims")


@pytest.mark.requirement("DRA-PGR-04")
@pytest.mark.variant(gates={"GenericWorkload": False, "DRAWorkloadResourceClaims": False})
def test_pods_belong_to_no_group_without_the_gate(world: World, grouped: Any) -> None:
    """With GenericWorkload off, what a Pod says of its group is dropped."""
    pod = grouped.pod()

    expect.unset(world.read(pod), "spec.schedulingGroup")


@pytest.mark.requirement("DRA-PGR-32")
@pytest.mark.needs(KUBELET)
@pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": False},
    serves=["scheduling.k8s.io/v1beta1"],
)
def test_a_reservation_for_a_group_starts_no_pod_where_the_gate_is_off(
    world: World, grouped: Any
) -> None:
    """With DRAWorkloadResourceClaims off, a Pod whose group holds its claim waits."""
    group = grouped.group("group", grouped.entry(claim="claim"))
    world.apply("claim_controller/claim", metadata={"name": "claim"})
    grouped.allocate(grouped.holder(group), crowded=True)

    grouped.pod("pod", grouped.entry(claim="claim"), node=world.running_node())

    world.pods.stays_pending("pod")

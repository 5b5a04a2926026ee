"""Whether a kubelet starts a Pod whose claim is reserved for a group."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.claims import NO_DEVICES
from conformance.harness.target import KUBELET
from conformance.harness.world import World

pytestmark = [
    pytest.mark.needs(KUBELET),
    pytest.mark.variant(
        gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
        serves=["scheduling.k8s.io/v1beta1"],
    ),
]


@pytest.mark.requirement("DRA-PGR-28")
def test_a_pod_starts_by_the_reservation_of_its_group(world: World, grouped: Any) -> None:
    """The claim is reserved for the group alone: a Pod of the group runs, and it stays so."""
    shared = grouped.entry(claim="claim")
    group = grouped.group("group", shared)
    world.apply("claim_controller/claim", metadata={"name": "claim"})
    holders = [grouped.holder(group)]
    world.claims.write_status("claim", allocation=NO_DEVICES, reservedFor=holders)

    grouped.pod("pod", shared, node=world.running_node())

    world.pods.running("pod")
    grouped.reserved_for("claim", group)

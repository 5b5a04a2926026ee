"""Whether a kubelet starts a Pod whose claim is reserved for a group."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.target import KUBELET
from conformance.harness.world import World

pytestmark = [
    pytest.mark.needs(KUBELET),
    pytest.mark.variant(
        gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
        serves=["scheduling.k8s.io/v1beta1"],
    ),
]

#: An allocation without devices: no driver takes part in starting the Pod.
NO_DEVICES = {"devices": {"results": []}}

#: As many groups as a claim takes, none of them there: nobody else can be added.
STRANGERS = [
    {
        "apiGroup": "scheduling.k8s.io",
        "resource": "podgroups",
        "name": f"other-{number}",
        "uid": f"00000000-0000-4000-8000-{number:012d}",
    }
    for number in range(256)
]


def held_by(world: World, holders: list[Any]) -> None:
    """Create a claim that is allocated and reserved for these."""
    world.apply("claim_controller/claim", metadata={"name": "claim"})
    world.claims.write_status("claim", allocation=NO_DEVICES, reservedFor=holders)


@pytest.mark.requirement("DRA-PGR-28")
def test_a_pod_starts_by_the_reservation_of_its_group(world: World, grouped: Any) -> None:
    """The claim is reserved for the group alone: a Pod of the group runs, and it stays so."""
    shared = grouped.entry(claim="claim")
    group = grouped.group("group", shared)
    held_by(world, [{**STRANGERS[0], "name": "group", "uid": group["metadata"]["uid"]}])

    grouped.pod("pod", shared, node=world.running_node())

    world.pods.running("pod")
    grouped.reserved_for("claim", group)

"""How often a claim that the Pods of a group share on a node is prepared, and how long."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.target import KUBELET, NODE_ACCESS, RESTART_KUBELET
from conformance.harness.world import World

pytestmark = [
    pytest.mark.needs(KUBELET, NODE_ACCESS),
    pytest.mark.variant(
        gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
        serves=["scheduling.k8s.io/v1beta1"],
    ),
]

PREPARE, UNPREPARE = "NodePrepareResources", "NodeUnprepareResources"


@pytest.mark.requirement("DRA-PGR-33")
def test_the_claim_of_a_group_is_prepared_once(sharing: Any) -> None:
    """Three Pods of the group run on the node, by one call of the driver."""
    sharing.start("first", "second", "third")

    sharing.called(PREPARE)


@pytest.mark.requirement("DRA-PGR-34")
@pytest.mark.parametrize(
    "grace", [pytest.param(1, id="deleted"), pytest.param(0, id="forced away")]
)
def test_the_claim_stays_prepared_for_the_pods_that_are_left(sharing: Any, grace: int) -> None:
    """One of two Pods of the group is gone: the other one runs with the claim."""
    sharing.start("first", "second")

    sharing.end("first", grace)

    sharing.stays_prepared()
    sharing.world.pods.running("second")


@pytest.mark.requirement("DRA-PGR-34")
def test_the_claim_stays_prepared_after_a_pod_that_has_ended(world: World, sharing: Any) -> None:
    """One of two Pods of the group has run to its end: the other one runs with the claim."""
    sharing.start("first")
    sharing.start("second", command="sleep 1")
    world.until(
        "the second Pod has ended",
        lambda: expect.field(world.pods.get("second"), "status.phase", "Succeeded"),
        bound="pod-running",
    )

    sharing.stays_prepared()
    world.pods.running("first")


@pytest.mark.requirement("DRA-PGR-35")
@pytest.mark.parametrize(
    "grace", [pytest.param(1, id="deleted"), pytest.param(0, id="forced away")]
)
def test_the_claim_is_undone_with_the_last_pod(sharing: Any, grace: int) -> None:
    """No Pod of the group is left, and the group is: the claim is undone, and reserved for it."""
    sharing.start("first", "second")
    sharing.end("second", grace)

    sharing.end("first", grace)

    sharing.unprepared()
    sharing.grouped.reserved_for("claim", sharing.group)


@pytest.mark.requirement("DRA-PGR-35")
def test_pods_of_the_group_elsewhere_keep_nothing_prepared(
    world: World, sharing_everywhere: Any
) -> None:
    """The last Pod on the node is gone, and another one has the claim on another node."""
    sharing = sharing_everywhere
    sharing.start("first")
    sharing.grouped.pod("far", sharing.shared, node=world.own_node("far"))

    sharing.end("first")

    sharing.unprepared()
    world.pods.stays_unfinished("far", for_="claims-quiet")


@pytest.mark.requirement("DRA-PGR-36")
def test_the_next_pod_of_the_group_has_the_claim_prepared_again(world: World, sharing: Any) -> None:
    """After its last Pod the group goes on with the same device: it is prepared once more."""
    sharing.start("first")
    allocation = expect.present(world.claims.get("claim"), "status.allocation")
    sharing.end("first")
    sharing.unprepared()

    sharing.start("second")

    sharing.called(PREPARE, UNPREPARE, PREPARE)
    expect.field(world.claims.get("claim"), "status.allocation", allocation)


@pytest.mark.requirement("DRA-PGR-37")
@pytest.mark.needs(KUBELET, NODE_ACCESS, RESTART_KUBELET)
def test_a_restart_forgets_no_pod_of_the_group(sharing: Any) -> None:
    """After a restart the claim stays while the second Pod runs, and is undone after it."""
    sharing.start("first", "second")
    sharing.restart()

    sharing.end("first")
    sharing.stays_prepared()
    sharing.end("second")

    sharing.unprepared()

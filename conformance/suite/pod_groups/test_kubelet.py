"""Which Pods a kubelet starts, by what their claims say of groups."""

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

#: Seconds in which the kubelet has surely looked at the Pod for the first time.
A_WHILE = 5


@pytest.mark.requirement("DRA-PGR-28")
def test_a_pod_starts_by_the_reservation_of_its_group(world: World, grouped: Any) -> None:
    """The claim is reserved for the group alone: a Pod of the group runs, and it stays so."""
    shared = grouped.entry(claim="claim")
    group = grouped.group("group", shared)
    world.apply("claim_controller/claim", metadata={"name": "claim"})
    grouped.allocate(grouped.holder(group))

    grouped.pod("pod", shared, node=world.running_node())

    world.pods.running("pod")
    grouped.reserved_for("claim", group)


@pytest.mark.requirement("DRA-PGR-29")
@pytest.mark.parametrize(
    "mine", [pytest.param("group", id="of another group"), pytest.param("", id="of no group")]
)
def test_a_pod_waits_while_another_group_has_its_claim(
    world: World, grouped: Any, mine: str
) -> None:
    """The claim is reserved for a group that is not the Pod's: no container starts."""
    shared = grouped.entry(claim="claim")
    grouped.group("group", shared)
    other = grouped.group("other", shared)
    world.apply("claim_controller/claim", metadata={"name": "claim"})
    grouped.allocate(grouped.holder(other), crowded=True)

    grouped.pod("pod", shared, group=mine, node=world.running_node())

    world.pods.stays_pending("pod")


@pytest.mark.requirement("DRA-PGR-28")
def test_a_pod_starts_once_its_own_group_has_the_claim(world: World, grouped: Any) -> None:
    """A Pod that waited while another group held the claim runs when its own group does."""
    shared = grouped.entry(claim="claim")
    group = grouped.group("group", shared)
    other = grouped.group("other", shared)
    world.apply("claim_controller/claim", metadata={"name": "claim"})
    grouped.allocate(grouped.holder(other), crowded=True)
    grouped.pod("pod", shared, node=world.running_node())
    world.patience.elapse(A_WHILE)

    grouped.allocate(grouped.holder(group), crowded=True)

    world.pods.running("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-PGR-30")
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param({"apiGroup": "conformance.test", "resource": "podgroups"}, id="another API"),
        pytest.param(
            {"apiGroup": "scheduling.k8s.io", "resource": "workloads"}, id="another resource"
        ),
        pytest.param({"resource": "podgroups"}, id="no API group"),
    ],
)
def test_a_namesake_of_the_group_is_not_the_group(
    world: World, grouped: Any, kind: dict[str, str]
) -> None:
    """The claim is reserved for something else that is called like the group: the Pod waits."""
    shared = grouped.entry(claim="claim")
    group = grouped.group("group", shared)
    world.apply("claim_controller/claim", metadata={"name": "claim"})
    who = {"name": "group", "uid": grouped.holder(group)["uid"]}
    grouped.allocate({**kind, **who}, crowded=True)

    grouped.pod("pod", shared, node=world.running_node())

    world.pods.stays_pending("pod")


@pytest.mark.requirement("DRA-PGR-31")
def test_pods_start_with_the_claim_that_was_made_for_their_group(
    world: World, grouped: Any
) -> None:
    """The claim is owned by the group, and not by the Pod: the Pod runs."""
    grouped.template()
    group = grouped.group()

    grouped.pod(place={"kubernetes.io/hostname": world.running_node()})

    world.pods.running("pod")
    grouped.reserved_for(grouped.noted(group)["metadata"]["name"], group)


@pytest.mark.requirement("DRA-PGR-45")
def test_a_claim_that_was_made_for_another_group_is_not_used(world: World, grouped: Any) -> None:
    """A status names, for a claim of the Pod's group, one that another group owns."""
    group = grouped.group()
    grouped.claim_for(grouped.group("other", grouped.entry(claim="none")))
    grouped.allocate(grouped.holder(group))
    grouped.pod("pod", scheduler="nobody", place={})
    named = [{"name": "shared", "resourceClaimName": "claim"}]
    world.pods.patch_status("pod", resourceClaimStatuses=named)

    world.pods.bind("pod", world.running_node())

    world.pods.stays_pending("pod")

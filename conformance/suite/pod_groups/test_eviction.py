"""Who has to leave a device that a group has."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World
from conformance.kube.objects import Object

pytestmark = pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
    serves=["scheduling.k8s.io/v1beta1"],
)


def evicted(world: World, pod: str) -> None:
    """Wait until somebody has asked for the deletion of a Pod."""

    def deleted() -> Object:
        found = world.pods.get(pod)
        expect.present(found, "metadata.deletionTimestamp")
        return found

    world.until(f"Pod {pod} is evicted", deleted, bound="pod-evicted")


@pytest.mark.requirement("DRA-PGR-44")
def test_every_pod_of_the_group_leaves_its_device(world: World, flow: Any, grouped: Any) -> None:
    """The claim names the group and no Pod: both Pods of the group are evicted."""
    values = {"slice": "slice", "count": 1, "devices": [{"name": "device-1"}]}
    published = world.apply("workflow/slice", **values).of("ResourceSlice")
    flow.claim()
    shared = grouped.entry(claim="claim")
    grouped.group("group", shared)
    place = {"kubernetes.io/hostname": world.own_node("bare")}
    grouped.pod("first", shared, place=place)
    grouped.pod("second", shared, place=place)
    world.pods.scheduled("first")
    world.pods.scheduled("second")

    taint = {"key": "d.example/broken", "effect": "NoExecute"}
    where = "/spec/devices/0/taints"
    world.patch(published, [{"op": "add", "path": where, "value": [taint]}])

    evicted(world, "first")
    evicted(world, "second")

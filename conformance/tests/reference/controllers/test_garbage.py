"""Owner references and lost nodes: what is collected, and what is not."""

from __future__ import annotations

import pytest

from conformance.kube.status import StatusError
from conformance.reference.client.paths import path_of
from conformance.tests.reference.plane import NAMESPACE, Plane, obj, run


def test_slices_of_a_deleted_node_are_collected() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        node = await plane.api.get("nodes", "node-1")
        await plane.slice("node-1", "gpu-0")
        published = await plane.api.get("resourceslices", "slice-node-1")
        owner = {"apiVersion": "v1", "kind": "Node", "name": "node-1"}
        published["metadata"]["ownerReferences"] = [{**owner, "uid": node["metadata"]["uid"]}]
        await plane.api.update("resourceslices", published)
        await plane.settle()
        assert await plane.api.get("resourceslices", "slice-node-1")

        await plane.api.delete("nodes", "node-1")
        await plane.settle()

        with pytest.raises(StatusError, match="not found"):
            await plane.api.get("resourceslices", "slice-node-1")

    run(scenario)


def test_an_owner_of_the_same_name_and_another_uid_does_not_count() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        orphan = obj("resource.k8s.io/v1", "ResourceClaim", "c", namespace=NAMESPACE)
        owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "an-older-one"}
        orphan["metadata"]["ownerReferences"] = [owner]
        orphan["spec"] = {"devices": {}}
        await plane.pod("p")
        await plane.api.create("resourceclaims", orphan)
        await plane.settle()

        assert await plane.claims() == []

    run(scenario)


def test_pods_of_a_lost_node_are_deleted_after_the_quarantine() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        await plane.pod("p", nodeName="node-1")
        await plane.settle()
        await plane.api.delete("nodes", "node-1")
        await plane.pass_time(39)
        assert await plane.get_pod("p")

        await plane.pass_time(1)
        with pytest.raises(StatusError, match="not found"):
            await plane.get_pod("p")

    run(scenario)


async def _owned(plane: Plane, *, blocks: bool) -> None:
    """Create a claim that owns another one."""
    owner = obj("resource.k8s.io/v1", "ResourceClaim", "owner", namespace=NAMESPACE)
    owner["spec"] = {"devices": {}}
    uid = (await plane.api.create("resourceclaims", owner))["metadata"]["uid"]
    owned = obj("resource.k8s.io/v1", "ResourceClaim", "owned", namespace=NAMESPACE)
    reference = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "name": "owner"}
    owned["metadata"]["ownerReferences"] = [{**reference, "uid": uid, "blockOwnerDeletion": blocks}]
    owned["metadata"]["finalizers"] = ["example.com/keep"]
    owned["spec"] = {"devices": {}}
    await plane.api.create("resourceclaims", owned)
    await plane.settle()


async def _delete(plane: Plane, policy: str) -> list[str]:
    """Delete the owner, and return which claims are left."""
    path = path_of("resourceclaims", NAMESPACE, "owner")
    options = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": policy}
    await plane.api.request("DELETE", path, body=options)
    await plane.settle()
    return sorted(claim["metadata"]["name"] for claim in await plane.claims())


@pytest.mark.parametrize(
    ("blocks", "left"),
    [
        pytest.param(True, ["owned", "owner"], id="a dependent that blocks"),
        pytest.param(False, ["owned"], id="a dependent that does not"),
    ],
)
def test_a_foreground_deletion_waits_for_dependents_that_block(
    blocks: bool, left: list[str]
) -> None:
    async def scenario(plane: Plane) -> None:
        await _owned(plane, blocks=blocks)
        assert await _delete(plane, "Foreground") == left

        await plane.api.patch(
            "resourceclaims", "owned", {"metadata": {"finalizers": None}}, NAMESPACE
        )
        await plane.settle()

        assert await plane.claims() == []

    run(scenario)


def test_an_orphaning_deletion_leaves_dependents_without_the_owner() -> None:
    async def scenario(plane: Plane) -> None:
        await _owned(plane, blocks=True)

        assert await _delete(plane, "Orphan") == ["owned"]
        (claim,) = await plane.claims()

        assert "ownerReferences" not in claim["metadata"]
        assert "deletionTimestamp" not in claim["metadata"]

    run(scenario)

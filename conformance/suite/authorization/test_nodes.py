"""What a kubelet may do: what concerns its own node, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.access.attempts import allowed, attempt, claim_of, forbidden, slice_of
from conformance.harness.access.people import People
from conformance.harness.client import Api
from conformance.harness.world import World

#: A change that changes nothing.
LABEL = {"metadata": {"labels": {"conformance.test/seen": "true"}}}


def until_allowed(world: World, api: Api, verb: str, resource: str, **place: str) -> None:
    """Wait until an authorizer knows of the objects that make an act allowed."""

    def done() -> bool:
        code = attempt(api, verb, resource, **place)
        expect.same(code, 200, path="code", hint=f"whether {verb} {resource} is allowed")
        return True

    world.until(f"{verb} {resource} is allowed", done, bound="object-served")


@pytest.fixture
def node(world: World) -> str:
    """Return a node of the check's own with a Pod that uses the claim used."""
    name = world.own_node("mine")
    world.create(claim_of(world.device_class, "used"))
    world.apply("authorization/pod_on_node", pod="pod", node=name, claim="used")
    return name


@pytest.mark.requirement("DRA-AUT-05")
def test_a_kubelet_gets_the_claim_of_its_pod(world: World, people: People, node: str) -> None:
    """The claim of a Pod is read by the kubelet of its node."""
    place = {"namespace": world.namespace, "name": "used"}

    until_allowed(world, people.node(node), "get", "resourceclaims", **place)


@pytest.mark.requirement("DRA-AUT-06")
def test_a_kubelet_gets_no_other_claims(world: World, people: People, node: str) -> None:
    """A claim that no Pod uses, or that a Pod on another node uses, is not for a kubelet."""
    other = world.own_node("other")
    world.create(claim_of(world.device_class, "unused"))
    place = {"namespace": world.namespace}
    # From then on the authorizer knows the Pod: what it forbids is not for lack of knowledge.
    until_allowed(world, people.node(node), "get", "resourceclaims", name="used", **place)

    forbidden(people.node(other), "get", "resourceclaims", name="used", **place)
    forbidden(people.node(node), "get", "resourceclaims", name="unused", **place)


@pytest.mark.requirement("DRA-AUT-07")
@pytest.mark.parametrize("verb", ["list", "create", "update", "patch", "delete"])
def test_a_kubelet_writes_no_claims(world: World, people: People, node: str, verb: str) -> None:
    """Not even the claim of its own Pod: the kubelet reads it, one at a time."""
    place = {"namespace": world.namespace, "name": "used"}
    forbidden(people.node(node), verb, "resourceclaims", **place)


@pytest.mark.requirement("DRA-AUT-07")
@pytest.mark.parametrize("verb", ["get", "update", "patch"])
def test_a_kubelet_leaves_the_status_of_claims_alone(
    world: World, people: People, node: str, verb: str
) -> None:
    """What a driver reports about devices does not go through the kubelet's rights."""
    place = {"namespace": world.namespace, "name": "used"}
    forbidden(people.node(node), verb, "resourceclaims/status", **place)


@pytest.mark.requirement("DRA-AUT-08")
def test_a_kubelet_keeps_the_slices_of_its_node(world: World, people: People) -> None:
    """A slice of the node is created, read, changed and deleted by its kubelet."""
    node = world.own_node("mine")
    kubelet = people.node(node)
    mine = slice_of(world.driver, world.name, nodeName=node)

    allowed(kubelet, "create", "resourceslices", mine)

    until_allowed(world, kubelet, "get", "resourceslices", name=world.name)
    allowed(kubelet, "patch", "resourceslices", LABEL, name=world.name)
    allowed(kubelet, "delete", "resourceslices", name=world.name)


@pytest.mark.requirement("DRA-AUT-09")
@pytest.mark.parametrize(
    "where",
    [
        pytest.param({"nodeName": "another-node"}, id="another node"),
        pytest.param({"allNodes": True}, id="all nodes"),
    ],
)
def test_a_kubelet_publishes_for_no_other_node(
    world: World, people: People, where: dict[str, Any]
) -> None:
    """What the authorizer cannot see in a request, admission refuses."""
    kubelet = people.node(world.own_node("mine"))

    forbidden(kubelet, "create", "resourceslices", slice_of(world.driver, world.name, **where))


@pytest.mark.requirement("DRA-AUT-10")
@pytest.mark.parametrize("verb", ["get", "update", "patch", "delete"])
@pytest.mark.parametrize(
    "where",
    [
        pytest.param({"nodeName": "another-node"}, id="another node"),
        pytest.param({"allNodes": True}, id="all nodes"),
    ],
)
def test_the_slices_of_others_are_not_for_a_kubelet(
    world: World, people: People, verb: str, where: dict[str, Any]
) -> None:
    """A slice of another node, or of every node, is neither read nor written."""
    world.create(slice_of(world.driver, world.name, **where))

    kubelet = people.node(world.own_node("mine"))

    forbidden(kubelet, verb, "resourceslices", name=world.name)


@pytest.mark.requirement("DRA-AUT-11")
@pytest.mark.parametrize("verb", ["list", "deletecollection"])
def test_collections_of_slices_are_limited_to_the_node(
    world: World, people: People, verb: str
) -> None:
    """With the field selector of its own node a kubelet may, without or with another not."""
    node = world.own_node("mine")
    kubelet = people.node(node)

    allowed(kubelet, verb, "resourceslices", fieldSelector=f"spec.nodeName={node}")

    forbidden(kubelet, verb, "resourceslices")
    forbidden(kubelet, verb, "resourceslices", fieldSelector="spec.nodeName=another-node")
    forbidden(kubelet, verb, "resourceslices", fieldSelector=f"spec.driver={world.driver}")

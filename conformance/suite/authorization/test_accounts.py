"""ServiceAccounts: their rules, their tokens, and what they are told about both."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.access.attempts import allowed, attempt, claim_of, forbidden
from conformance.harness.access.people import People, may, review, rule, whoami
from conformance.harness.world import World

#: The extra attribute of who asks from a node.
NODE_NAME = "authentication.kubernetes.io/node-name"

NAMESPACED = ["resourceclaims", "resourceclaims/status", "resourceclaimtemplates"]
CLUSTERWIDE = ["deviceclasses", "resourceslices"]


@pytest.mark.requirement("DRA-AUT-12")
@pytest.mark.parametrize("verb", ["get", "update", "patch"])
@pytest.mark.parametrize("resource", NAMESPACED)
def test_nothing_in_the_namespace_without_a_rule(
    world: World, people: People, verb: str, resource: str
) -> None:
    """An account that nobody gave a rule neither reads nor writes."""
    somebody = people.account()

    forbidden(somebody.api, verb, resource, namespace=world.namespace, name="thing")


@pytest.mark.requirement("DRA-AUT-12")
@pytest.mark.parametrize("verb", ["list", "create", "delete", "deletecollection"])
@pytest.mark.parametrize("resource", CLUSTERWIDE)
def test_nothing_in_the_cluster_without_a_rule(people: People, verb: str, resource: str) -> None:
    """The same for what serves the whole cluster."""
    somebody = people.account()

    forbidden(somebody.api, verb, resource, name="thing")


@pytest.mark.requirement("DRA-AUT-13")
def test_a_rule_with_names_is_for_these(world: World, people: People) -> None:
    """The claim that the rule names is read, another one and the list are not."""
    world.create(claim_of(world.device_class, "named"))
    world.create(claim_of(world.device_class, "other"))
    place = {"namespace": world.namespace}

    reads = rule("resourceclaims", "get", "list", resourceNames=["named"])
    somebody = people.account(reads)

    allowed(somebody.api, "get", "resourceclaims", name="named", **place)
    forbidden(somebody.api, "get", "resourceclaims", name="other", **place)
    forbidden(somebody.api, "list", "resourceclaims", **place)


@pytest.mark.requirement("DRA-AUT-14")
@pytest.mark.parametrize(
    ("granted", "other"),
    [
        pytest.param("resourceclaims", "resourceclaims/status", id="the resource alone"),
        pytest.param("resourceclaims/status", "resourceclaims", id="the subresource alone"),
    ],
)
def test_a_resource_and_its_subresource_are_two(
    world: World, people: People, granted: str, other: str
) -> None:
    """Who may patch the one may not patch the other."""
    world.create(claim_of(world.device_class, "thing"))
    place = {"namespace": world.namespace, "name": "thing"}

    somebody = people.account(rule(granted, "patch"))

    allowed(somebody.api, "patch", granted, **place)
    forbidden(somebody.api, "patch", other, **place)


@pytest.mark.requirement("DRA-AUT-15")
def test_a_token_of_a_node_names_it(world: World, people: People) -> None:
    """Who asks with a token that is bound to a Node is known to ask from there."""
    node = world.own_node("mine")

    somebody = people.account(node=node)

    known = whoami(somebody.api)
    expect.field(known, "username", somebody.name)
    expect.field(known, f"extra[{NODE_NAME}]", [node])


@pytest.mark.requirement("DRA-AUT-15")
def test_a_token_of_a_pod_names_the_node_of_the_pod(world: World, people: People) -> None:
    """The same with a token that is bound to a Pod, which is how drivers get theirs."""
    node = world.own_node("mine")
    world.apply("authorization/pod_of_account", pod="pod", node=node, account="somebody")

    somebody = people.account(pod="pod")

    expect.field(whoami(somebody.api), f"extra[{NODE_NAME}]", [node])


@pytest.mark.requirement("DRA-AUT-15")
def test_a_token_that_is_bound_to_nothing_names_no_node(people: People) -> None:
    """An ordinary token says who asks and not from where."""
    somebody = people.account()

    expect.unset(whoami(somebody.api), f"extra[{NODE_NAME}]")


@pytest.mark.requirement("DRA-AUT-16")
@pytest.mark.parametrize("verb", ["get", "delete"])
def test_reviews_tell_the_truth(world: World, people: People, verb: str) -> None:
    """What both reviews say of getting and deleting a claim is what becomes of the request."""
    world.create(claim_of(world.device_class, "thing"))
    somebody = people.account(rule("resourceclaims", "get"))
    place = {"namespace": world.namespace, "name": "thing"}
    described = {"verb": verb, "group": "resource.k8s.io", "resource": "resourceclaims", **place}

    told = may(somebody.api, described)
    told_of_it = review(world.api, somebody.name, described)

    code = attempt(somebody.api, verb, "resourceclaims", **place)
    expect.same((told, told_of_it), (verb == "get", verb == "get"), path="status.allowed")
    expect.same(code, {"get": 200, "delete": 403}[verb], path="code")


@pytest.mark.requirement("DRA-AUT-17")
def test_a_token_of_nobody_is_refused(world: World) -> None:
    """A text that is no token lets nobody in."""
    stranger = world.api.with_token("nobody-was-given-this")

    code = attempt(stranger, "list", "resourceclaims", namespace=world.namespace)

    expect.same(code, 401, path="code")

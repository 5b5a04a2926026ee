"""An admission policy that keeps a driver to the node of its token."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.access.attempts import allowed, attempt, slice_of
from conformance.harness.access.people import Account, People, rule
from conformance.harness.world import World

SLICES = rule("resourceslices", "create", "get", "update", "patch", "delete")

#: A change that changes nothing.
LABEL = {"metadata": {"labels": {"conformance.test/seen": "true"}}}

ELSEWHERE = [
    pytest.param({"nodeName": "another-node"}, id="another node"),
    pytest.param({"allNodes": True}, id="all nodes"),
]


def refused(account: Account, verb: str, body: Any = None, **place: str) -> None:
    """Expect that admission refuses a write of slices; the rules allow it."""
    code = attempt(account.api, verb, "resourceslices", body, **place)
    expect.same(code, 422, path="code", hint=f"whether the policy refuses {verb}")


def bind(world: World, account: Account, driver: str) -> None:
    """Bind the world's policy, and wait until it refuses what it must refuse."""
    world.apply("authorization/slice_policy_binding")
    wrong = slice_of(driver, world.name, nodeName="a-node-of-nobody")

    def counts() -> bool:
        refused(account, "create", wrong, dryRun="All")
        return True

    world.until("the policy counts", counts, bound="policy-counts")


@pytest.fixture
def driver(world: World, people: People) -> Account:
    """Return a driver's account with a token of a node, kept to that node by a policy."""
    node = world.own_node("mine")
    account = people.account(everywhere=(SLICES,), node=node)
    world.apply("authorization/slice_policy", account=account.name)
    bind(world, account, world.driver)
    return account


@pytest.mark.requirement("DRA-AUT-29")
def test_a_policy_lets_a_driver_keep_its_own_slices(world: World, driver: Account) -> None:
    """On the node of its token the driver creates, changes and deletes a slice."""
    mine = slice_of(world.driver, world.name, nodeName=f"{world.name}-mine")

    allowed(driver.api, "create", "resourceslices", mine)
    allowed(driver.api, "patch", "resourceslices", LABEL, name=world.name)
    allowed(driver.api, "delete", "resourceslices", name=world.name)


@pytest.mark.requirement("DRA-AUT-30")
@pytest.mark.parametrize("where", ELSEWHERE)
def test_a_policy_refuses_new_slices_elsewhere(
    world: World, driver: Account, where: dict[str, Any]
) -> None:
    """Neither another node nor all of them get a slice from this driver."""
    refused(driver, "create", slice_of(world.driver, world.name, **where))


@pytest.mark.requirement("DRA-AUT-31")
@pytest.mark.parametrize("where", ELSEWHERE)
@pytest.mark.parametrize("verb", ["patch", "delete"])
def test_a_policy_protects_the_slices_of_others(
    world: World, driver: Account, verb: str, where: dict[str, Any]
) -> None:
    """What others published is not changed and not deleted."""
    world.create(slice_of(world.driver, world.name, **where))

    refused(driver, verb, LABEL, name=world.name)


@pytest.mark.requirement("DRA-AUT-32")
def test_a_token_without_a_node_publishes_nothing(
    world: World, people: People, driver: Account
) -> None:
    """The same account with an ordinary token is on no node."""
    unbound = Account(driver.name, people.client("somebody"))

    refused(unbound, "create", slice_of(world.driver, world.name, nodeName=f"{world.name}-mine"))


@pytest.mark.requirement("DRA-AUT-33")
def test_the_conditions_of_a_policy_leave_others_alone(
    world: World, people: People, driver: Account
) -> None:
    """Another account publishes for every node: the policy is not about it."""
    other = people.account(everywhere=(SLICES,), name="other")

    allowed(
        other.api,
        "create",
        "resourceslices",
        slice_of(world.driver, world.name, allNodes=True),
        dryRun="All",
    )


@pytest.mark.requirement("DRA-AUT-34")
@pytest.mark.parametrize(("failure", "code"), [("Fail", 422), ("Ignore", 200)])
def test_a_policy_without_an_answer_fails_as_it_says(
    world: World, people: People, failure: str, code: int
) -> None:
    """An expression that cannot be evaluated refuses, or is passed over."""
    account = people.account(everywhere=(SLICES,))
    world.apply("authorization/broken_policy", account=account.name, failure=failure)
    bind(world, account, "refused.example.com")

    wanted = slice_of(world.driver, world.name, nodeName="another-node")
    answer = attempt(account.api, "create", "resourceslices", wanted, dryRun="All")

    expect.same(answer, code, path="code")

"""Who may write which part of a claim's status, beyond the permission on the status itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.access.attempts import forbidden
from conformance.harness.access.parts import Parts
from conformance.harness.access.people import Account, People, rule
from conformance.harness.claims import CLAIMS
from conformance.harness.world import World

#: What lets a request to the status in.
STATUS = rule("resourceclaims/status", "update", "patch")
READS = rule("resourceclaims", "get")

BINDING = rule("resourceclaims/binding", "update")
ASSOCIATED = rule("resourceclaims/driver", "associated-node:update")
ARBITRARY = rule("resourceclaims/driver", "arbitrary-node:update")

#: Changes of what the scheduler and the controllers write.
BOUND = [
    pytest.param(Parts.reserve, id="reservedFor"),
    pytest.param(Parts.deallocate, id="allocation"),
]


@pytest.fixture
def parts(world: World, flow: Any) -> Parts:
    """Return the parts of the status of a claim, which is allocated for a node of the check."""
    flow.claim()
    made = Parts(world, node=world.own_node("mine"))
    made.allocate()
    return made


@pytest.mark.requirement("DRA-STA-02")
def test_a_report_needs_more_than_the_status(people: People, parts: Parts) -> None:
    """Who may write the status and nothing else reports nothing about devices."""
    somebody = people.account(READS, STATUS, node=parts.node)

    with expect.refused(422, "status.devices"):
        parts.report(somebody.api)


@pytest.mark.requirement("DRA-AUT-18")
@pytest.mark.parametrize("change", BOUND)
def test_a_binding_needs_its_own_permission(
    people: People, parts: Parts, change: Callable[..., Any]
) -> None:
    """Allocation and reservations are for who has binding, on top of the status."""
    binder = people.account(READS, STATUS, everywhere=(BINDING,), name="binder")
    somebody = people.account(READS, STATUS, ARBITRARY)

    with expect.refused(422, "status.allocation"):
        change(parts, somebody.api)
    with expect.accepted("a change by who may bind"):
        change(parts, binder.api)


@pytest.mark.requirement("DRA-AUT-19")
@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(lambda: ((BINDING,), ()), id="in the namespace"),
        pytest.param(lambda: ((), ({**BINDING, "resourceNames": ["claim"]},)), id="by name"),
    ],
)
def test_binding_is_permitted_for_all_claims_or_none(
    people: People, parts: Parts, rules: Callable[[], Any]
) -> None:
    """A permission for one namespace, or for one claim, is none."""
    here, everywhere = rules()

    somebody = people.account(READS, STATUS, *here, everywhere=everywhere)

    with expect.refused(422, "status.allocation"):
        parts.reserve(somebody.api)


@pytest.mark.requirement("DRA-AUT-20")
def test_a_driver_reports_on_its_own_node(people: People, parts: Parts) -> None:
    """The token is of the node that the claim is allocated for."""
    driver = people.account(READS, STATUS, ASSOCIATED, node=parts.node)

    with expect.accepted("a report from the claim's node"):
        parts.report(driver.api)

    expect.present(parts.claim(), "status.devices")


@pytest.mark.requirement("DRA-AUT-21")
@pytest.mark.parametrize("where", ["other", "none", "unbound"])
def test_a_driver_reports_on_no_other_node(
    world: World, people: People, parts: Parts, where: str
) -> None:
    """Another node's token, an allocation without a node, a token without one: none is enough."""
    other = world.own_node("other")
    node = {"other": other, "none": parts.node, "unbound": ""}[where]
    parts.allocate(node={"other": parts.node, "none": "", "unbound": parts.node}[where])

    driver = people.account(READS, STATUS, ASSOCIATED, node=node)

    with expect.refused(422, "status.devices"):
        parts.report(driver.api)


@pytest.mark.requirement("DRA-AUT-22")
@pytest.mark.parametrize("allocated", ["one node", "no node"])
def test_a_controller_reports_on_any_node(people: People, parts: Parts, allocated: str) -> None:
    """It runs anywhere, and its token is of no node."""
    parts.allocate(node={"one node": parts.node, "no node": ""}[allocated])

    controller = people.account(READS, STATUS, ARBITRARY)

    with expect.accepted("a report from anywhere"):
        parts.report(controller.api)


@pytest.mark.requirement("DRA-AUT-23")
def test_a_permission_is_for_the_drivers_that_it_names(
    world: World, people: People, parts: Parts
) -> None:
    """The same rule lets one driver's entries through and not another's."""
    ours = people.account(READS, STATUS, {**ARBITRARY, "resourceNames": [world.driver]})
    names = {**ARBITRARY, "resourceNames": ["another.example.com"]}
    theirs = people.account(READS, STATUS, names, name="theirs")

    with expect.refused(422, "status.devices"):
        parts.report(theirs.api)
    with expect.accepted("a report of the driver that the rule names"):
        parts.report(ours.api)


@pytest.mark.requirement("DRA-AUT-24")
@pytest.mark.parametrize("verb", ["update", "patch"])
def test_the_parts_are_no_way_around_the_status(
    world: World, people: People, parts: Parts, verb: str
) -> None:
    """Who has every part and not the status is not let in."""
    somebody = people.account(READS, ARBITRARY, everywhere=(BINDING,), node=parts.node)

    place = {"namespace": world.namespace, "name": "claim"}
    forbidden(somebody.api, verb, "resourceclaims/status", parts.claim(), **place)


@pytest.mark.requirement("DRA-AUT-25")
@pytest.mark.parametrize(("granted", "used"), [("update", "patch"), ("patch", "update")])
@pytest.mark.parametrize("prefix", ["associated-node", "arbitrary-node"])
def test_update_and_patch_are_two_permissions(
    people: People, parts: Parts, prefix: str, granted: str, used: str
) -> None:
    """What is allowed by the one verb is refused by the other."""
    allows = rule("resourceclaims/driver", f"{prefix}:{granted}")
    driver: Account = people.account(READS, STATUS, allows, node=parts.node)

    with expect.refused(422, "status.devices"):
        parts.report(driver.api, verb=used)
    with expect.accepted(f"a report by {granted}"):
        parts.report(driver.api, verb=granted)


@pytest.mark.requirement("DRA-AUT-26")
def test_what_is_left_alone_needs_no_permission(world: World, people: People, parts: Parts) -> None:
    """Who may bind reserves a claim whose entries stay; no driver's permission is asked for."""
    parts.report(world.api)
    binder = people.account(READS, STATUS, everywhere=(BINDING,))

    with expect.accepted("a reservation beside entries that stay"):
        parts.reserve(binder.api)

    expect.present(parts.claim(), "status.devices")


@pytest.mark.requirement("DRA-AUT-27")
def test_a_deallocation_needs_no_permission_of_drivers(
    world: World, people: People, parts: Parts
) -> None:
    """The entries go with the allocation, and who takes it away may have binding alone."""
    parts.report(world.api)
    binder = people.account(READS, STATUS, everywhere=(BINDING,))

    with expect.accepted("a deallocation by who may bind"):
        parts.deallocate(binder.api)

    expect.unset(world.api.get(CLAIMS, "claim", world.namespace), "status.devices")


@pytest.mark.requirement("DRA-AUT-28")
@pytest.mark.variant(gates={"DRAResourceClaimGranularStatusAuthorization": False})
@pytest.mark.parametrize("change", [pytest.param(Parts.report, id="devices"), *BOUND])
def test_without_the_gate_the_status_is_one(
    people: People, parts: Parts, change: Callable[..., Any]
) -> None:
    """As before 1.36, who may write the status may write all of it."""
    somebody = people.account(READS, STATUS)

    with expect.accepted("any change of the status"):
        change(parts, somebody.api)

"""What the components of the control plane may do by the roles that every cluster has."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.access.people import entitled, rule
from conformance.harness.world import World

SCHEDULER = "system:kube-scheduler"
CLAIMS = "system:serviceaccount:kube-system:resource-claim-controller"
EVICTION = "system:serviceaccount:kube-system:device-taint-eviction-controller"
POOLS = "system:serviceaccount:kube-system:resourcepoolstatusrequest-controller"

READ = ("get", "list", "watch")
CHANGE = ("update", "patch")


def case(granted: Any) -> Any:
    """Return a rule as a case that is called by its resource."""
    return pytest.param(granted, id=granted["resources"][0])


@pytest.mark.requirement("DRA-AUT-35")
@pytest.mark.parametrize(
    "granted",
    [
        case(rule("deviceclasses", *READ)),
        case(rule("resourceslices", *READ)),
        case(rule("resourceclaims", *READ, *CHANGE)),
        case(rule("resourceclaims/status", *READ, *CHANGE)),
    ],
)
def test_the_scheduler_allocates(world: World, granted: Any) -> None:
    """Whoever asks as the scheduler reads what there is and writes what it has chosen."""
    entitled(world.api, SCHEDULER, granted)


@pytest.mark.requirement("DRA-AUT-36")
def test_the_scheduler_makes_claims_for_extended_resources(world: World) -> None:
    """A claim that stands for extended resources comes from the scheduler, and goes by it."""
    entitled(world.api, SCHEDULER, rule("resourceclaims", "create", "delete"))


@pytest.mark.requirement("DRA-AUT-37")
def test_the_scheduler_reads_the_rules_that_taint(world: World) -> None:
    """A rule that taints devices is known to who allocates them."""
    entitled(world.api, SCHEDULER, rule("devicetaintrules", *READ))


@pytest.mark.requirement("DRA-AUT-38")
@pytest.mark.parametrize(
    "user", [pytest.param(SCHEDULER, id="scheduler"), pytest.param(CLAIMS, id="claim controller")]
)
def test_who_allocates_may_bind(world: World, user: str) -> None:
    """Allocation and reservations are written by the scheduler and taken away by a controller."""
    entitled(world.api, user, rule("resourceclaims/binding", *CHANGE))


@pytest.mark.requirement("DRA-AUT-39")
@pytest.mark.parametrize(
    "granted",
    [
        case(rule("resourceclaims", *READ, *CHANGE, "create", "delete")),
        case(rule("resourceclaims/status", *CHANGE)),
        case(rule("pods", *READ, group="")),
        case(rule("pods/status", *CHANGE, group="")),
    ],
)
def test_the_claim_controller_makes_and_ends_claims(world: World, granted: Any) -> None:
    """It makes claims by templates, tells Pods of them, and lets them go."""
    entitled(world.api, CLAIMS, granted)


@pytest.mark.requirement("DRA-AUT-40")
@pytest.mark.parametrize(
    "granted",
    [
        case(rule("resourceclaims", *READ)),
        case(rule("resourceslices", *READ)),
        case(rule("deviceclasses", *READ)),
        case(rule("pods", *READ, "delete", group="")),
        case(rule("pods/status", *CHANGE, group="")),
    ],
)
def test_the_eviction_controller_evicts(world: World, granted: Any) -> None:
    """It sees which devices are tainted and who uses them, and deletes these Pods."""
    entitled(world.api, EVICTION, granted)


@pytest.mark.requirement("DRA-AUT-41")
@pytest.mark.parametrize(
    "granted",
    [
        case(rule("devicetaintrules", *READ)),
        case(rule("devicetaintrules/status", *CHANGE)),
    ],
)
def test_the_eviction_controller_reports_on_rules(world: World, granted: Any) -> None:
    """It heeds the rules that taint devices, and says in their status how far it is."""
    entitled(world.api, EVICTION, granted)


@pytest.mark.variant(gates={"DRAResourcePoolStatus": True})
@pytest.mark.requirement("DRA-AUT-42")
@pytest.mark.parametrize(
    "granted",
    [
        case(rule("resourcepoolstatusrequests", *READ, "delete")),
        case(rule("resourcepoolstatusrequests/status", *CHANGE)),
        case(rule("resourceslices", *READ)),
        case(rule("resourceclaims", *READ)),
    ],
)
def test_the_pool_status_controller_answers(world: World, granted: Any) -> None:
    """It reads requests, slices and claims, answers in the status, and clears away later."""
    entitled(world.api, POOLS, granted)

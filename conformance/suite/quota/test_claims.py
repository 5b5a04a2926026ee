"""How many claims and devices a namespace may ask for."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.client import known
from conformance.harness.world import World

CLAIMS = "count/resourceclaims.resource.k8s.io"


def within() -> AbstractContextManager[None]:
    """Expect that a claim within the quota is accepted."""
    return expect.accepted("a claim within the quota", permitted=True)


def alternatives(world: World, *counts: int) -> dict[str, Any]:
    """Return a request that is served by so many devices of the class, or by so many."""
    rows = [
        {"name": f"way-{place}", "deviceClassName": world.device_class, "count": count}
        for place, count in enumerate(counts)
    ]
    return {"name": "device", "firstAvailable": rows}


@pytest.mark.requirement("DRA-QUO-01")
def test_so_many_claims_and_no_more(flow: Any, limits: Any) -> None:
    """The first claim is within the quota, the second one is refused."""
    limits.set({CLAIMS: "1"})
    flow.claim(claim="first")

    with expect.refused(403):
        flow.claim(claim="second")


@pytest.mark.requirement("DRA-QUO-02")
@pytest.mark.parametrize(
    ("counts", "fits"),
    [
        pytest.param([3], True, id="as many as allowed"),
        pytest.param([4], False, id="one too many"),
        pytest.param([1, 3], False, id="too many in two requests"),
    ],
)
def test_so_many_devices_of_a_class(flow: Any, limits: Any, counts: list[int], fits: bool) -> None:
    """The counts of a claim's requests are added up."""
    limits.set({limits.devices: "3"})
    wanted = [flow.exactly(name=f"r{place}", count=count) for place, count in enumerate(counts)]

    expectation = {True: within(), False: expect.refused(403)}
    with expectation[fits]:
        flow.claim(*wanted)


@pytest.mark.requirement("DRA-QUO-03")
@pytest.mark.parametrize(("limit", "fits"), [("31", False), ("32", True)])
def test_all_devices_count_as_the_most_that_can_be(
    flow: Any, limits: Any, limit: str, fits: bool
) -> None:
    """Nobody knows how many there will be: allocationMode All counts as 32."""
    limits.set({limits.devices: limit})

    expectation = {True: within(), False: expect.refused(403)}
    with expectation[fits]:
        flow.claim(flow.exactly(allocationMode="All"))


@pytest.mark.requirement("DRA-QUO-04")
@pytest.mark.parametrize(("limit", "fits"), [("2", False), ("3", True)])
def test_the_largest_alternative_counts(
    world: World, flow: Any, limits: Any, limit: str, fits: bool
) -> None:
    """Of alternatives for one device or three, three count: neither one nor four."""
    limits.set({limits.devices: limit})

    expectation = {True: within(), False: expect.refused(403)}
    with expectation[fits]:
        flow.claim(alternatives(world, 1, 3))


@pytest.mark.requirement("DRA-QUO-05")
def test_what_is_used_is_told(flow: Any, limits: Any) -> None:
    """Claims that were there before the quota, and one that comes later, are counted."""
    flow.claim(flow.exactly(count=2), claim="before")
    limits.set({CLAIMS: "5", limits.devices: "9"})

    flow.claim(flow.exactly(count=3), claim="later")

    limits.counts(CLAIMS, "2")
    limits.counts(limits.devices, "5")


@pytest.mark.requirement("DRA-QUO-06")
def test_what_goes_makes_room(world: World, flow: Any, limits: Any) -> None:
    """After the deletion of the only claim there is room for another one."""
    limits.set({CLAIMS: "1"})
    flow.claim(claim="first")
    limits.counts(CLAIMS, "1")

    world.withdraw(world.claims.get("first"))

    limits.counts(CLAIMS, "0")
    with within():
        flow.claim(claim="second")


@pytest.mark.requirement("DRA-QUO-07")
def test_generated_claims_count(world: World, flow: Any, limits: Any) -> None:
    """A Pod with a template gets no claim beyond the quota, and waits."""
    world.apply("workflow/template")
    limits.set({CLAIMS: "1"})
    flow.claim(claim="only")

    world.apply("workflow/template_pod", pod="pod")

    world.pods.stays_unscheduled("pod")
    claims = world.api.list(known("resource.k8s.io", "v1", "resourceclaims"), world.namespace)
    expect.same([one["metadata"]["name"] for one in claims], ["only"], path="items")

"""Claims against the quota of an extended resource, and who cannot get around it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.access.attempts import claim_of
from conformance.harness.world import World

#: What the scheduler marks the claims with that it makes for extended resources.
MARK = "resource.kubernetes.io/extended-resource-claim"

#: What makes a sidecar of an init container, and what leaves it one.
ALWAYS: dict[str, str] = {"restartPolicy": "Always"}
ONCE: dict[str, str] = {}


@pytest.fixture
def extended(world: World) -> str:
    """Return the extended resource that the world's class serves."""
    name = f"{world.name}.example.com/gpu"
    world.apply("extended_resources/class", resource=name)
    return name


@pytest.mark.requirement("DRA-QUO-08")
@pytest.mark.parametrize("name", ["explicit", "implicit"])
def test_a_claim_counts_as_the_extended_resource(
    world: World, limits: Any, extended: str, name: str
) -> None:
    """Who asks for the devices by a claim is limited as who asks by the resource's name."""
    implicit = f"requests.deviceclass.resource.kubernetes.io/{world.device_class}"
    limited = {"explicit": f"requests.{extended}", "implicit": implicit}[name]
    limits.set({limited: "1"})
    world.create(claim_of(world.device_class, "first"))
    limits.counts(limited, "1")

    with expect.refused(403):
        world.create(claim_of(world.device_class, "second"))


@pytest.mark.requirement("DRA-QUO-09")
@pytest.mark.variant(gates={"DRAExtendedResource": True})
@pytest.mark.parametrize("owner", ["nobody", "no Pod of that name", "a Pod without a request"])
def test_the_mark_of_the_scheduler_exempts_nobody(
    world: World, limits: Any, extended: str, owner: str
) -> None:
    """A user's claim that looks as if the scheduler had made it counts like any other."""
    limited = f"requests.{extended}"
    limits.set({limited: "1"})
    world.create(claim_of(world.device_class, "used"))
    limits.counts(limited, "1")
    world.apply("workflow/pod", pod="pod", claim="used", place={})
    real = {"uid": world.pods.get("pod")["metadata"]["uid"], "name": "pod"}
    forged = {"uid": "0000", "name": "gone"}
    chosen = {"no Pod of that name": forged, "a Pod without a request": real}.get(owner)

    fake = claim_of(world.device_class, "fake")
    fake["metadata"]["annotations"] = {MARK: "true"}
    fake["metadata"]["ownerReferences"] = [owned(one) for one in [chosen] if one]

    with expect.refused(403):
        world.create(fake)


@pytest.mark.requirement("DRA-QUO-10")
@pytest.mark.parametrize(
    ("inits", "amounts", "fits"),
    [
        pytest.param([2], [1, 1], True, id="an init container before two containers"),
        pytest.param([2, 2], [1], True, id="one init container after the other"),
        pytest.param([3], [1], False, id="an init container that is too large"),
        pytest.param([1], [2, 1], False, id="containers that are too large together"),
    ],
)
def test_init_containers_count_one_at_a_time(
    world: World, limits: Any, extended: str, inits: list[int], amounts: list[int], fits: bool
) -> None:
    """Of two devices an init container has what the containers will have after it."""
    limits.set({f"requests.{extended}": "2"})
    first = [
        container(world, extended, amount, "init", place) for place, amount in enumerate(inits)
    ]
    then = [container(world, extended, amount, "c", place) for place, amount in enumerate(amounts)]

    expectation = {True: within(), False: expect.refused(403)}
    with expectation[fits]:
        world.apply("quota/pod_with_inits", inits=first, containers=then)


@pytest.mark.requirement("DRA-QUO-11")
@pytest.mark.parametrize(
    ("inits", "amount", "fits"),
    [
        pytest.param([(1, ALWAYS)], 1, True, id="a sidecar and a container"),
        pytest.param([(2, ONCE), (1, ALWAYS)], 1, True, id="a sidecar after an init container"),
        pytest.param([(1, ALWAYS)], 2, False, id="a container that is too large beside a sidecar"),
        pytest.param(
            [(1, ALWAYS), (2, ONCE)],
            1,
            False,
            id="an init container that is too large beside a sidecar",
        ),
    ],
)
def test_a_sidecar_counts_beside_what_follows(
    world: World, limits: Any, extended: str, inits: list[Any], amount: int, fits: bool
) -> None:
    """Of two devices a sidecar keeps its own."""
    limits.set({f"requests.{extended}": "2"})
    first = [
        {**container(world, extended, asked, "init", place), **policy}
        for place, (asked, policy) in enumerate(inits)
    ]

    expectation = {True: within(), False: expect.refused(403)}
    with expectation[fits]:
        world.apply(
            "quota/pod_with_inits",
            inits=first,
            containers=[container(world, extended, amount, "c", 0)],
        )


def within() -> AbstractContextManager[None]:
    """Expect that a Pod within the quota is accepted."""
    return expect.accepted("a Pod within the quota", permitted=True)


def container(world: World, resource: str, amount: int, name: str, place: int) -> dict[str, Any]:
    """Return a container that requests so much of a resource."""
    limits = {"limits": {resource: str(amount)}}
    return {"name": f"{name}-{place}", "image": world.values["image"], "resources": limits}


def owned(by: dict[str, str]) -> dict[str, Any]:
    """Return the reference of an object that a Pod controls."""
    return {"apiVersion": "v1", "kind": "Pod", "controller": True, **by}

"""Claims against the quota of an extended resource, and who cannot get around it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.access.attempts import claim_of
from conformance.harness.world import World

#: What the scheduler marks the claims with that it makes for extended resources.
MARK = "resource.kubernetes.io/extended-resource-claim"


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


def owned(by: dict[str, str]) -> dict[str, Any]:
    """Return the reference of an object that a Pod controls."""
    return {"apiVersion": "v1", "kind": "Pod", "controller": True, **by}

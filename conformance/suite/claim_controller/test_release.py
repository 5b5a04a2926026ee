"""Reservations and allocations are taken back when nobody needs them, and not before."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.claims import NO_DEVICES
from conformance.harness.world import World

#: Somebody who is no Pod, and of whom the controller knows nothing.
STRANGER = {
    "apiGroup": "conformance.test",
    "resource": "others",
    "name": "stranger",
    "uid": "00000000-0000-4000-8000-000000000001",
}

#: Keeps an allocated claim from going.
FINALIZER = "resource.kubernetes.io/delete-protection"


@pytest.mark.requirement("DRA-RCC-13")
@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_a_pod_that_has_ended_holds_no_claim(controlled: Any, phase: str) -> None:
    """Its reservation goes though the Pod is still there."""
    controlled.used("pod", protected=True)

    controlled.ends("pod", phase)

    controlled.reserved_for()


@pytest.mark.requirement("DRA-RCC-14")
def test_with_its_last_user_a_claim_is_deallocated(world: World, controlled: Any) -> None:
    """With the last reservation the allocation goes, so that the device is free."""
    controlled.used("first", "second", protected=True)
    controlled.ends("first")
    controlled.reserved_for("second")
    expect.present(world.claims.get("claim"), "status.allocation")

    controlled.ends("second")

    world.claims.deallocated("claim")


@pytest.mark.requirement("DRA-RCC-15")
def test_a_deallocated_claim_is_not_protected(world: World, controlled: Any) -> None:
    """With the allocation the finalizer goes, which kept the claim from going."""
    controlled.used("pod", protected=True)

    controlled.ends("pod")

    world.claims.deallocated("claim")
    world.until(
        "the finalizer is gone",
        lambda: expect.absent(world.claims.get("claim"), "metadata.finalizers"),
        bound="claim-deallocated",
    )


@pytest.mark.requirement("DRA-RCC-16")
def test_who_is_no_pod_keeps_its_reservation(world: World, controlled: Any) -> None:
    """Beside a Pod that ends, somebody else stays in the list: nobody can tell whether it ends."""
    (pod,) = controlled.used("pod")
    mine = {"resource": "pods", "name": "pod", "uid": pod["metadata"]["uid"]}
    world.claims.write_status("claim", reservedFor=[mine, STRANGER])

    controlled.ends("pod")

    controlled.reserved_for("stranger")
    world.stays(
        "the other reservation is there",
        lambda: "stranger" in controlled.consumers(),
        for_="claims-quiet",
    )


@pytest.mark.requirement("DRA-RCC-17")
def test_a_pod_that_may_run_keeps_its_reservation(world: World, controlled: Any) -> None:
    """Also a Pod that was asked to go is a user as long as it is on its node."""
    controlled.used("first", "second")

    world.pods.delete("first", grace=60)

    world.stays(
        "both Pods have the claim",
        lambda: sorted(controlled.consumers()) == ["first", "second"],
        for_="claims-quiet",
    )


@pytest.mark.requirement("DRA-RCC-18")
@pytest.mark.parametrize("name", ["nobody", "namesake"])
def test_a_reservation_for_a_pod_that_is_gone_is_removed(
    world: World, controlled: Any, name: str
) -> None:
    """No Pod of that name, or another Pod of that name: the uid counts."""
    controlled.pod("namesake")
    controlled.claim()

    gone = {"resource": "pods", "name": name, "uid": STRANGER["uid"]}
    world.claims.write_status("claim", allocation=NO_DEVICES, reservedFor=[gone])

    controlled.reserved_for()


@pytest.mark.requirement("DRA-RCC-19")
def test_a_claim_that_nobody_has_used_stays_allocated(world: World, controlled: Any) -> None:
    """Who allocates need not reserve at the same time."""
    controlled.claim(finalizers=[FINALIZER])

    world.claims.write_status("claim", allocation=NO_DEVICES)

    controlled.keeps_its_allocation()


@pytest.mark.requirement("DRA-RCC-20")
def test_a_deleted_claim_in_use_stays_allocated(world: World, controlled: Any) -> None:
    """A claim that is deleted while a Pod uses it stays, with its allocation."""
    controlled.used("pod", protected=True)

    world.withdraw(world.claims.get("claim"))

    controlled.keeps_its_allocation()


@pytest.mark.requirement("DRA-RCC-21")
def test_a_deleted_claim_goes_with_its_last_user(world: World, controlled: Any) -> None:
    """A claim that was deleted while a Pod used it goes when the Pod has ended."""
    controlled.used("pod", protected=True)
    world.withdraw(world.claims.get("claim"))

    controlled.ends("pod")

    controlled.gone("claim")


@pytest.mark.requirement("DRA-RCC-22")
def test_a_deleted_claim_that_nobody_uses_goes(world: World, controlled: Any) -> None:
    """An allocation that nobody uses does not keep a deleted claim."""
    claim = controlled.claim(finalizers=[FINALIZER])
    world.claims.write_status("claim", allocation=NO_DEVICES)

    world.withdraw(claim)

    controlled.gone("claim")


@pytest.mark.requirement("DRA-RCC-23")
def test_a_generated_claim_goes_when_its_pod_has_ended(world: World, controlled: Any) -> None:
    """The claim goes though the Pod is still there."""
    controlled.template()
    controlled.pod(node=world.own_node("bare"))
    claim = controlled.generated()

    controlled.ends("pod")

    controlled.gone(claim["metadata"]["name"])

"""What becomes of the claims whose owner is deleted."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect


@pytest.mark.requirement("DRA-DEL-03")
def test_a_claim_follows_its_owner_in_the_background(deletions: Any) -> None:
    """The owner goes at once, the claim after it."""
    deletions.owned(deletions.claim("owner"), held=False)

    deletions.delete("owner", propagationPolicy="Background")

    with expect.refused(404):
        deletions.world.claims.get("owner")
    deletions.gone("owned")


@pytest.mark.requirement("DRA-DEL-04")
def test_an_owner_waits_for_the_claim_that_blocks_it(deletions: Any) -> None:
    """The claim is deleted first; while it is held, the owner stays, and goes after it."""
    deletions.owned(deletions.claim("owner"))

    deletions.delete("owner", propagationPolicy="Foreground")
    deletions.deleting("owned")
    deletions.stays("owner")
    deletions.release("owned")

    deletions.gone("owner")
    deletions.gone("owned")


@pytest.mark.requirement("DRA-DEL-05")
def test_an_owner_does_not_wait_for_a_claim_that_does_not_block_it(deletions: Any) -> None:
    """The owner goes while the claim is still held."""
    deletions.owned(deletions.claim("owner"), blocks=False)

    deletions.delete("owner", propagationPolicy="Foreground")
    deletions.gone("owner")

    deletions.deleting("owned")


@pytest.mark.requirement("DRA-DEL-06")
def test_an_orphaned_claim_stays_and_names_no_owner(deletions: Any) -> None:
    """Owner and reference go, the claim does not."""
    deletions.owned(deletions.claim("owner"), held=False)

    deletions.delete("owner", propagationPolicy="Orphan")

    deletions.gone("owner")
    deletions.unowned("owned")


@pytest.mark.requirement("DRA-DEL-07")
def test_a_claim_with_another_owner_stays(deletions: Any) -> None:
    """It names the owner that is there, and the lost one no more."""
    owners = [deletions.claim("owner"), deletions.claim("claim")]
    deletions.owned(*owners, held=False)

    deletions.delete("owner", propagationPolicy="Background")

    deletions.unowned("owned", "claim")

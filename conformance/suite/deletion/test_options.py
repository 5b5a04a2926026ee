"""What a deletion waits for, and when it is refused."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect


@pytest.mark.requirement("DRA-DEL-01")
@pytest.mark.parametrize(
    "precondition",
    [
        pytest.param({"uid": "11111111-2222-4333-8444-555555555555"}, id="another uid"),
        pytest.param({"resourceVersion": "1"}, id="an older version"),
    ],
)
def test_a_precondition_that_does_not_hold_keeps_the_claim(
    deletions: Any, precondition: dict[str, str]
) -> None:
    """The deletion is refused, and the claim is not even marked."""
    deletions.claim("claim")

    with expect.refused(409):
        deletions.delete("claim", preconditions=precondition)

    expect.absent(deletions.read("claim"), "metadata.deletionTimestamp")


@pytest.mark.requirement("DRA-DEL-02")
def test_a_finalizer_keeps_a_deleted_claim(deletions: Any) -> None:
    """It is marked and stays; without the finalizer it goes at once."""
    deletions.claim("claim", held=True)

    deletions.delete("claim")
    expect.present(deletions.read("claim"), "metadata.deletionTimestamp")
    deletions.release("claim")

    with expect.refused(404):
        deletions.world.claims.get("claim")

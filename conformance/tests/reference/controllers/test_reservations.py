"""Who holds a claim, and what goes when a holder does."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.controllers.reservations import (
    can_reserve,
    holds,
    with_consumer,
    without_consumers,
)
from conformance.reference.podclaims import FINALIZER, is_done


def claim(*uids: str, allocated: bool = True, protected: bool = True) -> dict[str, Any]:
    status: dict[str, Any] = {
        "reservedFor": [{"resource": "pods", "name": f"pod-{uid}", "uid": uid} for uid in uids]
    }
    if allocated:
        status["allocation"] = {"devices": {"results": []}}
    return {
        "metadata": {"name": "c", "finalizers": [FINALIZER] if protected else []},
        "status": status,
    }


def pod(uid: str, **fields: Any) -> dict[str, Any]:
    return {"metadata": {"name": f"pod-{uid}", "uid": uid}, "spec": {}, "status": {}, **fields}


def test_the_last_consumer_takes_the_allocation_with_it() -> None:
    changed = without_consumers(claim("a"), ["a"])

    assert "reservedFor" not in changed["status"]
    assert "allocation" not in changed["status"]


def test_another_consumer_keeps_the_allocation() -> None:
    changed = without_consumers(claim("a", "b"), ["a"])

    assert [entry["uid"] for entry in changed["status"]["reservedFor"]] == ["b"]
    assert "allocation" in changed["status"]


def test_an_allocation_that_the_scheduler_did_not_make_stays() -> None:
    changed = without_consumers(claim("a", protected=False), ["a"])

    assert "allocation" in changed["status"]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(pod("a"), True, id="runs"),
        pytest.param(pod("a", status={"phase": "Succeeded"}), False, id="has-succeeded"),
        pytest.param(pod("a", status={"phase": "Failed"}), False, id="has-failed"),
        pytest.param(
            pod("a", metadata={"uid": "a", "deletionTimestamp": "2026-01-01T00:00:00Z"}),
            False,
            id="was-deleted-before-scheduling",
        ),
        pytest.param(
            pod(
                "a",
                metadata={"uid": "a", "deletionTimestamp": "2026-01-01T00:00:00Z"},
                spec={"nodeName": "n"},
            ),
            True,
            id="is-terminating-on-a-node",
        ),
    ],
)
def test_a_pod_may_need_its_claims_while_it(found: dict[str, Any], expected: bool) -> None:
    assert is_done(found) is not expected


def test_a_reservation_is_for_one_pod_and_not_for_its_namesake() -> None:
    consumer = {"resource": "pods", "name": "pod-a", "uid": "a"}

    assert holds(consumer, pod("a"))
    assert not holds(consumer, pod("b"))


def test_the_controller_reserves_but_never_allocates() -> None:
    assert can_reserve(pod("b"), claim("a"))
    assert not can_reserve(pod("a"), claim("a"))
    assert not can_reserve(pod("b"), claim(allocated=False))


def test_a_reservation_is_added_to_the_others() -> None:
    changed = with_consumer(pod("b"), claim("a"))

    assert [entry["uid"] for entry in changed["status"]["reservedFor"]] == ["a", "b"]

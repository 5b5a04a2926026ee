"""What a container may use, and how readily it is killed, with devices and without."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.kubelet.pods.cgroups import limits_of, oom_score

GIB = 2**30


def pod(quality: str = "Burstable", *users: str, **row: Any) -> dict[str, Any]:
    """Return a Pod whose claim takes this, used by these containers."""
    rows = [{"resourceClaimName": "claim", "containers": list(users), **row}]
    status = {"qosClass": quality, "nodeAllocatableResourceClaimStatuses": rows}
    return {"spec": {}, "status": status}


def container(**resources: Any) -> dict[str, Any]:
    """Return the container c."""
    return {"name": "c", "resources": resources}


@pytest.mark.parametrize(
    ("limits", "users", "found"),
    [
        ({}, ["c"], {"memory": "max", "cpu": "max"}),
        ({"memory": "1Gi"}, ["c"], {"memory": str(3 * GIB), "cpu": "max"}),
        ({"memory": "1Gi", "cpu": "100m"}, ["d"], {"memory": str(GIB), "cpu": "100"}),
        ({"cpu": "100m"}, ["c", "d"], {"memory": "max", "cpu": "1600"}),
    ],
    ids=["no limit", "a limit and a claim", "the claim of another", "a claim that is shared"],
)
def test_what_claims_take_comes_on_top_of_a_limit(
    limits: dict[str, str], users: list[str], found: dict[str, str]
) -> None:
    mapping = [{"name": "cpu", "quantity": "1500m"}]
    overhead = [{"name": "memory", "perPod": "1Gi", "perContainer": "1Gi"}]

    one = pod("Burstable", *users, mapping=mapping, overhead=overhead)

    assert limits_of(one, container(limits=limits)) == found


@pytest.mark.parametrize(
    ("quality", "users", "score"),
    [
        ("Guaranteed", ["c"], -997),
        ("BestEffort", ["c"], 1000),
        ("Burstable", ["d"], 900),
        ("Burstable", ["c"], 700),
        ("Burstable", ["c", "d"], 800),
    ],
    ids=["guaranteed", "best effort", "the claim of another", "its own claim", "a shared claim"],
)
def test_the_score_follows_the_memory_of_claims(quality: str, users: list[str], score: int) -> None:
    one = pod(quality, *users, mapping=[{"name": "memory", "quantity": "2Gi"}])

    assert oom_score(one, container(requests={"memory": "1Gi"}), 10 * GIB) == score


def test_a_score_stays_between_those_of_other_classes() -> None:
    one = pod("Burstable", "c")

    assert oom_score(one, container(requests={"memory": "10Gi"}), 10 * GIB) == 3
    assert oom_score(one, container(requests={"cpu": "1"}), 10 * GIB) == 999

"""What a claim counts for against the quota of its namespace."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra.quota import CLAIMS, Holding, usage_of_claim, usage_of_pod

MARK = "resource.kubernetes.io/extended-resource-claim"
DEVICES = "gpu.deviceclass.resource.k8s.io/devices"
IMPLICIT = "requests.deviceclass.resource.kubernetes.io/gpu"
EXPLICIT = "requests.example.com/gpu"

CLASS = {"metadata": {"name": "gpu"}, "spec": {"extendedResourceName": "example.com/gpu"}}


def claim(name: str, *requests: dict[str, Any], **meta: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, **meta}, "spec": {"devices": {"requests": list(requests)}}}


def exactly(**more: Any) -> dict[str, Any]:
    return {"name": "r", "exactly": {"deviceClassName": "gpu", **more}}


@pytest.mark.parametrize(
    ("requests", "devices"),
    [
        pytest.param([exactly()], 1, id="one"),
        pytest.param([exactly(count=2), exactly(count=3)], 5, id="a sum"),
        pytest.param([exactly(allocationMode="All")], 32, id="all"),
        pytest.param([exactly(allocationMode="Unheard")], 0, id="a mode of the future"),
        pytest.param([{"name": "r"}], 0, id="a request of the future"),
    ],
)
def test_devices_of_a_claim(requests: list[Any], devices: int) -> None:
    used = usage_of_claim(claim("c", *requests), {})

    assert used[CLAIMS] == 1
    assert used[DEVICES] == devices


def test_each_class_counts_with_its_largest_alternative() -> None:
    ways = [
        {"name": "a", "deviceClassName": "gpu", "count": 2},
        {"name": "b", "deviceClassName": "gpu", "count": 3},
        {"name": "c", "deviceClassName": "nic"},
    ]
    used = usage_of_claim(claim("c", {"name": "r", "firstAvailable": ways}), {})

    assert (used[DEVICES], used["nic.deviceclass.resource.k8s.io/devices"]) == (3, 1)


def pod(amount: str = "2", phase: str = "Pending", **status: Any) -> dict[str, Any]:
    requests = {"example.com/gpu": amount, "cpu": "1"}
    return {
        "metadata": {"name": "p", "uid": "u"},
        "spec": {"containers": [{"name": "c", "resources": {"requests": requests}}]},
        "status": {"phase": phase, **status},
    }


@pytest.mark.parametrize(("phase", "used"), [("Pending", 2), ("Running", 2), ("Succeeded", 0)])
def test_a_pod_counts_until_it_is_over(phase: str, used: int) -> None:
    assert usage_of_pod(pod(phase=phase))[EXPLICIT] == used


def container(amount: int, **more: Any) -> dict[str, Any]:
    return {"name": "c", "resources": {"requests": {"example.com/gpu": str(amount)}}, **more}


ALWAYS = {"restartPolicy": "Always"}


@pytest.mark.parametrize(
    ("inits", "containers", "used"),
    [
        pytest.param([], [1, 2], 3, id="containers together"),
        pytest.param([container(4), container(3)], [1, 2], 4, id="the largest init container"),
        pytest.param([container(2)], [1, 2], 3, id="more than any init container"),
        pytest.param([container(2, **ALWAYS)], [1], 3, id="a sidecar beside containers"),
        pytest.param(
            [container(2, **ALWAYS), container(3)], [1], 5, id="a sidecar beside an init container"
        ),
        pytest.param(
            [container(3), container(2, **ALWAYS)], [1], 3, id="a sidecar after an init container"
        ),
        pytest.param([{"name": "c"}], [0], 0, id="nothing"),
    ],
)
def test_a_pod_counts_with_its_init_containers(
    inits: list[Any], containers: list[int], used: int
) -> None:
    spec = {"initContainers": inits, "containers": [container(one) for one in containers]}

    assert usage_of_pod({"metadata": {}, "spec": spec})[EXPLICIT] == used


def test_classes_of_one_extended_resource_count_together() -> None:
    other = {"name": "s", "exactly": {"deviceClassName": "other", "count": 3}}
    served = {"gpu": "example.com/gpu", "other": "example.com/gpu"}

    used = usage_of_claim(claim("c", exactly(count=2), other), served)

    assert used[EXPLICIT] == 5
    assert (used[IMPLICIT], used[IMPLICIT.replace("gpu", "other")]) == (2, 3)


@pytest.mark.parametrize(("exempt", "rest"), [(1, 4), (5, 0), (9, 0)])
def test_what_a_pod_counts_for_is_taken_off_once(exempt: int, rest: int) -> None:
    other = {"name": "s", "exactly": {"deviceClassName": "other", "count": 3}}
    served = {"gpu": "example.com/gpu", "other": "example.com/gpu"}

    used = usage_of_claim(claim("c", exactly(count=2), other), served, {EXPLICIT: exempt})

    assert used[EXPLICIT] == rest
    assert EXPLICIT in used or not rest


def marked(name: str, uid: str = "u", created: str = "2025-12-31T00:00:00Z") -> dict[str, Any]:
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": uid, "controller": True}
    meta = {
        "annotations": {MARK: "true"},
        "ownerReferences": [owner],
        "creationTimestamp": created,
    }
    return claim(name, exactly(count=2), **meta)


@pytest.mark.parametrize(
    ("made", "status", "counted"),
    [
        pytest.param(marked("mine"), {}, 0, id="the first claim of the Pod"),
        pytest.param(marked("later", created="2026-01-02T00:00:00Z"), {}, 2, id="a later one"),
        pytest.param(
            marked("mine"),
            {"extendedResourceClaimStatus": {"resourceClaimName": "mine"}},
            0,
            id="the one that the Pod names",
        ),
        pytest.param(
            marked("mine"),
            {"extendedResourceClaimStatus": {"resourceClaimName": "other"}},
            2,
            id="another than the Pod names",
        ),
        pytest.param(marked("mine", uid="x"), {}, 2, id="a Pod that is not there"),
        pytest.param(claim("mine", exactly(count=2)), {}, 2, id="a claim without the mark"),
    ],
)
def test_only_the_claim_of_a_pods_extended_resources_is_exempt(
    made: dict[str, Any], status: dict[str, Any], counted: int
) -> None:
    holding = Holding(claims=[marked("nth")], pods=[pod(**status)], classes=[CLASS])

    used = holding.of_claim(made)

    assert used[EXPLICIT] == counted
    # The class's own limit and that of its devices know no exemption by another name.
    assert used[DEVICES] == used[IMPLICIT] == 2

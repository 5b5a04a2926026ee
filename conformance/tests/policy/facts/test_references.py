"""What Pods and claims name."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.policy.facts import references
from conformance.tests.policy.facts.building import node, pod, subject


def claim(*requests: dict[str, Any], kind: str = "ResourceClaim", **devices: Any) -> dict[str, Any]:
    spec: dict[str, Any] = {"devices": {"requests": list(requests), **devices}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": "gpu"},
        "spec": {"spec": spec} if kind == "ResourceClaimTemplate" else spec,
    }


def asks(name: str = "gpu", **fields: Any) -> dict[str, Any]:
    return {"name": name, "exactly": {"deviceClassName": "gpu.example.com", **fields}}


def first(name: str, *counts: int) -> dict[str, Any]:
    rows = [{"name": f"n{one}", "deviceClassName": "gpu", "count": one} for one in counts]
    return {"name": name, "firstAvailable": rows}


def test_requests_are_named_with_their_alternatives() -> None:
    found = references.requests(subject(claim(asks(), first("any", 1, 2))))

    assert [one["name"] for one in found] == ["gpu", "any/n1", "any/n2"]


def test_requests_of_beta_versions_have_their_fields_on_top() -> None:
    (found,) = references.requests(subject(claim({"name": "a", "deviceClassName": "b"})))

    assert found["deviceClassName"] == "b"


@pytest.mark.parametrize("kind", ["ResourceClaim", "ResourceClaimTemplate"])
def test_total_counts_the_smallest_alternative(kind: str) -> None:
    found = references.device_total(subject(claim(asks(count=3), first("b", 9, 4), kind=kind)))

    assert found == 7


def test_total_counts_one_for_all_devices() -> None:
    assert references.device_total(subject(claim(asks(allocationMode="All")))) == 1


def test_names_of_requests_are_missed() -> None:
    rows = [{"requests": ["gpu", "any/n1", "nic"], "matchAttribute": "a/b"}]

    found = references.requests_missing(subject(claim(asks(), first("any", 1), constraints=rows)))

    assert found == ["nic"]


def with_claims(used: list[str], *claims: dict[str, str]) -> dict[str, Any]:
    container = {"name": "app", "resources": {"claims": [{"name": one} for one in used]}}
    return pod({"containers": [container], "resourceClaims": list(claims)})


def test_claims_of_a_pod_and_of_its_containers_are_compared() -> None:
    asked = subject(with_claims(["a", "b"], {"name": "b"}, {"name": "c"}))

    assert references.broken_claims(asked) == ["a"]
    assert references.unused_claims(asked) == ["c"]


def test_absent_claims_are_not_missed_in_a_single_file() -> None:
    one = {"name": "a", "resourceClaimName": "gone"}

    assert references.absent(subject(with_claims(["a"], one))) == []


def test_absent_claims_are_missed_in_a_cluster() -> None:
    one = {"name": "a", "resourceClaimName": "gone"}

    assert references.absent(subject(with_claims(["a"], one), node())) == ["ResourceClaim gone"]


def test_classes_are_missed_in_a_cluster_only() -> None:
    assert references.absent_classes(subject(claim(asks()))) == []
    assert references.absent_classes(subject(claim(asks()), node())) == ["gpu.example.com"]


@pytest.mark.parametrize(
    ("request_", "plain"),
    [
        pytest.param(asks(), True, id="a whole device"),
        pytest.param(asks(count=4), True, id="several"),
        pytest.param(asks(selectors=[{"cel": {"expression": "true"}}]), False, id="selected"),
        pytest.param(asks(capacity={"requests": {"memory": "1Gi"}}), False, id="shared"),
        pytest.param(first("any", 1, 2), False, id="alternatives"),
    ],
)
def test_whole_devices_are_told_from_others(request_: dict[str, Any], plain: bool) -> None:
    cluster = {"apiVersion": "evidence.dra-conformance/v1", "kind": "Cluster"}

    assert references.whole_devices(subject(cluster, claim(request_))) is plain


def test_no_claim_asks_for_no_whole_device() -> None:
    assert references.whole_devices(subject(node())) is False

"""Whether a node is one for a Pod, devices aside."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from conformance.reference.scheduler.fit import requests_of, why_unfit


def node(**fields: Any) -> dict[str, Any]:
    spec = {key: fields.pop(key) for key in ("taints", "unschedulable") if key in fields}
    allocatable = fields.pop("allocatable", {"cpu": "4", "memory": "8Gi", "pods": "3"})
    return {
        "metadata": {"name": "node-1", "labels": {"zone": "a"}},
        "spec": spec,
        "status": {"allocatable": allocatable},
    }


def pod(requests: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    container = {"name": "c", "resources": {"requests": requests or {}}}
    return {"metadata": {"name": "p"}, "spec": {"containers": [container], **spec}}


def affinity(operator: str, *values: str) -> dict[str, Any]:
    expression = {"key": "zone", "operator": operator, "values": list(values)}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


TAINT = {"key": "gpu", "value": "only", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("wanted", "offered"),
    [
        pytest.param(pod(), node(), id="plain"),
        pytest.param(pod({"cpu": "4", "memory": "8Gi"}), node(), id="exactly-all"),
        pytest.param(pod(nodeSelector={"zone": "a"}), node(), id="node-selector"),
        pytest.param(pod(affinity=affinity("In", "a")), node(), id="affinity"),
        pytest.param(
            pod(tolerations=[{"key": "gpu", "operator": "Exists"}]),
            node(taints=[TAINT]),
            id="tolerated-by-key",
        ),
        pytest.param(
            pod(tolerations=[{"operator": "Exists"}]), node(taints=[TAINT]), id="tolerates-all"
        ),
        pytest.param(
            pod(tolerations=[{"key": "gpu", "value": "only", "effect": "NoSchedule"}]),
            node(taints=[TAINT]),
            id="tolerated-by-value",
        ),
        pytest.param(
            pod(), node(taints=[{**TAINT, "effect": "PreferNoSchedule"}]), id="soft-taint"
        ),
    ],
)
def test_pod_fits(wanted: dict[str, Any], offered: dict[str, Any]) -> None:
    assert why_unfit(wanted, offered, []) is None


@pytest.mark.parametrize(
    ("wanted", "offered", "reason"),
    [
        pytest.param(pod({"cpu": "4100m"}), node(), "Insufficient cpu", id="cpu"),
        pytest.param(pod({"memory": "9Gi"}), node(), "Insufficient memory", id="memory"),
        pytest.param(pod({"x.io/y": "1"}), node(), "Insufficient x.io/y", id="extended"),
        pytest.param(pod(), node(unschedulable=True), "node(s) were unschedulable", id="cordoned"),
        pytest.param(pod(), node(taints=[TAINT]), "node(s) had untolerated taint(s)", id="tainted"),
        pytest.param(
            pod(tolerations=[{"key": "gpu", "value": "other"}]),
            node(taints=[TAINT]),
            "node(s) had untolerated taint(s)",
            id="tolerates-another-value",
        ),
        pytest.param(
            pod(nodeSelector={"zone": "b"}),
            node(),
            "node(s) didn't match Pod's node affinity/selector",
            id="node-selector",
        ),
        pytest.param(
            pod(affinity=affinity("NotIn", "a")),
            node(),
            "node(s) didn't match Pod's node affinity/selector",
            id="affinity",
        ),
    ],
)
def test_pod_does_not_fit(wanted: dict[str, Any], offered: dict[str, Any], reason: str) -> None:
    assert why_unfit(wanted, offered, []) == reason


def test_other_pods_take_their_share() -> None:
    others = [pod({"cpu": "3"})]

    assert why_unfit(pod({"cpu": "2"}), node(), others) == "Insufficient cpu"
    assert why_unfit(pod(), node(), others * 3) == "Too many pods"
    finished = [{**other, "status": {"phase": "Succeeded"}} for other in others * 3]
    assert why_unfit(pod({"cpu": "2"}), node(), finished) is None


def test_init_containers_count_by_their_greatest() -> None:
    def container(cpu: str, **fields: Any) -> dict[str, Any]:
        return {"resources": {"requests": {"cpu": cpu}}, **fields}

    spec = {
        "containers": [container("1"), container("1")],
        "initContainers": [container("3"), container("500m", restartPolicy="Always")],
        "overhead": {"cpu": "100m"},
    }

    assert dict(requests_of({"spec": spec})) == {"cpu": Decimal("3.1")}

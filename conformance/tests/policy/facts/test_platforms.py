"""Runtimes, autoscalers and device plugins."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.policy.facts import platforms, plugins
from conformance.tests.policy.facts.building import node, pod, subject


def deployment(image: str, *words: str, **env: str) -> dict[str, Any]:
    rows = [{"name": key, "value": value} for key, value in env.items()]
    container = {"name": "c", "image": image, "command": list(words), "env": rows}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "c"},
        "spec": {"template": {"spec": {"containers": [container]}}},
    }


@pytest.mark.parametrize(
    ("told", "name", "version"),
    [("containerd://2.4.2", "containerd", "2.4.2"), ("cri-o://1.33.0", "cri-o", "1.33.0")],
)
def test_runtime_is_read(told: str, name: str, version: str) -> None:
    known = node(status={"nodeInfo": {"containerRuntimeVersion": told}})

    assert platforms.runtime(subject(known)) == {"name": name, "version": version}


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param(deployment("ecr/karpenter/controller:1.14.0"), (14, True), id="default"),
        pytest.param(
            deployment("ecr/karpenter/controller:1.14.0", IGNORE_DRA_REQUESTS="false"),
            (14, False),
            id="by environment",
        ),
        pytest.param(
            deployment("ecr/karpenter/controller:1.14.0", "--ignore-dra-requests=false"),
            (14, False),
            id="by flag",
        ),
        pytest.param(deployment("ecr/karpenter/controller:v0.37.0"), (0, True), id="before 1"),
        pytest.param(deployment("ecr/karpenter/controller@sha256:ab"), (-1, True), id="digest"),
    ],
)
def test_karpenter_is_known(made: dict[str, Any], expected: tuple[int, bool]) -> None:
    found = platforms.karpenter(subject(made))

    assert (found["minor"], found["ignores"]) == expected


@pytest.mark.parametrize(
    ("tag", "words", "handles"),
    [
        ("v1.34.2", (), False),
        ("v1.34.2", ("--enable-dynamic-resource-allocation=true",), True),
        ("v1.34.2", ("--enable-dynamic-resource-allocation",), True),
        ("v1.35.0", (), True),
    ],
)
def test_cluster_autoscaler_is_known(tag: str, words: tuple[str, ...], handles: bool) -> None:
    made = deployment(f"registry.k8s.io/autoscaling/cluster-autoscaler:{tag}", *words)

    assert platforms.cluster_autoscaler(subject(made)) == {"handles": handles}


def test_other_deployments_are_no_autoscalers() -> None:
    other = subject(deployment("registry.example/app:v1"))

    assert platforms.karpenter(other) == {}
    assert platforms.cluster_autoscaler(other) == {}


def slice_of(driver: str, name: str, *devices: str) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "spec": {"driver": driver, "nodeName": name, "devices": [{"name": d} for d in devices]},
    }


@pytest.mark.parametrize(
    ("amount", "slices", "expected"),
    [
        ("8", slice_of("gpu.nvidia.com", "node-a", "gpu-0"), ["nvidia.com/gpu and gpu.nvidia.com"]),
        ("0", slice_of("gpu.nvidia.com", "node-a", "gpu-0"), []),
        ("8", slice_of("gpu.nvidia.com", "node-b", "gpu-0"), []),
        ("8", slice_of("gpu.nvidia.com", "node-a"), []),
        ("8", slice_of("gpu.amd.com", "node-a", "gpu-0"), []),
    ],
    ids=["both", "none left to the plugin", "other node", "no device", "other vendor"],
)
def test_devices_advertised_twice(amount: str, slices: dict[str, Any], expected: list[str]) -> None:
    known = node(status={"allocatable": {"nvidia.com/gpu": amount}})

    assert plugins.twice(subject(known, slices)) == expected


def test_pods_ask_for_resources_of_device_plugins() -> None:
    limits = {"nvidia.com/gpu": 1, "cpu": 1, "example.com/token": 1}
    made = pod({"containers": [{"name": "a", "resources": {"limits": limits}}]})

    assert plugins.device_resources(subject(made)) == ["nvidia.com/gpu"]

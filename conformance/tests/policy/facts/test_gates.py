"""Feature gates over several components."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.policy.facts import gates
from conformance.tests.policy.facts.building import node, pod, subject


def component(name: str, gate: str = "", tag: str = "v1.37.2") -> dict[str, Any]:
    words = [name, *([f"--feature-gates={gate}"] if gate else [])]
    image = f"registry.k8s.io/{name}:{tag}"
    return pod({"containers": [{"name": name, "image": image, "command": words}]}, name)


def kubelet(**chosen: bool) -> dict[str, Any]:
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "featureGates": chosen,
    }


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        pytest.param(
            component("kube-apiserver", "DRADeviceBindingConditions=false"),
            component("kube-scheduler"),
            True,
            id="off, and on by default",
        ),
        pytest.param(
            component("kube-apiserver", "DRAResourcePoolStatus=true"),
            component("kube-controller-manager", tag="v1.36.0"),
            True,
            id="on, and off by the default of an older version",
        ),
        pytest.param(
            component("kube-apiserver", "DRAResourcePoolStatus=true"),
            component("kube-scheduler"),
            False,
            id="a component that the gate is not for",
        ),
        pytest.param(
            component("kube-apiserver", "DRADeviceTaints=true"),
            component("kube-scheduler", "DRADeviceTaints=false"),
            True,
            id="both explicit, gate without a table",
        ),
        pytest.param(
            component("kube-apiserver", "SomethingElse=true"),
            component("kube-scheduler", "SomethingElse=false"),
            False,
            id="a gate that is none of DRA",
        ),
        pytest.param(
            component("kube-apiserver"), kubelet(ResourceHealthStatus=False), True, id="kubelet"
        ),
    ],
)
def test_gates_that_differ_are_found(
    first: dict[str, Any], second: dict[str, Any], apart: bool
) -> None:
    assert bool(gates.gates_apart(subject(first, second, node()))) is apart


def test_a_component_of_unknown_version_has_no_defaults() -> None:
    unknown = component("kube-scheduler", tag="latest")
    server = component("kube-apiserver", "DRADeviceBindingConditions=false")

    assert gates.gates_apart(subject(server, unknown)) == []


def test_gate_without_its_condition_is_found() -> None:
    both = "DRAPartitionableDevicesType=true,DRAResourcePoolStatus=false"

    found = gates.gates_unmet(subject(component("kube-apiserver", both)))

    assert "DRAPartitionableDevicesType needs DRAResourcePoolStatus" in found


def test_minor_of_the_nodes_counts_where_no_image_tells() -> None:
    alone = node(status={"nodeInfo": {"kubeletVersion": "v1.36.1"}})
    server = component("kube-apiserver", "DRAResourcePoolStatus=true")
    manager = component("kube-controller-manager", tag="custom")

    assert gates.gates_apart(subject(server, manager, alone))

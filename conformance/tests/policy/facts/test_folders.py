"""Folders, sockets, taints and ports of drivers."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.policy.facts import folders
from conformance.tests.policy.facts.building import node, subject


def daemon_set(host: str, inside: str | None = None, **pod: Any) -> dict[str, Any]:
    mount = {"name": "folder", "mountPath": inside or host}
    container = {"name": "plugin", "image": "driver:v1", "volumeMounts": [mount]}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "driver"},
        "spec": {
            "template": {
                "spec": {
                    "containers": [container],
                    "volumes": [{"name": "folder", "hostPath": {"path": host}}],
                    **pod,
                }
            }
        },
    }


@pytest.mark.parametrize(
    ("host", "plugins", "registry", "root"),
    [
        ("/var/lib/kubelet/plugins", True, False, "/var/lib/kubelet"),
        ("/var/lib/kubelet/plugins/gpu.example.com/", True, False, "/var/lib/kubelet"),
        ("/data/kubelet/plugins_registry", False, True, "/data/kubelet"),
        ("/var/lib/kubelet", True, True, "/var/lib/kubelet"),
    ],
)
def test_folders_of_the_kubelet_are_known(
    host: str, plugins: bool, registry: bool, root: str
) -> None:
    (found,) = folders.folders(subject(daemon_set(host)))

    assert (found["plugins"], found["registry"], found["root"]) == (plugins, registry, root)


@pytest.mark.parametrize("host", ["/var/run/cdi", "/var/lib/kubelet/pods", "/opt/plugins-of-ours"])
def test_other_folders_are_none_of_the_kubelets(host: str) -> None:
    assert folders.folders(subject(daemon_set(host))) == []


def test_mount_elsewhere_is_told() -> None:
    (found,) = folders.folders(subject(daemon_set("/var/lib/kubelet/plugins", "/plugins")))

    assert (found["host"], found["inside"]) == ("/var/lib/kubelet/plugins", "/plugins")


def test_length_of_the_socket_counts_driver_and_uid() -> None:
    driver = daemon_set("/var/lib/kubelet/plugins")
    container = driver["spec"]["template"]["spec"]["containers"][0]
    container["env"] = [{"name": "DRIVER_NAME", "value": "gpu.example.com"}]
    path = f"/var/lib/kubelet/plugins/gpu.example.com/dra-{'u' * 36}.sock"

    assert folders.socket_length(subject(driver)) == len(path)


def test_length_is_zero_where_the_driver_is_unknown() -> None:
    assert folders.socket_length(subject(daemon_set("/var/lib/kubelet/plugins"))) == 0


@pytest.mark.parametrize(
    ("pod", "kept_away"),
    [
        pytest.param({}, True, id="no toleration"),
        pytest.param({"tolerations": [{"operator": "Exists"}]}, False, id="tolerates all"),
        pytest.param({"tolerations": [{"key": "gpu", "operator": "Exists"}]}, False, id="by key"),
        pytest.param({"tolerations": [{"key": "gpu", "value": "yes"}]}, False, id="by value"),
        pytest.param({"tolerations": [{"key": "gpu", "value": "no"}]}, True, id="other value"),
        pytest.param(
            {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoExecute"}]},
            True,
            id="other effect",
        ),
        pytest.param({"nodeSelector": {"gpu": "none"}}, False, id="node not chosen"),
    ],
)
def test_taints_keep_a_driver_away(pod: dict[str, Any], kept_away: bool) -> None:
    tainted = node(spec={"taints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]})
    driver = daemon_set("/var/lib/kubelet/plugins", **pod)

    found = folders.untolerated(subject(driver, tainted))

    assert found == (["node-a: gpu"] if kept_away else [])


def test_taints_of_the_control_plane_are_left_aside() -> None:
    taint = {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}

    driver = daemon_set("/var/lib/kubelet/plugins")

    assert folders.untolerated(subject(driver, node(spec={"taints": [taint]}))) == []


def test_malformed_affinity_chooses_nothing() -> None:
    required = {"nodeSelectorTerms": [{"matchExpressions": [{"operator": "Near"}]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    tainted = node(spec={"taints": [{"key": "gpu", "effect": "NoSchedule"}]})
    driver = daemon_set("/var/lib/kubelet/plugins", affinity=affinity)

    assert folders.untolerated(subject(driver, tainted)) == []


@pytest.mark.parametrize(
    ("surge", "expected"), [(1, True), ("10%", True), (0, False), ("0%", False), (None, False)]
)
def test_surge_is_known(surge: Any, expected: bool) -> None:
    driver = daemon_set("/var/lib/kubelet/plugins")
    rolling = {} if surge is None else {"maxSurge": surge}
    driver["spec"]["updateStrategy"] = {"rollingUpdate": rolling}

    assert folders.surges(subject(driver)) is expected

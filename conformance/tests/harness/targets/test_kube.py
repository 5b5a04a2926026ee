"""What a live cluster tells of itself, and what it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.harness.errors import (
    HarnessError,
    TargetMisconfigured,
    TargetUnreachable,
    Unsupported,
)
from conformance.harness.exchange import Exchanges
from conformance.harness.target import (
    DEFAULT_BINDING_TIMEOUT,
    KUBELET,
    PLAIN,
    RESTART_KUBELET,
    Variant,
)
from conformance.harness.targets import kube
from conformance.harness.targets.opening import TargetOptions, open_target
from conformance.kube.objects import Object
from conformance.kube.status import forbidden

METRICS = """# TYPE kubernetes_feature_enabled gauge
kubernetes_feature_enabled{name="DRAResourcePoolStatus",stage="ALPHA"} 1
kubernetes_feature_enabled{name="DRADeviceBindingConditions",stage="BETA"} 0
"""


class Api:
    """A server that says who it is, and perhaps its metrics and its nodes."""

    server = "https://cluster.example"

    def __init__(self, *, metrics: str | None = METRICS, nodes: list[Object] | None = None) -> None:
        self._metrics = metrics
        self._nodes = nodes or []
        self.exchanges = Exchanges()
        self.clock: Any = None

    def ask(self, method: str, path: str) -> Object:
        """Return the version, or what is served of a group."""
        if path.startswith("/apis/"):
            return {"versions": [{"groupVersion": f"{path.removeprefix('/apis/')}/v1"}]}
        return {"major": "1", "minor": "37+"}

    def text(self, path: str) -> str:
        """Return the metrics, if they may be read."""
        if self._metrics is None:
            raise forbidden("", "", "/metrics", "no")
        return self._metrics

    def list(self, resource: Any) -> list[Object]:
        """Return the nodes."""
        return self._nodes


def target(api: Any = None, **options: Any) -> kube.KubeTarget:
    return kube.KubeTarget(
        api or Api(), TargetOptions(kind="kube", kubeconfig=Path("x"), **options)
    )


def node(name: str, *, ready: str = "True", port: int = 0, **spec: Any) -> Object:
    return {
        "metadata": {"name": name},
        "spec": spec,
        "status": {
            "conditions": [{"type": "Ready", "status": ready}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        },
    }


def test_version_and_gates_are_detected() -> None:
    described = target().describe()

    assert described.kubernetes_version == "1.37"
    assert described.gates["DRAResourcePoolStatus"] is True
    assert described.gates["DRADeviceBindingConditions"] is False
    assert described.gates["DRADeviceTaints"] is True


def test_without_metrics_the_documented_defaults_hold() -> None:
    described = target(Api(metrics=None)).describe()

    assert described.gates["DRAResourcePoolStatus"] is False
    assert described.gates["DRADeviceBindingConditions"] is True


def test_what_a_person_says_of_gates_wins() -> None:
    described = target(gates={"DRAResourcePoolStatus": False}).describe()

    assert described.gates["DRAResourcePoolStatus"] is False


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        pytest.param(
            Variant.of({"DRADeviceBindingConditions": True}),
            "DRADeviceBindingConditions=true",
            id="a gate",
        ),
        pytest.param(Variant.of(binding_timeout=60), "bindingTimeout 60s", id="a timeout"),
        pytest.param(
            Variant.of(serves=["resource.k8s.io/v1", "resource.k8s.io/v1beta1"]),
            "does not serve resource.k8s.io/v1beta1",
            id="a version",
        ),
    ],
)
def test_a_variant_that_the_cluster_is_not_is_unsupported(variant: Variant, said: str) -> None:
    with pytest.raises(Unsupported, match=said):
        target().cluster(variant)


def test_a_timeout_that_a_person_vouches_for_is_taken() -> None:
    assert target(binding_timeout=60.0).cluster(Variant.of(binding_timeout=60))


def test_only_nodes_that_take_ordinary_pods_are_used() -> None:
    nodes = [
        node("c", port=10250),
        node("a"),
        node("not-ready", ready="False"),
        node("cordoned", unschedulable=True),
        node("tainted", taints=[{"key": "x", "effect": "NoSchedule"}]),
    ]
    cluster = target(Api(nodes=nodes)).cluster(PLAIN)

    assert cluster.nodes() == ["a", "c"]
    assert cluster.running_nodes() == ["c"]
    assert cluster.capabilities == {KUBELET, DEFAULT_BINDING_TIMEOUT}


@pytest.mark.parametrize(
    "text", ["", "[]", "apiVersion: v1\nkind: Config\n", "{not yaml"], ids=repr
)
def test_a_kubeconfig_that_makes_no_sense_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(text, "utf-8")

    with pytest.raises(TargetMisconfigured, match="kubeconfig"):
        open_target(TargetOptions(kind="kube", kubeconfig=path))


def test_a_missing_kubeconfig_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TargetMisconfigured, match="No such file or directory"):
        open_target(TargetOptions(kind="kube", kubeconfig=tmp_path / "missing"))


def test_a_server_that_does_not_answer_is_unreachable(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(
        """apiVersion: v1
kind: Config
current-context: c
clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
""",
        "utf-8",
    )

    with pytest.raises(TargetUnreachable, match=r"127\.0\.0\.1:1"):
        open_target(TargetOptions(kind="kube", kubeconfig=path)).describe()


def test_without_a_command_no_kubelet_is_restarted() -> None:
    cluster = target().cluster(PLAIN)

    assert RESTART_KUBELET not in cluster.capabilities
    with pytest.raises(Unsupported, match="not ours to restart"):
        cluster.restart_kubelet("node-1")


def test_the_command_that_restarts_a_kubelet_gets_its_name(tmp_path: Path) -> None:
    cluster = target(restart_kubelet=f"touch '{tmp_path}/it was {{node}}'").cluster(PLAIN)

    cluster.restart_kubelet("node-1")

    assert RESTART_KUBELET in cluster.capabilities
    assert (tmp_path / "it was node-1").exists()


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("sh -c 'echo no such {node} >&2; exit 3'", "ended with 3: no such node-1"),
        ("/nowhere/restart {node}", "No such file"),
    ],
    ids=["it fails", "it does not exist"],
)
def test_a_restart_that_fails_is_an_error_of_ours(command: str, sentence: str) -> None:
    cluster = target(restart_kubelet=command).cluster(PLAIN)

    with pytest.raises(HarnessError, match=sentence):
        cluster.restart_kubelet("node-1")

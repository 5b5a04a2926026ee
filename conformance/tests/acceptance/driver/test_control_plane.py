"""``certify --control-plane kube``: a driver of ours beside a cluster, here one of ``serve``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

from conformance.tests.acceptance.certifying import NAME, TRACEBACK, Outcome, certify, command
from conformance.tests.acceptance.driver_program import Api

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(300)]

DRA = "/apis/resource.k8s.io/v1"
RBAC = "/apis/rbac.authorization.k8s.io/v1"

#: Where what a run lends a driver would be left.
COLLECTIONS = (
    f"{DRA}/deviceclasses",
    "/api/v1/serviceaccounts",
    f"{RBAC}/clusterroles",
    f"{RBAC}/clusterrolebindings",
)


@attrs.frozen(kw_only=True)
class Cluster:
    """A cluster with one node whose directories are reached."""

    kubeconfig: Path
    root: Path

    @property
    def plugins(self) -> Path:
        """The folder of the drivers' sockets and state."""
        return self.root / "plugins"

    def items(self, path: str) -> list[Any]:
        return Api(self.kubeconfig).ask("GET", path)["items"]

    def certify(self, out: Path, *more: str) -> Outcome:
        cdi = self.kubeconfig.parent / "node-1" / "run" / "cdi"
        return certify(
            out, command(), "--control-plane", "kube", "--kubeconfig", str(self.kubeconfig),
            "--node-root", f"node-1={self.root}:{cdi}", *more,
        )  # fmt: skip

    def left(self) -> list[str]:
        """Return what runs have left, by name."""
        lent = "?labelSelector=dra-conformance/lent"
        found = [one for path in COLLECTIONS for one in self.items(f"{path}{lent}")]
        found += self.items(f"{DRA}/resourceslices")
        found += self.items("/api/v1/namespaces?labelSelector=dra-conformance/run")
        return [one["metadata"]["name"] for one in found]


@pytest.fixture
def cluster(kubeconfig: Path, node_root: Path) -> Cluster:
    return Cluster(kubeconfig=kubeconfig, root=node_root)


def test_a_driver_is_started_beside_the_cluster_and_leaves_nothing(
    tmp_path: Path, cluster: Cluster
) -> None:
    done = cluster.certify(tmp_path / "out")

    assert done.code == 0, done.said
    # Among them that of the socket which goes with the driver: it is ours to end.
    assert len(done.ids("passed")) == 15
    assert cluster.left() == []
    assert not (cluster.plugins / NAME).exists()


def test_the_driver_alone_meets_trouble_at_the_api_server(tmp_path: Path, cluster: Cluster) -> None:
    done = cluster.certify(
        tmp_path / "out", "--profile", "driver/all",
        *("--only", "DRA-PUB-09", "--only", "DRA-DLC-15"),
    )  # fmt: skip

    assert done.code == 0, done.said
    assert done.ids("passed") == {"DRA-PUB-09", "DRA-DLC-15"}
    assert cluster.left() == []


def test_the_folder_of_specs_is_that_of_a_node_and_stays_usable(
    tmp_path: Path, cluster: Cluster
) -> None:
    done = cluster.certify(tmp_path / "out", "--profile", "driver/cdi", "--only", "DRA-CDI-1[5-9]")

    assert done.code == 4, done.said
    assert "a node whose folders nobody else uses meanwhile" in done.exhibits()


def test_a_class_of_others_is_left_alone(tmp_path: Path, cluster: Cluster) -> None:
    head = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass"}
    mine = {**head, "metadata": {"name": "small"}, "spec": {}}
    Api(cluster.kubeconfig).ask("POST", f"{DRA}/deviceclasses", mine)

    done = cluster.certify(tmp_path / "out")

    assert done.code == 2
    assert "the cluster has a DeviceClass 'small' already" in done.said
    assert TRACEBACK not in done.said
    assert [one["metadata"]["name"] for one in cluster.items(f"{DRA}/deviceclasses")] == ["small"]


def test_a_folder_that_is_too_deep_for_sockets_is_refused(tmp_path: Path, cluster: Cluster) -> None:
    deep = tmp_path / ("d" * 60)
    deep.symlink_to(cluster.root)

    done = attrs.evolve(cluster, root=deep).certify(tmp_path / "out")

    assert done.code == 2
    assert "Linux allows 107: give --node-root a shorter folder" in done.said
    assert done.said.count("\n") == 1


def test_what_a_killed_run_has_left_is_replaced_and_found_by_clean(
    tmp_path: Path, cluster: Cluster
) -> None:
    label = {"dra-conformance/lent": "earlier"}
    head = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass"}
    api = Api(cluster.kubeconfig)
    for name in ("small", "large"):
        left = {**head, "metadata": {"name": name, "labels": label}, "spec": {}}
        api.ask("POST", f"{DRA}/deviceclasses", left)

    done = cluster.certify(tmp_path / "out", "--only", "DRA-DRV-01", "--only", "DRA-DRV-03")

    assert done.code == 0, done.said
    assert cluster.left() == ["large"]
    words = [sys.executable, "-m", "conformance", "clean", "--kubeconfig", cluster.kubeconfig]
    subprocess.run(words, check=True, timeout=60)
    assert cluster.left() == []


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--control-plane", "kube"], "--control-plane kube needs the cluster: --kubeconfig"),
        (
            ["--control-plane", "kube", "--kubeconfig", "nowhere"],
            "--control-plane kube needs a node whose kubelet's directories are on this machine",
        ),
        (
            ["--control-plane", "bundled", "--kubeconfig", "nowhere"],
            "--control-plane bundled goes without --kubeconfig",
        ),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    tmp_path: Path, more: list[str], sentence: str
) -> None:
    done = certify(tmp_path / "out", command(), *more)

    assert done.code == 2
    assert sentence in done.said
    assert done.said.count("\n") == 1

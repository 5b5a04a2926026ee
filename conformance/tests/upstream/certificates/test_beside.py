"""A driver that the suite starts beside a real control plane and kubelet."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.upstream.certificates import hermetic
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane.clusters import NODE
from conformance.upstream.node import images
from conformance.upstream.plan import Plan

GPU = hermetic.HOME / "gpu"

#: What lies in the cluster for the run alone.
COLLECTIONS = (
    "/apis/resource.k8s.io/v1/resourceslices",
    "/apis/resource.k8s.io/v1/deviceclasses",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector=dra-conformance/lent",
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
    "/api/v1/serviceaccounts?labelSelector=dra-conformance/lent",
    "/api/v1/namespaces?labelSelector=dra-conformance/run",
)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Run a cluster whose folder leaves room for sockets."""
    with (
        tempfile.TemporaryDirectory(prefix="") as folder,
        Cluster(Path(folder), Plan(bare_nodes=0, kubelet_nodes=1)) as made,
    ):
        yield made


@pytest.mark.upstream
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("kubelet")
def test_a_started_driver_is_conformant_and_leaves_nothing(
    cluster: Cluster, tmp_path: Path
) -> None:
    node, out = cluster.nodes[NODE].layout, tmp_path / "out"
    more = [
        *("--control-plane", "kube", "--kubeconfig", str(cluster.kubeconfig)),
        *("--node-root", node.reached, "--image", images.POD_IMAGE),
        *("--profile", "driver/core", "--profile", "driver/publishing"),
        *("--profile", "driver/rights", "--out", str(out)),
    ]
    words = hermetic.words(GPU, *more)

    done = subprocess.run(
        [sys.executable, "-m", "conformance", *words[1:]],
        env=hermetic.environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    report: Any = json.loads((out / "report.json").read_text("utf-8"))
    passed = {one["id"] for one in report["requirements"] if one["outcome"] == "passed"}
    # A driver that registers, uses devices, is ours to end, meets trouble on its way, and is kept
    # by the policy of its manifests from writing elsewhere.
    wanted = {"DRA-DRV-01", "DRA-DRV-05", "DRA-DRV-09", "DRA-PUB-09", "DRA-PUB-12", "DRA-DRT-03"}
    assert passed >= wanted
    left = [
        one["metadata"] for path in COLLECTIONS for one in cluster.api.call("GET", path)["items"]
    ]
    # A namespace takes a while to go.
    assert [one["name"] for one in left if "deletionTimestamp" not in one] == []

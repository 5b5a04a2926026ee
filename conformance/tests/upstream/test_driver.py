"""A real driver on a real node: a Pod's claim ends as environment in a real container."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from conformance.upstream import build
from conformance.upstream.cluster import Cluster
from conformance.upstream.node import images
from conformance.upstream.plan import Plan

pytestmark = [pytest.mark.upstream, pytest.mark.timeout(900), pytest.mark.usefixtures("kubelet")]

DRIVER = "gpu.example.com"
RESOURCE = "/apis/resource.k8s.io/v1"
CLASS = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "gpu"},
    "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]},
}
CLAIM = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "gpu"},
    "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}},
}
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "probe"},
    "spec": {
        "restartPolicy": "Never",
        "resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}],
        "containers": [
            {
                "name": "probe",
                "image": images.POD_IMAGE,
                "command": [
                    "sh",
                    "-c",
                    'echo -n "$DRA_RESOURCE_DRIVER_NAME" > /dev/termination-log',
                ],
                "resources": {"claims": [{"name": "gpu"}]},
            }
        ],
    },
}


def eventually(get: Callable[[], Any], what: str) -> Any:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if found := get():
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited 60 s for {what}")


@contextmanager
def example_driver(cluster: Cluster) -> Iterator[None]:
    """Run dra-example-driver beside the cluster's one kubelet."""
    node = cluster.nodes["kubelet-1"].layout
    command = [
        str(build.binary("dra-example-kubeletplugin")),
        f"--kubeconfig={cluster.kubeconfig}",
        f"--node-name={node.name}",
        f"--cdi-root={node.cdi}",
        f"--kubelet-plugins-directory-path={node.plugins}",
        f"--kubelet-registrar-directory-path={node.registrar}",
        "--num-devices=1",
    ]
    with cluster.place.log("driver").open("wb") as log:
        child = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield
    finally:
        child.terminate()
        child.wait(10)


def test_a_claim_reaches_the_container_and_is_released(state: Path) -> None:
    with Cluster(state, Plan(bare_nodes=0, kubelet_nodes=1)) as cluster, example_driver(cluster):
        call, pods = cluster.api.call, "/api/v1/namespaces/default/pods"
        eventually(lambda: call("GET", f"{RESOURCE}/resourceslices")["items"], "slices")
        call("POST", f"{RESOURCE}/deviceclasses", CLASS)
        call("POST", f"{RESOURCE}/namespaces/default/resourceclaims", CLAIM)
        call("POST", pods, POD)

        pod = eventually(lambda: finished(call("GET", f"{pods}/probe")), "the Pod to end")
        prepared = list(cluster.nodes["kubelet-1"].layout.cdi.iterdir())
        claim = f"{RESOURCE}/namespaces/default/resourceclaims/gpu"
        eventually(lambda: "allocation" not in call("GET", claim)["status"], "deallocation")

    container = pod["status"]["containerStatuses"][0]
    assert container["state"]["terminated"]["message"] == DRIVER
    assert [path.name for path in prepared if "common" in path.name] != []


def finished(pod: dict[str, Any]) -> dict[str, Any] | None:
    return pod if pod["status"]["phase"] in {"Succeeded", "Failed"} else None

"""The controller of dra-example-driver, on controller-runtime, does its work on the reference."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.harness.claims import CLAIMS
from conformance.harness.client import Api, from_kubeconfig
from conformance.harness.pods import PODS
from conformance.tests.upstream.programs.serving import reference
from conformance.upstream import build

pytestmark = [pytest.mark.upstream, pytest.mark.timeout(400)]

#: A device that is bound once somebody calls it ready, and a Pod that wants it.
OBJECTS = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: gpus}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    bindingConditions: [example.com/ready]
    bindingFailureConditions: [example.com/broken]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: user, namespace: default}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: one}]
  containers: [{name: c, image: busybox, resources: {claims: [{name: gpu}]}}]
"""
PATHS = {
    "DeviceClass": "/apis/resource.k8s.io/v1/deviceclasses",
    "ResourceSlice": "/apis/resource.k8s.io/v1/resourceslices",
    "ResourceClaim": "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims",
    "Pod": "/api/v1/namespaces/default/pods",
}


@contextmanager
def controller(kubeconfig: Path, log: Path) -> Iterator[None]:
    """Run it as the driver's chart does."""
    words = ["--driver-name=gpu.example.com", "--enable-plugin=BindingConditions"]
    program = build.binary("dra-example-controller")
    with log.open("w") as output:
        child = subprocess.Popen(
            [program, *words, f"--kubeconfig={kubeconfig}"], stdout=output, stderr=output
        )
    try:
        yield
        assert child.poll() is None, log.read_text()
    finally:
        child.terminate()
        child.wait(60)


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def conditions(api: Api) -> list[tuple[str, str, str]]:
    claim: Any = api.get(CLAIMS, "one", "default")
    return [
        (one["type"], one["status"], one["reason"])
        for device in claim.get("status", {}).get("devices", [])
        for one in device["conditions"]
    ]


def node(api: Api) -> str:
    pod: Any = api.get(PODS, "user", "default")
    return str(pod["spec"].get("nodeName", ""))


def test_a_pod_is_bound_once_the_controller_calls_its_device_ready(tmp_path: Path) -> None:
    with reference(tmp_path) as kubeconfig:
        api = from_kubeconfig(kubeconfig)
        for one in yaml.safe_load_all(OBJECTS):
            api.ask("POST", PATHS[one["kind"]], one)
        until(lambda: "allocation" in api.get(CLAIMS, "one", "default").get("status", {}))
        before = conditions(api), node(api)

        with controller(kubeconfig, tmp_path / "controller.log"):
            until(lambda: node(api) != "")

        assert before == ([], "")
        assert conditions(api) == [("example.com/ready", "True", "Ready")]
        assert node(api) == "node-1"

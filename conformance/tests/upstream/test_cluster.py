"""A real cluster, up and down: it answers, runs a Pod, names what dies, and leaves nothing.

Needs the built binaries (or Go), and root with the packages of ``prerequisites`` for the
node. Where these are missing the tests are skipped with the sentence that says so.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from conformance.tests.upstream.remains import what_mentions
from conformance.upstream import api, errors, leftovers
from conformance.upstream.cluster import Cluster
from conformance.upstream.layout import layout
from conformance.upstream.node import images
from conformance.upstream.plan import Plan

pytestmark = [pytest.mark.upstream, pytest.mark.timeout(900)]

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "probe"},
    "spec": {
        "nodeName": "kubelet-1",
        "restartPolicy": "Never",
        "containers": [
            {"name": "probe", "image": images.POD_IMAGE, "command": ["echo", "it runs"]},
        ],
    },
}


def await_object(client: api.Api, path: str, phase: str) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = client.call("GET", path)
        if found["status"].get("phase") == phase:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{path} never reached {phase}")


@pytest.mark.usefixtures("control_plane")
def test_a_control_plane_comes_up_and_leaves_only_logs(state: Path) -> None:
    plan = Plan(gates={"DRAResourcePoolStatus": True}, scheduler_config={"bindingTimeout": "30s"})
    with Cluster(state, plan) as cluster:
        version = cluster.api.call("GET", "/version")
        nodes = cluster.api.call("GET", "/api/v1/nodes")["items"]
        facts = json.loads(cluster.place.facts.read_text())

    assert version["gitVersion"] == "v1.37.2"
    assert [node["metadata"]["name"] for node in nodes] == ["bare-1", "bare-2"]
    assert facts["featureGates"] == {"DRAResourcePoolStatus": True}
    assert [entry.name for entry in state.iterdir()] == ["logs"]
    assert what_mentions(cluster.place) == []


@pytest.mark.usefixtures("kubelet")
def test_a_node_runs_a_pod_and_leaves_nothing(state: Path) -> None:
    with Cluster(state, Plan(bare_nodes=0, kubelet_nodes=1)) as cluster:
        cluster.api.call("POST", "/api/v1/namespaces/default/pods", POD)
        pod = await_object(cluster.api, "/api/v1/namespaces/default/pods/probe", "Succeeded")

    assert pod["status"]["hostIP"] == "127.0.0.1"
    assert what_mentions(cluster.place) == []


@pytest.mark.usefixtures("kubelet")
def test_a_killed_run_leaves_nothing_running(state: Path) -> None:
    script = (
        "import os, pathlib, sys\n"
        "from conformance.upstream.cluster import Cluster\n"
        "from conformance.upstream.plan import Plan\n"
        "Cluster(pathlib.Path(sys.argv[1]), Plan(kubelet_nodes=1)).__enter__()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(state)], check=False)

    leftovers.clean(layout(state))

    assert done.returncode == -signal.SIGKILL
    assert what_mentions(layout(state)) == []


@pytest.mark.usefixtures("control_plane")
def test_a_component_that_dies_is_named_with_its_log(state: Path) -> None:
    with Cluster(state, Plan(bare_nodes=0)) as cluster:
        victim = next(part for part in cluster.components if part.name == "kube-scheduler")
        os.kill(victim.pid, signal.SIGKILL)
        os.waitid(os.P_PID, victim.pid, os.WEXITED | os.WNOWAIT)

        with pytest.raises(errors.ComponentError, match="kube-scheduler was killed by signal 9"):
            cluster.must_live()


@pytest.mark.usefixtures("control_plane")
def test_an_unknown_gate_is_one_sentence(state: Path) -> None:
    with pytest.raises(errors.ComponentError, match="unrecognized feature gate: DRANonsense"):
        Cluster(state, Plan(gates={"DRANonsense": True})).__enter__()

    assert what_mentions(layout(state)) == []

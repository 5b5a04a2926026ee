"""A program on client-go sees the same of the reference as of a real API server."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from conformance.tests.upstream.programs.serving import reference
from conformance.upstream import build
from conformance.upstream.cluster import Cluster
from conformance.upstream.plan import Plan

pytestmark = [
    pytest.mark.upstream,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("control_plane"),
]

_PARTS = ["rights", "watch", "apply", "lead", "publish", "collections"]


def seen(kubeconfig: Path) -> dict[str, Any]:
    """Return what the program prints of a cluster, part by part."""
    run = subprocess.run(
        [build.binary("dra-client"), f"--kubeconfig={kubeconfig}"],
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return {row["part"]: row["seen"] for row in rows}


def test_a_program_on_client_go_sees_no_difference(state: Path, tmp_path: Path) -> None:
    with Cluster(state, Plan(bare_nodes=1)) as cluster:
        real = seen(cluster.kubeconfig)
    with reference(tmp_path, "--tls") as kubeconfig:
        ours = seen(kubeconfig)

    assert list(real) == _PARTS
    assert real["rights"]["claims"] == ""
    assert real["rights"]["classes"] == "Forbidden"
    assert real["rights"]["claims of nobody"] == "Forbidden"
    assert real["rights"]["claims of a stranger"] == "Unauthorized"
    assert real["publish"]["299"]["stray slice is removed"]
    assert ours == real

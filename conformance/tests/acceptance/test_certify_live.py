"""A driver that is installed in a cluster which others run: here one that ``serve`` runs."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import NAME, PROGRAM, TRACEBACK, Outcome
from conformance.tests.acceptance.driver_program import Api

pytestmark = pytest.mark.acceptance

CLASSES = "/apis/resource.k8s.io/v1/deviceclasses"

CLASS = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "small"},
    "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{NAME}"'}}]},
}


@contextlib.contextmanager
def installed(kubeconfig: Path) -> Iterator[None]:
    """Run the small driver on the first node, and wait until it has published."""
    node = kubeconfig.parent / "node-1"
    told = {
        "NODE_NAME": "node-1",
        "KUBECONFIG": str(kubeconfig),
        "PLUGINS_DIR": str(node / "plugins"),
        "REGISTRAR_DIR": str(node / "reg"),
        "CDI_DIR": str(node / "run" / "cdi"),
    }
    words = [sys.executable, "-m", PROGRAM]
    with subprocess.Popen(words, env={**os.environ, **told}) as process:
        try:
            deadline = time.monotonic() + 30
            while not Api(kubeconfig).ask("GET", "/apis/resource.k8s.io/v1/resourceslices")[
                "items"
            ]:
                assert time.monotonic() < deadline
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            process.wait(timeout=30)


def certify(out: Path, kubeconfig: Path, *more: str) -> Outcome:
    named = ["--driver-name", NAME, "--device-class", "small", "--kubeconfig", str(kubeconfig)]
    words = [sys.executable, "-m", "conformance", "certify", *named, "--out", str(out), *more]
    done = subprocess.run(words, capture_output=True, text=True, timeout=110, check=False)
    return Outcome(code=done.returncode, said=done.stdout + done.stderr, out=out)


def test_an_installed_driver_is_judged_by_the_same_checks(tmp_path: Path, kubeconfig: Path) -> None:
    api = Api(kubeconfig)
    api.ask("POST", CLASSES, CLASS)

    with installed(kubeconfig):
        done = certify(tmp_path, kubeconfig)

    assert done.code == 0, done.said
    assert len(done.ids("passed")) == 14
    assert done.ids("unsupported") == {"DRA-DRV-09"}
    assert api.ask("GET", "/api/v1/namespaces?labelSelector=dra-conformance/run")["items"] == []


def test_hooks_are_run_where_the_node_is_reached(
    tmp_path: Path, kubeconfig: Path, node_root: Path
) -> None:
    node = kubeconfig.parent / "node-1"
    script = tmp_path / "prove"
    script.write_text(
        '#!/bin/sh\n[ "$NODE_NAME" = node-1 ] && echo \'{"usable": true}\'\n', "utf-8"
    )
    script.chmod(0o755)
    file = tmp_path / "dra-conformance.yaml"
    hooks = f"prove-access: {{command: {script}}}, mock-inventory: {{command: 'false'}}"
    file.write_text(f"driver: {{name: {NAME}, deviceClass: small}}\nhooks: {{{hooks}}}\n", "utf-8")
    Api(kubeconfig).ask("POST", CLASSES, CLASS)

    with installed(kubeconfig):
        done = certify(
            tmp_path / "out", kubeconfig, "--config", str(file), "--only", "DRA-DLC-20",
            "--profile", "driver/lifecycle",
            "--node-root", f"node-1={node_root}:{node / 'run' / 'cdi'}",
        )  # fmt: skip

    assert done.ids("passed") == {"DRA-DLC-20"}, done.said
    assert "the hook mock-inventory is not run" in done.said


def test_a_class_that_is_not_there_is_refused(tmp_path: Path, kubeconfig: Path) -> None:
    done = certify(tmp_path, kubeconfig)

    assert done.code == 2
    assert "the cluster has no DeviceClass 'small'" in done.said
    assert TRACEBACK not in done.said


def test_a_server_that_does_not_answer_is_said(tmp_path: Path) -> None:
    file = tmp_path / "kubeconfig"
    file.write_text(
        "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: "
        "{cluster: c, user: u}}], users: [{name: u, user: {token: t}}], clusters: "
        "[{name: c, cluster: {server: 'http://127.0.0.1:1'}}]}",
        "utf-8",
    )

    done = certify(tmp_path / "out", file)

    assert done.code == 3, done.said
    assert "http://127.0.0.1:1 does not answer" in done.said
    assert TRACEBACK not in done.said

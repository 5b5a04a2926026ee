"""What runs in a Pod: commands, phases, probes, logs, and what agents are told."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest

import conformance
from conformance.kube.status import StatusError
from conformance.reference.kubelet.runtime.commands import plan_of
from conformance.reference.kubelet.runtime.reports import METADATA_ROOT
from conformance.tests.reference.kubelet.rig import NODE, Rig, scenario
from conformance.tests.reference.kubelet.scripted import ScriptedDriver
from conformance.wire import podresources_v1_pb2, podresources_v1_pb2_grpc

DRIVER = "d.example.com"
REPORT = Path(conformance.__file__).parent.parent / "fixtures" / "probes" / "report.sh"


def probe(sleep: int = 0) -> dict[str, Any]:
    return {
        "command": ["sh", "-c", REPORT.read_text("utf-8")],
        "env": [{"name": "PROBE_SLEEP", "value": str(sleep)}],
    }


@pytest.mark.parametrize(
    ("command", "seconds", "code"),
    [
        pytest.param(["true"], 0.0, 0, id="true"),
        pytest.param(["sh", "-c", "exit 3"], 0.0, 3, id="exit"),
        pytest.param(["sh", "-c", "sleep 7"], 7.0, 0, id="sleep-in-shell"),
        pytest.param(["sleep", "0.5"], 0.5, 0, id="sleep"),
        pytest.param(["false"], 0.0, 1, id="false"),
        pytest.param(["sleep", "infinity"], None, 0, id="sleep-forever"),
        pytest.param(["sh", "-c", "serve 'x"], None, 0, id="unknown-script"),
        pytest.param([], None, 0, id="image-default"),
    ],
)
def test_command_is_understood(command: list[str], seconds: float | None, code: int) -> None:
    plan = plan_of({"command": command}, {})

    assert (plan.seconds, plan.exit_code) == (seconds, code)


@pytest.mark.parametrize(
    ("command", "phase"), [(["true"], "Succeeded"), (["sh", "-c", "exit 2"], "Failed")]
)
@scenario
async def test_pod_ends_as_its_container_does(rig: Rig, command: list[str], phase: str) -> None:
    await rig.create_pod("p", command=command)

    pod = await rig.phase("p", phase)

    assert "terminated" in pod["status"]["containerStatuses"][0]["state"]


@scenario
async def test_container_is_started_again_where_the_policy_says_so(rig: Rig) -> None:
    await rig.create_pod("p", command=["false"], restart_policy="OnFailure")

    await rig.advance(35)

    status = (await rig.pod("p"))["status"]
    assert status["phase"] == "Running"
    assert status["containerStatuses"][0]["restartCount"] == 2


@scenario
async def test_node_is_registered(rig: Rig) -> None:
    node = await rig.client.get("nodes", NODE)

    assert node["metadata"]["labels"]["kubernetes.io/hostname"] == NODE
    assert node["status"]["conditions"][0]["type"] == "Ready"
    assert node["status"]["daemonEndpoints"]["kubeletEndpoint"]["Port"] > 0


@scenario
async def test_probe_reports_what_cdi_injected(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    inside = f"{METADATA_ROOT}/resourceclaims/p/gpu/{DRIVER}-metadata.json"
    host = rig.directories.root / "metadata.json"
    host.write_text("one", "utf-8")
    mount = {"hostPath": str(host), "containerPath": inside, "options": ["ro", "bind"]}
    nodes = [{"path": "/dev/gpu0"}]
    cdi_id = driver.write_spec("x", env=["GPU=0"], mounts=[mount], deviceNodes=nodes)
    driver.devices[0]["cdi"] = [cdi_id]
    claim = await rig.allocate(await rig.create_claim("p"))
    await rig.reserve(claim, await rig.create_pod("p", claim="p", **probe(600)))
    await rig.phase("p", "Running")

    first = (await rig.client.log("p", "default")).splitlines()
    host.write_text("two", "utf-8")
    second = (await rig.client.log("p", "default")).splitlines()

    content = base64.b64encode(b"one").decode()
    assert "env GPU=0" in first
    assert "device /dev/gpu0" in first
    assert first[-3:] == [f"mount {inside} ro", f"file {inside} {content}", "end"]
    assert second[: len(first)] == first
    assert second[-2] == f"file {inside} {base64.b64encode(b'two').decode()}"
    assert await rig.client.log("p", "default") == "\n".join([*second, ""])


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        pytest.param("write", b"two", id="written into"),
        pytest.param("replace", b"one", id="replaced"),
        pytest.param("remove", b"one", id="removed"),
    ],
)
@scenario
async def test_a_mounted_file_is_the_file_that_was_mounted(
    rig: Rig, change: str, seen: bytes
) -> None:
    """A bind mount keeps its inode: also over a restart of the kubelet."""
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    inside = f"{METADATA_ROOT}/resourceclaims/p/gpu/{DRIVER}-metadata.json"
    host = rig.directories.root / "metadata.json"
    host.write_text("one", "utf-8")
    mount = {"hostPath": str(host), "containerPath": inside, "options": ["ro", "bind"]}
    driver.devices[0]["cdi"] = [driver.write_spec("x", mounts=[mount])]
    claim = await rig.allocate(await rig.create_claim("p"))
    await rig.reserve(claim, await rig.create_pod("p", claim="p", **probe(600)))
    await rig.phase("p", "Running")
    fresh = host.with_name("fresh")
    fresh.write_text("two", "utf-8")

    {
        "write": lambda: host.write_text("two", "utf-8"),
        "replace": lambda: fresh.replace(host),
        "remove": host.unlink,
    }[change]()
    await rig.restart_kubelet()

    lines = (await rig.client.log("p", "default")).splitlines()
    assert lines[-2] == f"file {inside} {base64.b64encode(seen).decode()}"


@scenario
async def test_container_that_does_not_ask_gets_nothing(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    driver.devices[0]["cdi"] = [driver.write_spec("x", env=["GPU=0"])]
    claim = await rig.allocate(await rig.create_claim("p"))
    pod = await rig.create_pod("p", claim="p", resources={}, **probe())
    await rig.reserve(claim, pod)
    await rig.phase("p", "Succeeded")

    assert "env GPU=0" not in (await rig.client.log("p", "default")).splitlines()
    assert len(driver.methods("prepare")) == 1


@scenario
async def test_unresolvable_cdi_device_keeps_the_container_waiting(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    driver.devices[0]["cdi"] = [f"{DRIVER}/device=late"]
    claim = await rig.allocate(await rig.create_claim("p"))
    await rig.reserve(claim, await rig.create_pod("p", claim="p"))
    await rig.advance(12)

    state = (await rig.pod("p"))["status"]["containerStatuses"][0]["state"]
    assert state["waiting"]["reason"] == "CreateContainerError"
    driver.write_spec("late")

    await rig.phase("p", "Running")


@scenario
async def test_log_of_nobody_is_an_error(rig: Rig) -> None:
    await rig.create_pod("p", command=["sh", "-c", "exit 0"])
    await rig.phase("p", "Succeeded")

    assert await rig.client.log("p", "default") == ""
    with pytest.raises(StatusError):
        await rig.client.log("q", "default")


@scenario
async def test_pod_resources_name_claim_and_devices(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    driver.devices[0]["cdi"] = [driver.write_spec("x")]
    await rig.running("p")
    socket = rig.directories.root / "pod-resources" / "kubelet.sock"

    async with grpc.aio.insecure_channel(f"unix:{socket}") as channel:
        stub = podresources_v1_pb2_grpc.PodResourcesListerStub(channel)
        answer = await stub.List(podresources_v1_pb2.ListPodResourcesRequest())
        request = podresources_v1_pb2.GetPodResourcesRequest(pod_name="p", pod_namespace="default")
        one = await stub.Get(request)
        request = podresources_v1_pb2.GetPodResourcesRequest(pod_name="q", pod_namespace="default")
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await stub.Get(request)

    assert one.pod_resources == answer.pod_resources[0]
    assert refusal.value.code() is grpc.StatusCode.NOT_FOUND
    claim = answer.pod_resources[0].containers[0].dynamic_resources[0]
    assert (claim.claim_name, claim.claim_namespace) == ("p", "default")
    resource = claim.claim_resources[0]
    assert (resource.driver_name, resource.pool_name, resource.device_name) == (
        DRIVER,
        "pool",
        "gpu-0",
    )
    assert [one.name for one in resource.cdi_devices] == [f"{DRIVER}/device=x"]


@scenario
async def test_kubelet_restart_leaves_containers_alone(rig: Rig) -> None:
    await rig.create_pod("p", command=["sleep", "100"])
    before = await rig.phase("p", "Running")

    await rig.advance(50)
    await rig.restart_kubelet()
    await rig.advance(49)
    assert (await rig.pod("p"))["status"]["containerStatuses"] == before["status"][
        "containerStatuses"
    ]

    await rig.phase("p", "Succeeded", limit=5)


@pytest.mark.skipif(shutil.which("sh") is None, reason="no POSIX shell here")
def test_probe_script_prints_what_a_shell_sees(tmp_path: Path) -> None:
    folder = tmp_path / "resourceclaims" / "c" / "gpu"
    folder.mkdir(parents=True)
    (folder / "d-metadata.json").write_text(json.dumps({"a": 1}), "utf-8")
    script = REPORT.read_text("utf-8").replace(METADATA_ROOT, str(tmp_path))

    answer = subprocess.run(
        ["sh", "-c", script],
        env={"PATH": os.environ["PATH"], "GPU": "0"},
        capture_output=True,
        text=True,
        check=True,
    )

    lines = answer.stdout.splitlines()
    content = base64.b64encode(b'{"a": 1}').decode()
    assert "env GPU=0" in lines
    assert lines[-1] == "end"
    assert lines[-2] == f"file {folder}/d-metadata.json {content}"
    assert lines[-3].startswith(f"mount {folder}/d-metadata.json r")


@scenario
async def test_http_endpoint_refuses_what_it_does_not_know(rig: Rig) -> None:
    node = await rig.client.get("nodes", NODE)
    port = node["status"]["daemonEndpoints"]["kubeletEndpoint"]["Port"]

    async def status_line(request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        answer = await reader.read()
        writer.close()
        return answer.splitlines()[0]

    assert await status_line(b"GET /healthz HTTP/1.1\r\n\r\n") == b"HTTP/1.0 200 OK"
    assert await status_line(b"GET /exec HTTP/1.1\r\n\r\n") == b"HTTP/1.0 404 Not Found"
    assert await status_line(b"PUT /healthz HTTP/1.1\r\n\r\n") == (
        b"HTTP/1.0 405 Method Not Allowed"
    )


async def create_with_init(rig: Rig, *commands: list[str]) -> None:
    inits = [
        {"name": f"i{i}", "image": "x", "command": command} for i, command in enumerate(commands)
    ]
    spec = {
        "nodeName": NODE,
        "restartPolicy": "Never",
        "initContainers": inits,
        "containers": [{"name": "c", "image": "x", "command": ["sleep", "60"]}],
    }
    await rig.client.create(
        "pods", {"metadata": {"name": "p", "namespace": "default"}, "spec": spec}
    )


@scenario
async def test_init_containers_come_first_and_in_order(rig: Rig) -> None:
    await create_with_init(rig, ["sleep", "10"], ["sleep", "20"])
    await rig.advance(15)
    inits = (await rig.pod("p"))["status"]["initContainerStatuses"]
    assert [list(one["state"]) for one in inits] == [["terminated"], ["running"]]
    assert (await rig.pod("p"))["status"]["phase"] == "Pending"

    await rig.phase("p", "Running", limit=20)


@scenario
async def test_failed_init_container_is_a_failed_pod(rig: Rig) -> None:
    await create_with_init(rig, ["false"])

    pod = await rig.phase("p", "Failed")

    assert list(pod["status"]["containerStatuses"][0]["state"]) == ["waiting"]


@scenario
async def test_log_is_that_of_the_latest_pod_of_a_name(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await rig.running("p")
    driver.errors += ["busy"] * 20
    await rig.client.delete("pods", "p", "default", grace_period_seconds=0)
    await rig.advance(5)

    await rig.create_pod("p", **probe())
    await rig.phase("p", "Succeeded")

    assert (await rig.client.log("p", "default")).endswith("end\n")

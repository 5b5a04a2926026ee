"""``serve`` as a person starts it: ready, usable, stopped; and what it says when it can't."""

from __future__ import annotations

import asyncio
import base64
import os
import signal
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
import yaml

from conformance.cli.exits import ExitCode, Refusal
from conformance.cli.serving import let_time_pass, parse_gates
from conformance.data import fixtures
from conformance.reference.clock import VirtualClock

COMMAND = [sys.executable, "-m", "conformance", "serve"]


@contextmanager
def serving(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run ``serve`` and have it ended whatever happens."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=10)


def refused(*arguments: str) -> tuple[int, str]:
    """Return exit code and words of a ``serve`` that does not start."""
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_the_kubeconfig_says_that_it_is_ready(tmp_path: Path, number: signal.Signals) -> None:
    target = tmp_path / "kubeconfig"
    with serving("--kubeconfig-out", str(target), "--nodes", "1") as process:
        assert first_line(process) == str(target)
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        config = yaml.safe_load(target.read_text("utf-8"))
        server = config["clusters"][0]["cluster"]["server"]
        token = config["users"][0]["user"]["token"]
        request = Request(f"{server}/api/v1/nodes", headers={"Authorization": f"Bearer {token}"})
        with urlopen(request, timeout=10) as answer:
            nodes = yaml.safe_load(answer.read())["items"]
        assert [node["metadata"]["name"] for node in nodes] == ["node-1"]

        process.send_signal(number)
        _, words = process.communicate(timeout=10)
        assert process.returncode == ExitCode.CONFORMANT
        assert words.splitlines()[0] == f"ready: {server}"
        assert words.splitlines()[1].startswith("node node-1: /")


def test_a_world_is_created() -> None:
    world = fixtures("worlds", "mixed.yaml")
    with serving("--world", str(world), "--real-time") as process:
        config = yaml.safe_load(Path(first_line(process)).read_text("utf-8"))
        server = config["clusters"][0]["cluster"]["server"]
        headers = {"Authorization": f"Bearer {config['users'][0]['user']['token']}"}
        url = f"{server}/apis/resource.k8s.io/v1/namespaces/team/resourceclaims/one-gpu"
        with urlopen(Request(url, headers=headers), timeout=10) as answer:
            assert answer.status == 200


def test_with_tls_a_token_says_who_asks(tmp_path: Path) -> None:
    target = tmp_path / "kubeconfig"
    with serving("--tls", "--nodes", "1", "--kubeconfig-out", str(target)) as process:
        assert first_line(process) == str(target)
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        config = yaml.safe_load(target.read_text("utf-8"))
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode("ascii")
        trust = ssl.create_default_context(cadata=authority)
        # What newer versions of Python demand of a certificate by themselves.
        trust.verify_flags |= ssl.VERIFY_X509_STRICT

        def ask(path: str, **headers: str) -> int:
            request = Request(cluster["server"] + path, headers=headers)
            try:
                with urlopen(request, timeout=10, context=trust) as answer:
                    return answer.status
            except HTTPError as error:
                return error.code

        known = f"Bearer {user['token']}"
        assert cluster["server"].startswith("https://127.0.0.1:")
        assert ask("/api/v1/nodes", Authorization=known) == 200
        assert ask("/api/v1/nodes", Authorization="Bearer reference-admin") == 401
        assert ask("/api/v1/nodes") == 403
        assert ask("/version") == 200
        with pytest.raises(URLError, match="certificate verify failed"):
            urlopen(cluster["server"], timeout=10, context=ssl.create_default_context())


def test_a_port_that_is_taken_is_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, words = refused("--port", str(port))

    assert code == ExitCode.UNREACHABLE
    assert f"port {port} of 127.0.0.1 can't be used" in words
    assert len(words.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(
            ["--feature-gates", "DRADeviceBindingCondition=true"],
            "did you mean DRADeviceBindingConditions",
            id="unknown-gate",
        ),
        pytest.param(["--kubernetes-version", "1.99"], "1.99", id="unknown-version"),
        pytest.param(["--world", "none.yaml"], "none.yaml: the world file can't be", id="no-world"),
        pytest.param(["--wrold", "x"], "No such option '--wrold'", id="unknown-option"),
        pytest.param(["--nodes", "-1"], "-1 is not in the range", id="fewer-nodes-than-none"),
        pytest.param(
            ["--kubeconfig-out", "/proc/none/kubeconfig"], "can't be written", id="not-writable"
        ),
    ],
)
def test_a_wrong_question_is_one_sentence(arguments: list[str], sentence: str) -> None:
    code, words = refused(*arguments)

    assert code == ExitCode.USAGE
    assert sentence in words
    assert len(words.splitlines()) == 1


def test_a_wrong_field_of_a_world_is_named_with_its_place(tmp_path: Path) -> None:
    world = tmp_path / "world.yaml"
    world.write_text("nodes:\n- name: a\n  lables: {}\n", "utf-8")

    code, words = refused("--world", str(world))

    assert code == ExitCode.USAGE
    assert f"{world}:3:3: nodes[0].lables: unknown field; did you mean 'labels'?" in words


def test_an_object_that_the_server_refuses_is_one_sentence(tmp_path: Path) -> None:
    world = tmp_path / "world.yaml"
    world.write_text(
        "objects:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: p}\n  spec: {}\n", "utf-8"
    )

    code, words = refused("--world", str(world))

    assert code == ExitCode.USAGE
    assert "the world can't be created" in words
    assert len(words.splitlines()) == 1


def test_gates_are_read_as_kubernetes_writes_them() -> None:
    assert parse_gates("A=true, B=False,") == {"A": True, "B": False}
    with pytest.raises(Refusal, match="expected Name=true or Name=false, found 'A=maybe'"):
        parse_gates("A=maybe")


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, env=environment, text=True)
    first_line(process)
    process.terminate()
    process.communicate(timeout=10)

    assert list(tmp_path.iterdir()) == []


def test_virtual_time_passes_by_itself_in_jumps() -> None:
    async def scenario() -> float:
        clock = VirtualClock()
        pump = asyncio.ensure_future(let_time_pass(clock))
        await asyncio.wait_for(clock.sleep(25), 10)
        pump.cancel()
        return clock.monotonic()

    assert asyncio.run(scenario()) == 25

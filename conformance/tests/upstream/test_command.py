"""``upstream`` as it is used: every refusal is one sentence with the right exit code."""

from __future__ import annotations

import errno
import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from conformance.cli import asking
from conformance.cli.commands.certify import certify_command
from conformance.cli.main import main
from conformance.evidence.journal import encode
from conformance.tests.upstream.lane.journals import journal
from conformance.upstream import build, prerequisites, processes, supervisor
from conformance.upstream.cluster import Cluster
from conformance.upstream.layout import Layout
from conformance.upstream.node.kubelet import Binaries, Node


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["upstream", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("arguments", [(), ("build",), ("up",), ("down",), ("status",)])
def test_every_help_has_an_example(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    code, out, _ = run(capsys, *arguments, "--help")

    assert code == 0
    assert "Example:\n" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("up", "--feature-gates", "Foo"), "feature gate 'Foo' is not of the form"),
        (("up", "--nodes", "-3"), "bare_nodes must be between 0 and 250"),
        (("up", "--nodes", "many"), "Invalid value for '--nodes'"),
        (("up", "--state", "/var/lib/x"), "may not lie below /var/lib"),
        (("status", "--format", "yaml"), "Invalid value for '--format'"),
    ],
)
def test_wrong_arguments_are_usage_errors(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.setattr(prerequisites, "must_have", lambda *, kubelet: None)
    monkeypatch.setattr(build, "missing", tuple)

    code, _, err = run(capsys, *arguments)

    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1


def test_a_machine_without_go_is_told_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    code, _, err = run(capsys, "build")

    assert code == 3
    assert "the Go toolchain is missing" in err


def test_a_node_without_root_is_told_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    code, _, err = run(capsys, "up", "--kubelet-nodes", "1")

    assert code == 3
    assert "a node with a kubelet needs root" in err


def test_a_full_disk_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(_place: Layout) -> bool:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path))

    monkeypatch.setattr(supervisor, "end", fail)

    code, _, err = run(capsys, "down", "--state", str(tmp_path))

    assert code == 3
    assert err == f"dra-conformance: [Errno 28] No space left on device: '{tmp_path}'\n"


def test_status_of_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = run(capsys, "status", "--state", str(tmp_path))

    assert code == 3
    assert out == ""
    assert err == f"dra-conformance: no cluster runs in {tmp_path}\n"


def test_status_says_why_the_last_one_ended(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    place = Layout(tmp_path)
    place.logs.mkdir()
    place.ending.write_text("etcd was killed by signal 9 (log: etcd.log)\n")

    _, _, err = run(capsys, "status", "--state", str(tmp_path))

    assert "etcd was killed by signal 9" in err


def test_status_of_a_running_cluster(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = Layout(tmp_path)
    processes.record(place.supervisor, os.getpid())
    facts = {"kubeconfig": "/k", "bareNodes": ["bare-1"], "kubeletNodes": []}
    place.facts.write_text(json.dumps(facts))

    code, out, _ = run(capsys, "status", "--state", str(tmp_path), "--format", "json")

    assert code == 0
    assert json.loads(out) == facts


def test_each_kubelet_has_a_command_that_certifies_a_driver_beside_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cluster, nothing = Cluster(tmp_path / "c"), Path("/nowhere")
    binaries = Binaries(kubernetes=nothing, containerd=nothing, ctr=nothing)
    nodes = [Node(cluster.place, f"kubelet-{n}", n, binaries) for n in (1, 2)]
    for node in nodes:
        node.layout.make()
    place = Layout(tmp_path)
    processes.record(place.supervisor, os.getpid())
    facts = {
        "kubernetesVersion": "1.37.2", "server": "https://127.0.0.1:1", "bareNodes": [],
        "state": "/a b", "kubeconfig": "/k", "logs": "/l",
        "kubeletNodes": [{"name": one.name, "nodeRoot": one.layout.reached} for one in nodes],
    }  # fmt: skip
    place.facts.write_text(json.dumps(facts))

    _, out, err = run(capsys, "status", "--state", str(tmp_path))

    commands = [one.partition(": ")[2] for one in err.splitlines() if "certify" in one]
    given = [shlex.split(one) for one in commands]
    read = [parsed(one) for one in given]
    assert out == "/k\n"
    assert [one["kubeconfig"] for one in read] == [Path("/k"), Path("/k")]
    assert [[*asking.roots(one["node_roots"])] for one in read] == [["kubelet-1"], ["kubelet-2"]]
    assert asking.roots(read[1]["node_roots"])["kubelet-2"].cdi_dir == nodes[1].layout.cdi
    assert shlex.split(read[0]["restart_kubelet"])[-3:] == ["--state", "/a b", "{node}"]


def parsed(words: list[str]) -> dict[str, Any]:
    """Return the options of a command that someone typed after ``dra-conformance``."""
    assert words[:2] == ["dra-conformance", "certify"]
    with certify_command.make_context("certify", words[2:]) as context:
        return context.params


def test_down_cleans_what_a_crash_left(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "etcd").mkdir()

    code, _, err = run(capsys, "down", "--state", str(tmp_path))

    assert code == 0
    assert "was not running; what it left is removed" in err
    assert list(tmp_path.iterdir()) == []


def test_restarting_a_kubelet_of_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, _, err = run(capsys, "restart-kubelet", "--state", str(tmp_path), "kubelet-1")

    assert code == 2
    assert err == f"dra-conformance: no cluster runs in {tmp_path}\n"


def running_here(folder: Path) -> Layout:
    """Return the layout of a cluster that this process is said to hold."""
    place = Layout(folder)
    place.requests.mkdir()
    processes.record(place.supervisor, os.getpid())
    facts = {"kubeconfig": "/k", "bareNodes": ["bare-1"], "kubeletNodes": [{"name": "kubelet-1"}]}
    place.facts.write_text(json.dumps(facts))
    return place


def test_only_a_node_with_a_kubelet_is_restarted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    running_here(tmp_path)

    code, _, err = run(capsys, "restart-kubelet", "--state", str(tmp_path), "bare-1")

    assert code == 2
    assert "no node 'bare-1' with a kubelet here: kubelet-1" in err


def test_a_restart_that_nobody_does_is_said_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = running_here(tmp_path)
    monkeypatch.setattr(supervisor, "_RESTART_SECONDS", 0)

    code, _, err = run(capsys, "restart-kubelet", "--state", str(tmp_path), "kubelet-1")

    assert code == 3
    assert "the kubelet of kubelet-1 was not restarted" in err
    assert list(place.requests.iterdir()) == []


def test_an_agreement_that_fell_is_an_exit_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    passed, failed = journal({"DRA-X-1/a": "passed"}), journal({"DRA-X-1/a": "failed"})
    ours, theirs, worse = (tmp_path / f"{name}.jsonl" for name in ("ours", "theirs", "worse"))
    for path, one in ((ours, passed), (theirs, passed), (worse, failed)):
        path.write_text("".join(map(encode, (one.header, *one.checks, one.footer))))
    code, out, _ = run(capsys, "agreement", str(ours), str(theirs), "--out", str(tmp_path))
    before = str(tmp_path / "agreement.json")

    fell, _, err = run(capsys, "agreement", str(worse), str(theirs), "--not-below", before)

    assert (code, fell) == (0, 1)
    assert "agrees with Kubernetes 1.37 on 1 of 1 comparable requirements" in out
    assert "agreement fell: it was 1 of 1" in err


def test_a_journal_that_is_none_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "x").write_text("nothing\n")

    code, _, err = run(capsys, "agreement", str(tmp_path / "x"), str(tmp_path / "x"))

    assert code == 3
    assert err.count("\n") == 1
    assert "cannot be read: line 1: no JSON" in err

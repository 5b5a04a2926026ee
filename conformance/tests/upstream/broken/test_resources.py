"""A port that is taken, a disk that is full, a build that fails: one sentence, nothing left."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conformance.cli.main import main
from conformance.tests.upstream.remains import processes_with, what_mentions
from conformance.upstream import build, controlplane, errors, leftovers, prerequisites
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane import clusters
from conformance.upstream.lane.clusters import Run, Witness
from conformance.upstream.layout import layout
from conformance.upstream.plan import Plan

#: A Go toolchain that fails as the real one does: with lines on standard error.
BROKEN_GO = "#!/bin/sh\necho 'main.go:7:2: undefined: x' >&2\nexit 1\n"


@pytest.fixture
def broken_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a Go toolchain that fails into the path, before an empty cache; returns the cache."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "go").write_text(BROKEN_GO)
    (tmp_path / "bin" / "go").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(prerequisites, "_NODE_FILES", ())
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return tmp_path / "cache"


@pytest.mark.parametrize("arguments", [("build",), ("up",), ("judge", "--out", "OUT")])
def test_a_build_that_fails_is_one_sentence_with_its_log(
    broken_go: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
) -> None:
    code = main(
        ["upstream", *(str(tmp_path / "out") if one == "OUT" else one for one in arguments)]
    )

    (sentence,) = [
        line
        for line in capsys.readouterr().err.splitlines()
        if line.startswith("dra-conformance: ")
    ]
    log = Path(sentence.partition("(log: ")[2].removesuffix(")"))
    assert code == 3
    assert "building fixtures/upstream/kubernetes failed: main.go:7:2: undefined: x" in sentence
    assert log.is_relative_to(broken_go)
    assert log.read_text() == "main.go:7:2: undefined: x\n"
    assert [one for one in log.parent.iterdir() if one.is_dir() and any(one.iterdir())] == []


def test_a_control_plane_needs_its_own_module_alone(
    broken_go: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(prerequisites, "_TOOLS", ())
    monkeypatch.setattr(prerequisites, "_NODE_TOOLS", ())
    told = "the Go toolchain is missing, and not built yet: "

    assert prerequisites.missing(kubelet=False) == (f"{told}kubernetes",)
    assert prerequisites.missing(kubelet=True) == (f"{told}kubernetes, containerd",)

    for name in ("kubernetes", "containerd"):
        (module,) = [one for one in build.MODULES if one.name == name]
        build.home(module).mkdir(parents=True)
        for binary in module.binaries:
            (build.home(module) / binary).touch()
    assert prerequisites.missing(kubelet=True) == ()


@pytest.mark.upstream
@pytest.mark.usefixtures("control_plane")
@pytest.mark.parametrize(
    ("index", "component"), [(0, "etcd"), (2, "kube-apiserver"), (4, "kube-scheduler")]
)
def test_a_port_that_is_taken_names_the_component_and_its_log(
    state: Path, monkeypatch: pytest.MonkeyPatch, index: int, component: str
) -> None:
    """Somebody takes a port between our looking and the component's binding."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ports = list(controlplane.free_ports(5))
        ports[index] = taken.getsockname()[1]
        monkeypatch.setattr(controlplane, "free_ports", lambda _count: tuple(ports))

        with pytest.raises(errors.ComponentError, match="address already in use") as caught:
            live(state)

    assert caught.value.component == component
    assert caught.value.log.stat().st_size > 0
    assert what_mentions(layout(state)) == []


def live(state: Path) -> None:
    """Bring a control plane up, and look until something has died."""
    with Cluster(state, Plan(bare_nodes=1)) as cluster:
        while True:
            cluster.must_live()


@contextmanager
def tiny_disk(folder: Path, size: str) -> Iterator[None]:
    """Mount a file system of so many bytes."""
    options = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(folder)]
    subprocess.run(options, check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


@pytest.mark.upstream
@pytest.mark.usefixtures("kubelet")
@pytest.mark.parametrize("size", ["16k", "1m", "30m"])
def test_a_full_disk_below_a_cluster_is_one_sentence(
    capsys: pytest.CaptureFixture[str], size: str
) -> None:
    """Whether a file of ours does not fit, or etcd's: each size is full at another moment."""
    with tempfile.TemporaryDirectory(prefix="dc") as name, tiny_disk(Path(name), size):
        state = Path(name) / "s"

        code = main(["upstream", "up", "--kubelet-nodes", "1", "--state", str(state)])

        err = capsys.readouterr().err
        assert code == 3
        assert err.count("\n") == 1
        assert "no space left" in err.lower()
        assert processes_with(state) == []
        assert leftovers.mounts(state) == []


@pytest.mark.upstream
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("kubelet")
def test_a_full_disk_below_the_results_is_no_verdict(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    witness = Witness(name="d", plan=Plan(), runs=(Run(name="all", only=("DRA-PST-13",)),))
    monkeypatch.setattr(clusters, "WITNESSES", (witness,))
    with tempfile.TemporaryDirectory(prefix="dc") as name, tiny_disk(Path(name), "16k"):
        code = main(["upstream", "judge", "--lane", "d", "--out", f"{name}/out"])

    sentence = capsys.readouterr().err.splitlines()[-1]
    assert code == 3
    assert f"the journal {name}/out/d-all.jsonl cannot be written: No space left" in sentence

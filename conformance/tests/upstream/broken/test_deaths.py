"""A component that dies while checks run: they errored, accuse nobody, and nothing is left."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conformance.cli.main import main
from conformance.evidence.journal import Journal
from conformance.evidence.verdict import Outcome
from conformance.tests.upstream.remains import processes_with
from conformance.upstream import leftovers, processes
from conformance.upstream.lane import clusters, running
from conformance.upstream.lane.clusters import Run, Witness
from conformance.upstream.layout import Layout
from conformance.upstream.node import cgroups
from conformance.upstream.plan import Plan

pytestmark = [pytest.mark.upstream, pytest.mark.timeout(600), pytest.mark.usefixtures("kubelet")]

#: Checks of every part: the scheduler's, the controllers' and the kubelet's.
WITNESS = Witness(
    name="d",
    plan=Plan(bare_nodes=1, kubelet_nodes=1),
    runs=(Run(name="all", only=("DRA-BND-*", "DRA-PRE-*"), workers=2),),
)

VICTIMS = (
    pytest.param("kube-apiserver", "kube-apiserver", id="API server"),
    pytest.param("kube-scheduler", "kube-scheduler", id="scheduler"),
    pytest.param("kubelet-kubelet-1", "kubelet", id="kubelet"),
    pytest.param("containerd-kubelet-1", "containerd", id="containerd"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a folder in which the lane makes its scratch folders."""
    with tempfile.TemporaryDirectory(prefix="dc") as name:
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield Path(name)
        monkeypatch.undo()
        for state in Path(name).glob("dra-lane-*/*/"):
            leftovers.clean(Layout(state))


def program(pid: int, name: str) -> int:
    """Return the pid of the program itself, below the commands that put it into its place."""
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        command = Path(f"/proc/{one}/cmdline").read_bytes().split(b"\0")
        if Path(os.fsdecode(command[0])).name in {name, "kubernetes"}:
            return one
        waiting += processes.children_of(one)
    raise AssertionError(f"{name} does not run below {pid}")


def once_a_check_has_passed(out: Path, then: Callable[[], None]) -> threading.Thread:
    """Do something in the middle of the run whose journal lies in ``out``."""

    def wait() -> None:
        path = out / "d-all.jsonl"
        while not (path.exists() and b'"outcome":"passed"' in path.read_bytes()):
            time.sleep(0.05)
        # Past the next look at the components, so that this record stands.
        time.sleep(1)
        then()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def left(folder: Path, states: list[Path]) -> list[str]:
    """Return processes, mounts, cgroups and folders that remain of the lane."""
    slugs = [top / Layout(one).slug for one in states for top in cgroups.hierarchies()]
    return [
        *processes_with(folder / "dra-lane-"),
        *leftovers.mounts(folder),
        *(str(slug) for slug in slugs if slug.exists()),
        *map(str, folder.iterdir()),
    ]


@pytest.mark.parametrize(("component", "name"), VICTIMS)
def test_checks_that_lost_a_component_errored(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    component: str,
    name: str,
) -> None:
    monkeypatch.setattr(clusters, "WITNESSES", (WITNESS,))
    states: list[Path] = []

    def kill() -> None:
        states.extend(folder.glob("dra-lane-*/c"))
        pid = processes.recorded_pid(Layout(states[0]).pids / f"{component}.pid")
        assert pid is not None
        os.kill(program(pid, name), signal.SIGKILL)

    killer = once_a_check_has_passed(tmp_path, kill)
    code = main(["upstream", "judge", "--lane", "d", "--out", str(tmp_path)])
    killer.join(10)

    sentence = capsys.readouterr().err.splitlines()[-1]
    assert code == 4
    assert sentence.startswith(f"dra-conformance: d: {component} ")
    log = Path(sentence.partition("(log: ")[2].removesuffix(")"))
    assert log.is_relative_to(tmp_path)
    assert log.stat().st_size > 0
    assert_nobody_is_accused(running.read(tmp_path / "journal.jsonl"), log)
    assert left(folder, states) == []


def assert_nobody_is_accused(journal: Journal, log: Path) -> None:
    outcomes = {one.outcome for one in journal.checks}
    errored = [one for one in journal.checks if one.outcome is Outcome.ERRORED]
    assert Outcome.FAILED not in outcomes
    assert Outcome.PASSED in outcomes
    assert errored
    assert all(str(log) in one.message for one in errored)
    assert not journal.complete


def test_a_driver_that_dies_errored_as_well(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(clusters, "WITNESSES", (WITNESS,))

    def kill() -> None:
        (entry,) = [
            one.parent
            for one in Path("/proc").glob("[0-9]*/cmdline")
            if b"dra-scripted-driver" in one.read_bytes() and str(folder) in one.read_text()
        ]
        os.kill(int(entry.name), signal.SIGKILL)

    killer = once_a_check_has_passed(tmp_path, kill)
    code = main(["upstream", "judge", "--lane", "d", "--out", str(tmp_path)])
    killer.join(10)

    assert code == 4
    assert f"d: {clusters.DRIVER} ended with status -9 (log: " in capsys.readouterr().err
    journal = running.read(tmp_path / "journal.jsonl")
    assert Outcome.FAILED not in {one.outcome for one in journal.checks}

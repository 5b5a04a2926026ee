"""Several copies of a driver at one time come to the same verdicts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import arguments, certify, command, finished

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(300)]


def told(folder: Path, wrong: str = "none") -> str:
    """Return the command of the small driver, which notes first which instance it is."""
    note = f"echo $INSTANCE $KUBECONFIG > {folder}/of-{{instance}}"
    return f"sh -c '{note}; exec {command(wrong)}'"


def test_several_instances_come_to_the_verdicts_of_one(tmp_path: Path) -> None:
    out = tmp_path / "out"

    done = certify(out, told(tmp_path), "--instances", "2", "--start-within", "30s")

    assert done.code == 0, done.said
    assert len(done.ids("passed")) == 15
    assert "driver/core: 18 passed" in done.said
    checks = [one for one in done.report["checks"] if one["outcome"] == "passed"]
    assert {one["worker"] for one in checks} == {"gw0", "gw1"}
    notes = [(tmp_path / f"of-{number}").read_text("utf-8").split() for number in range(2)]
    assert [number for number, _ in notes] == ["0", "1"]
    assert len({kubeconfig for _, kubeconfig in notes}) == 2


def test_several_instances_fail_what_one_does(tmp_path: Path) -> None:
    done = certify(tmp_path, command("leaves-socket"), "-n", "2", "--start-within", "30s")

    assert done.code == 1, done.said
    assert done.ids("failed") == {"DRA-DRV-09"}
    assert "--instances" not in done.said
    assert " -n " not in done.said


def test_a_driver_that_is_installed_is_there_once(tmp_path: Path) -> None:
    words = arguments(tmp_path, "unused", "--kubeconfig", "nowhere", "--instances", "2")
    del words[words.index("--driver-command") : words.index("--driver-command") + 2]

    done = finished(subprocess.run, words, tmp_path)

    assert done.code == 2, done.said
    assert "--instances goes with --driver-command" in done.said
    assert done.said.count("\n") == 1

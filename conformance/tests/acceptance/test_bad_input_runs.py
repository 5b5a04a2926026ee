"""What befalls a run in the middle: it says so, loses nothing, and never reads as a pass."""

from __future__ import annotations

import json
import resource
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from conformance.cli.exits import ExitCode
from conformance.plugin import journal_file
from conformance.tests.acceptance.bad_input import (
    PROGRAM,
    QUICK,
    environment,
    run,
    running,
    until_lines,
)

TRACEBACK = "Traceback (most recent call last)"
DOCUMENTS = ["journal.jsonl", "junit.xml", "report.html", "report.json"]


@pytest.mark.parametrize(
    ("number", "workers"),
    [
        pytest.param(signal.SIGINT, "0", id="Ctrl-C"),
        pytest.param(signal.SIGTERM, "0", id="terminated"),
        pytest.param(signal.SIGTERM, "1", id="terminated with a worker"),
    ],
)
def test_a_run_that_is_stopped_reports_what_was_done(
    number: signal.Signals, workers: str, tmp_path: Path, scratch: Path
) -> None:
    out = tmp_path / "out"
    with running(
        "run", "--out", str(out), "-n", workers, env=environment(TMPDIR=str(scratch))
    ) as process:
        until_lines(out / "journal.jsonl", 3)
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        said, words = process.communicate(timeout=60)

    journal = journal_file.load(out / "journal.jsonl")
    assert process.returncode == ExitCode.INCOMPLETE
    assert said.startswith("incomplete: None failed"), words
    assert "The run was interrupted" in words
    assert TRACEBACK not in words
    assert journal.footer is not None
    assert journal.footer.interrupted
    assert sorted(path.name for path in out.iterdir()) == DOCUMENTS
    assert json.loads((out / "report.json").read_text("utf-8"))["verdict"] == "incomplete"
    assert list(scratch.iterdir()) == []
    assert not [one for one in family if one.is_running()]


def test_a_stopped_run_leaves_nothing_in_a_cluster(tmp_path: Path) -> None:
    out, path = tmp_path / "out", tmp_path / "kubeconfig"
    options = ("--target", "kube", "--kubeconfig", str(path), "--out", str(out))
    # Of these some are over at once and others take half a minute each.
    options += ("--only", "DRA-BND-15", "--only", "DRA-BND-10")
    with running("serve", "--real-time", "--kubeconfig-out", str(path)) as cluster:
        assert cluster.stdout is not None
        assert cluster.stdout.readline().strip() == str(path)
        with running("run", *options, env=environment()) as process:
            until_lines(out / "journal.jsonl", 2, seconds=100)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
        left = run("clean", "--kubeconfig", str(path), "--dry-run")

    assert process.returncode == ExitCode.INCOMPLETE
    assert left.returncode == ExitCode.CONFORMANT
    assert left.stdout == ""


def test_a_worker_that_is_killed_is_an_error_not_a_pass(tmp_path: Path) -> None:
    out = tmp_path / "out"
    chosen = ("--only", "DRA-WF-*")
    with running("run", *chosen, "--out", str(out), "-n", "1", env=environment()) as process:
        until_lines(out / "journal.jsonl", 3)
        for worker in psutil.Process(process.pid).children():
            worker.kill()
        said, words = process.communicate(timeout=110)

    journal = journal_file.load(out / "journal.jsonl")
    lost = [one for one in journal.checks if "the process that ran this check" in one.message]
    assert process.returncode == ExitCode.INCOMPLETE, words[-2000:]
    assert [one.outcome for one in lost] == ["errored"]
    assert lost[0].requirements
    assert f"errored {lost[0].requirements[0]}" in said


def test_a_module_that_cannot_be_imported_is_no_pass(tmp_path: Path) -> None:
    package = tmp_path / "broken"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "test_broken.py").write_text("import no_such_module\n", "utf-8")
    out = tmp_path / "out"
    program = (
        "import sys; from pathlib import Path\n"
        "from conformance.cli import judgement\n"
        "from conformance.harness.targets.opening import TargetOptions\n"
        f"asked = judgement.Question(target=TargetOptions(), out=Path({str(out)!r}),"
        f" modules=({str(package)!r},))\n"
        "sys.exit(judgement.answer(asked))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    footer = journal_file.load(out / "journal.jsonl").footer
    assert done.returncode == ExitCode.INCOMPLETE, done.stderr
    assert footer is not None
    assert "No module named 'no_such_module'" in footer.reason
    assert "could not be collected" in done.stderr


@pytest.mark.parametrize(
    ("room", "said"),
    [
        pytest.param(10_000, "no check was judged: the journal ", id="before the first check"),
        pytest.param(900_000, "incomplete", id="in the middle"),
    ],
)
def test_a_full_disk_ends_the_run(room: int, said: str, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def limit() -> None:
        # Python ignores SIGXFSZ: what is too much is refused, as a full disk refuses it.
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    done = run("run", "--out", str(out), env=environment(), preexec_fn=limit)

    assert done.returncode == ExitCode.INCOMPLETE
    assert "cannot be written: File too large" in done.stderr
    assert TRACEBACK not in done.stderr
    assert said in done.stdout + done.stderr
    assert (out / "journal.jsonl").stat().st_size <= room


def test_nothing_of_the_surroundings_reaches_the_checks(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n", "utf-8")
    (tmp_path / "pyproject.toml").write_text("no toml", "utf-8")
    (tmp_path / "conftest.py").write_text("raise SystemExit(7)\n", "utf-8")
    foreign = {"PYTEST_ADDOPTS": "--nonsense", "PYTEST_PLUGINS": "no_such_plugin"}

    done = run("run", "--only", QUICK, "--out", ".", cwd=tmp_path, env=environment(**foreign))

    assert done.returncode == ExitCode.CONFORMANT, done.stderr
    assert done.stdout.splitlines()[0].startswith("conformant: 1 passed")
    assert "\x1b" not in done.stdout + done.stderr
    assert set(DOCUMENTS) <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("redirection", "code"),
    [
        pytest.param("2>&1 | head -n 1 >/dev/null", ExitCode.CONFORMANT, id="a reader that left"),
        pytest.param(">&- 2>&-", ExitCode.CONFORMANT, id="no streams"),
        pytest.param(">/dev/full", ExitCode.INCOMPLETE, id="a full device"),
    ],
)
def test_the_verdict_holds_whoever_reads(redirection: str, code: ExitCode, tmp_path: Path) -> None:
    words = [*PROGRAM, "run", "--only", QUICK, "--out", str(tmp_path / "out")]
    script = f"set -o pipefail; {shlex.join(words)} {redirection}"

    done = subprocess.run(
        ["bash", "-c", script], env=environment(), capture_output=True, text=True, check=False
    )

    assert done.returncode == code, done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == DOCUMENTS


def test_a_waiver_that_ended_is_said(tmp_path: Path) -> None:
    path = tmp_path / "waivers.yaml"
    path.write_text(
        f"waivers:\n- id: {QUICK}\n  reason: known\n  until: 2020-01-31\n"
        "  link: https://example.com/1\n",
        "utf-8",
    )

    done = run("run", "--only", QUICK, "--waivers", str(path), "--out", str(tmp_path / "out"))

    assert done.returncode == ExitCode.CONFORMANT
    assert f"the waiver of {QUICK} ended on 2020-01-31 and no longer holds" in done.stderr


def test_a_long_temporary_folder_is_no_obstacle(tmp_path: Path) -> None:
    scratch = tmp_path / ("deep" * 20)
    scratch.mkdir()

    done = run(
        "run",
        "--only",
        QUICK,
        "--out",
        str(tmp_path / "out"),
        env=environment(TMPDIR=str(scratch)),
    )

    assert done.returncode == ExitCode.CONFORMANT, done.stderr

"""The entry point is light, silent elsewhere, and keeps one journal for all workers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from conformance.plugin import journal_file

#: What must not be imported into every pytest run of an environment.
HEAVY = ("kubernetes", "aiohttp", "grpc", "celpy", "conformance.harness", "conformance.reference")


def python(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, check=False, capture_output=True, text=True
    )


def test_the_entry_point_imports_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys, conformance.plugin.hooks\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )

    assert python("-c", program, cwd=tmp_path).stdout == "[]\n"


def test_other_runs_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text(
        "import sys\n\n\ndef test_it():\n"
        f"    assert not [name for name in {HEAVY!r} if name in sys.modules]\n",
        "utf-8",
    )

    ended = python("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path)

    assert ended.returncode == 0, ended.stdout
    assert "dra-conformance" not in ended.stdout


def test_workers_send_their_records_to_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"

    ended = python(
        "-m",
        "pytest",
        "-q",
        "-n2",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "--pyargs",
        "conformance.suite.prescheduled",
        "--dra-seed=5",
        f"--dra-journal={path}",
        cwd=tmp_path,
    )

    journal = journal_file.load(path)
    assert ended.returncode == 0, ended.stdout
    passed = re.search(r"^(\d+) passed", ended.stdout, re.MULTILINE)
    assert passed is not None
    assert journal.complete
    assert journal.header.seed == 5
    assert len({one.check for one in journal.checks}) == len(journal.checks) == int(passed[1])
    assert {one.worker for one in journal.checks} == {"gw0", "gw1"}

"""Start ``certify`` as a process of its own, and read what it leaves."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs

NAME = "small.example.com"
PROGRAM = "conformance.tests.acceptance.driver_program"

#: A traceback of ours, which nobody should ever see.
TRACEBACK = "Traceback (most recent call last)"


@attrs.frozen(kw_only=True)
class Outcome:
    """How a certification ended, and what it left."""

    code: int
    said: str
    out: Path

    @property
    def report(self) -> Any:
        return json.loads((self.out / "report.json").read_text("utf-8"))

    def ids(self, outcome: str) -> set[str]:
        """Return the judged requirements with this outcome."""
        return {one["id"] for one in self.report["requirements"] if one["outcome"] == outcome}

    def exhibits(self) -> str:
        """Return the evidence of every check."""
        return (self.out / "journal.jsonl").read_text("utf-8")


def command(wrong: str = "none") -> str:
    """Return the command of the small driver."""
    return f"{sys.executable} -m {PROGRAM} --wrong {wrong}"


def arguments(out: Path, driver: str, *more: str) -> list[str]:
    named = ["--driver-name", NAME, "--device-class", "small", "--driver-command", driver]
    fast = ["--start-within", "4s", "--seed", "1", "--out", str(out)]
    return [sys.executable, "-m", "conformance", "certify", *named, *fast, *more]


def certify(out: Path, driver: str, *more: str) -> Outcome:
    """Certify a driver and return how it ended."""
    return finished(subprocess.run, arguments(out, driver, *more), out)


def finished(run: Any, words: Sequence[str], out: Path) -> Outcome:
    done = run(words, capture_output=True, text=True, timeout=280, check=False)
    return Outcome(code=done.returncode, said=done.stdout + done.stderr, out=out)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def within(seconds: float, true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True

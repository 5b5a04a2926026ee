"""The reference as an older Kubernetes: what came later is unsupported, and all else holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conformance.evidence.verdict import Outcome
from conformance.upstream.lane import running

#: So many checks are decided at least: what is younger, or behind a gate of a later minor, is not.
LEAST = {"1.34": 1000, "1.35": 1100, "1.36": 1400}


@pytest.mark.acceptance
@pytest.mark.timeout(600)
@pytest.mark.parametrize("minor", LEAST)
def test_an_older_kubernetes_is_conformant_too(minor: str, tmp_path: Path) -> None:
    words = ["run", "--kubernetes-version", minor, "-n", "2", "--seed", "1", "--out", str(tmp_path)]

    done = subprocess.run(
        [sys.executable, "-m", "conformance", *words], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    checks = running.read(tmp_path / "journal.jsonl").checks
    passed = [one for one in checks if one.outcome is Outcome.PASSED]
    other = {one.outcome for one in checks} - {Outcome.PASSED}
    assert other == {Outcome.UNSUPPORTED}
    assert len(passed) >= LEAST[minor]

"""Whether tests may give a child a monotonic clock of its own."""

from __future__ import annotations

import contextlib
import subprocess

import pytest


def may_shift() -> bool:
    """Tell whether a process like this one may have a monotonic clock of its own."""
    for words in (["unshare", "--time", "true"], ["unshare", "--user", "--time", "true"]):
        with contextlib.suppress(FileNotFoundError):
            if subprocess.run(words, capture_output=True, check=False).returncode == 0:
                return True
    return False


shifting = pytest.mark.skipif(not may_shift(), reason="this user may not have another clock")

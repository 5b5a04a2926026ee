"""What programs that are started as processes of their own have in common."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Return a folder for temporary files whose path leaves room for sockets."""
    with tempfile.TemporaryDirectory(prefix="d-", dir="/tmp") as folder:
        yield Path(folder)

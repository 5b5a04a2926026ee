"""Folders and prerequisites that the tests of a real cluster share."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.upstream import leftovers, prerequisites
from conformance.upstream.layout import layout


@pytest.fixture
def state() -> Iterator[Path]:
    """Give a folder with a short path, and clean it even when a test failed halfway."""
    with tempfile.TemporaryDirectory(prefix="dc") as folder:
        yield Path(folder)
        leftovers.clean(layout(Path(folder)))


@pytest.fixture
def control_plane() -> None:
    """Skip, with the sentence that says why, where no control plane can run."""
    if missing := prerequisites.missing(kubelet=False):
        pytest.skip("not run: " + "; ".join(missing))


@pytest.fixture(scope="session")
def kubelet() -> None:
    """Skip, with the sentence that says why, where no node can run."""
    if missing := prerequisites.missing(kubelet=True):
        pytest.skip("not run: " + "; ".join(missing))

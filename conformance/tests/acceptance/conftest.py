"""What programs that are started as processes of their own have in common."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Return a folder for temporary files whose path leaves room for sockets."""
    with tempfile.TemporaryDirectory(prefix="d-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def kubeconfig() -> Iterator[Path]:
    """Return the kubeconfig of a cluster that ``serve`` runs, as others run theirs."""
    words = [sys.executable, "-m", "conformance", "serve", "--real-time"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield Path(process.stdout.readline().strip())
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def node_root(kubeconfig: Path) -> Path:
    """Return the folder of its first node in the layout of a kubelet's ``--root-dir``."""
    node, root = kubeconfig.parent / "node-1", kubeconfig.parent / "k"
    root.mkdir()
    (root / "plugins").symlink_to(node / "plugins")
    (root / "plugins_registry").symlink_to(node / "reg")
    return root

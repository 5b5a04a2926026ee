"""How long the policies take for many manifests."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from conformance import data
from conformance.tests.bench.table import NotMeasuredError, Row, Sample, rounds

#: So many objects are judged, in at most so many seconds.
OBJECTS, GOAL = 1000, 5.0


def linting(count: int) -> Iterator[Row]:
    """Yield the row of ``lint`` on manifests as a cluster has them, one file for each."""
    with tempfile.TemporaryDirectory(prefix="dra-bench-") as name:
        folder = Path(name)
        _write(folder)
        yield rounds(f"lint {OBJECTS} manifests", count, lambda: _measure(folder), GOAL)


def _write(folder: Path) -> None:
    """Write the fixtures of all policies over and over, each time into other namespaces."""
    texts = [
        document
        for path in sorted(data.fixtures("policies").rglob("*.pass.yaml"))
        for document in path.read_text("utf-8").split("\n---\n")
    ]
    for number in range(OBJECTS):
        again, which = divmod(number, len(texts))
        text = texts[which].replace("namespace: ", f"namespace: copy-{again}-")
        (folder / f"{number:04}.yaml").write_text(f"{text}\n", "utf-8")


def _measure(folder: Path) -> Sample:
    command = [sys.executable, "-m", "conformance", "lint", str(folder)]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall = time.perf_counter() - start
    if done.returncode not in (0, 1):
        raise NotMeasuredError(done.stderr.strip().rpartition("\n")[2])
    return Sample(wall=wall)

"""The reference as its own process, for programs that know nothing of Python."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.upstream.plan import GATES_OFF_BY_DEFAULT

#: Seconds until it must be ready; a busy machine is slow to start Python.
_PATIENCE = 300


@contextmanager
def reference(folder: Path, *more: str) -> Iterator[Path]:
    """Serve the reference with every gate on, in real time, and give its kubeconfig."""
    path = folder / "kubeconfig"
    gates = ",".join(f"{gate}=true" for gate in GATES_OFF_BY_DEFAULT)
    words = ["serve", "--real-time", "--feature-gates", gates, "--kubeconfig-out", str(path), *more]
    with (folder / "serve.log").open("w") as log:
        serve = subprocess.Popen(
            [sys.executable, "-m", "conformance", *words], stdout=log, stderr=log
        )
    try:
        deadline = time.monotonic() + _PATIENCE
        while not path.exists():
            assert serve.poll() is None, (folder / "serve.log").read_text()
            assert time.monotonic() < deadline, "the reference did not come up"
            time.sleep(0.1)
        yield path
    finally:
        serve.send_signal(signal.SIGINT)
        serve.wait(60)

"""The commands that people wait for: ``serve``, ``list``, ``run`` and ``certify``."""

from __future__ import annotations

import json
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs

from conformance.tests.bench import processes
from conformance.tests.bench.table import NotMeasuredError, Row, Sample, rounds
from conformance.upstream import build

#: The check of the 600 s that the scheduler waits for binding conditions by default.
_WAIT = "test_the_default_wait_ends_after_600_seconds"

#: Goals in seconds of wall time on an idle machine with two processors.
_READY, _TIMEOUT, _SUITE, _CERTIFIED = 0.5, 0.05, 15.0, 15.0

#: The driver that is certified, and how it is started.
_PLUGIN = "dra-example-kubeletplugin"
_DRIVER = (
    "--kubeconfig={kubeconfig} --node-name={node_name} --cdi-root={cdi_dir} "
    "--kubelet-registrar-directory-path={registrar_dir} "
    "--kubelet-plugins-directory-path={plugins_dir} --device-profile=gpu"
)


def starting(count: int) -> Iterator[Row]:
    """Measure how long one waits for the first sign of life."""
    yield rounds("serve: start to ready", count, processes.until_ready, _READY)
    yield rounds(
        "list --format json",
        count,
        lambda: processes.whole(processes.program("list", "--format", "json")),
    )


def judging(count: int) -> Iterator[Row]:
    """Measure the whole suite on the bundled reference, in one process and in two."""
    with tempfile.TemporaryDirectory(prefix="dra-bench-") as folder:
        waits: list[Sample] = []
        yield rounds("suite, one process", count, lambda: _suite(Path(folder), waits))
        yield Row(
            what="check of the 600 s binding timeout",
            samples=tuple(waits),
            goal=_TIMEOUT,
            reason="" if waits else "the suite was not run",
        )
        yield rounds("suite, -n 2", count, lambda: _run(Path(folder), "-n", "2"), _SUITE)


def certifying(count: int) -> Iterator[Row]:
    """Measure the certification of a real driver, where it has been built."""
    row = Row(what="certify dra-example-driver", goal=_CERTIFIED)
    if any(_PLUGIN in module.binaries for module in build.missing()):
        reason = "the driver is not built (dra-conformance upstream build)"
        yield attrs.evolve(row, reason=reason)
        return
    command = f"{shlex.quote(str(build.binary(_PLUGIN)))} {_DRIVER}"
    with tempfile.TemporaryDirectory(prefix="dra-bench-") as folder:
        certify = processes.program(
            "certify",
            *("--driver-name", "gpu.example.com", "--device-class", "gpu.example.com"),
            *("--driver-command", command, "--out", folder),
        )
        yield rounds(row.what, count, lambda: processes.whole(certify), row.goal)


def _suite(folder: Path, waits: list[Sample]) -> Sample:
    sample = _run(folder)
    waits.append(Sample(wall=_seconds_of(_WAIT, folder / "journal.jsonl")))
    return sample


def _run(folder: Path, *options: str) -> Sample:
    command = processes.program("run", "--target", "bundled", "--out", str(folder), *options)
    return processes.whole(command)


def _seconds_of(check: str, journal: Path) -> float:
    """Return what the journal says that a check took."""
    for line in journal.read_text("utf-8").splitlines():
        event = json.loads(line)
        if str(event.get("check", "")).endswith(check):
            return float(event["seconds"])
    raise NotMeasuredError(f"the journal holds no {check}")

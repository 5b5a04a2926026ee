"""Run the suite on the clusters of the lane, each run a pytest process of its own.

The suite is asked as any user asks it. What it says of the cluster stands in its journal; a
cluster that came down meanwhile, or a run that pytest could not finish, is an error of the
lane and never a verdict.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import conformance
from conformance.evidence import journal
from conformance.upstream import errors, layout, leftovers, processes, supervisor
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane.clusters import DEVICE_CLASS, DRIVER, NODE, Run, Witness
from conformance.upstream.lane.driver import configured, scripted

#: Clusters that run at the same time: each needs about 700 MiB, and most of a run is waiting.
AT_ONCE = 2

#: Exit codes of pytest after which a journal is whole: all passed, some failed.
_WHOLE = (0, 1)

_POLL = 0.2

Progress = Callable[[str], None]


def judge(witnesses: Iterable[Witness], out: Path, progress: Progress) -> dict[str, Path]:
    """Bring every cluster up, run the suite on it, and return the journals by name.

    ``out`` gets the journals and what pytest printed. Raises :class:`errors.UpstreamError`.
    """
    out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        running = [pool.submit(_judge_on, witness, out, progress) for witness in witnesses]
        found = [one.result() for one in running]
    return {name: path for journals in found for name, path in journals.items()}


def read(path: Path) -> journal.Journal:
    """Return the journal in a file; raises :class:`errors.UpstreamError`."""
    try:
        return journal.decode(path.read_bytes().decode("utf-8", "replace").split("\n"))
    except (OSError, journal.JournalError) as error:
        raise errors.UpstreamError(f"the journal {path} cannot be read: {error}") from error


def arguments(cluster: Cluster, witness: Witness, run: Run, path: Path) -> list[str]:
    """Return the command line of one run of the suite, which writes the journal ``path``."""
    options = {
        "target": "kube",
        "kubeconfig": cluster.kubeconfig,
        "journal": path,
        "max-wait": run.max_wait,
        "binding-timeout": witness.binding_timeout,
        **(_on_node(cluster, witness, run) if cluster.nodes else {}),
    }
    return [
        *(sys.executable, "-m", "pytest", "--pyargs", "conformance.suite"),
        *("-c", os.devnull, f"--rootdir={path.parent}", "-p", "no:cacheprovider"),
        *("-p", "no:randomly", "-q", "--tb=short"),
        *("-W", "ignore::pytest.PytestAssertRewriteWarning", "-n", str(run.workers)),
        *(f"--dra-{name}={value}" for name, value in options.items() if value),
        *(f"--dra-only={glob}" for glob in run.only),
        *(f"--dra-driver-feature={name}" for name in _features(witness) if cluster.nodes),
    ]


def _on_node(cluster: Cluster, witness: Witness, run: Run) -> dict[str, str]:
    node = cluster.nodes[NODE].layout
    options = {"node-root": f"{NODE}={node.root}:{node.cdi}"}
    if witness.configured:
        options["driver-command"] = configured()
    else:
        options.update({"driver-name": DRIVER, "device-class": DEVICE_CLASS})
    if run.restarts:
        program = f"{sys.executable} -m conformance upstream"
        state = cluster.place.state
        options["restart-kubelet"] = f"{program} restart-kubelet --state {state} {{node}}"
    return options


def _features(witness: Witness) -> tuple[str, ...]:
    return ("health", "metadata") if witness.configured else ()


def _judge_on(witness: Witness, out: Path, progress: Progress) -> dict[str, Path]:
    with tempfile.TemporaryDirectory(prefix="dc") as folder:
        place = layout.layout(Path(folder) / witness.name)
        progress(f"{witness.name}: the cluster comes up")
        try:
            with Cluster(place.state, witness.plan) as cluster:
                processes.record(place.supervisor, os.getpid())
                return _all_runs(cluster, witness, out, progress)
        finally:
            leftovers.clean(place)


def _all_runs(cluster: Cluster, witness: Witness, out: Path, progress: Progress) -> dict[str, Path]:
    is_installed = bool(cluster.nodes) and not witness.configured
    driver = scripted(cluster) if is_installed else nullcontext()
    journals: dict[str, Path] = {}
    with driver:
        for run in witness.runs:
            name = f"{witness.name}-{run.name}"
            path = journals[name] = out / f"{name}.jsonl"
            _run(cluster, arguments(cluster, witness, run, path), out / f"{name}.log")
            progress(f"{name}: {_last_line(out / f'{name}.log')}")
    return journals


def _run(cluster: Cluster, command: list[str], log: Path) -> None:
    """Run pytest to its end, and restart the kubelets that it asks to restart.

    Raises :class:`errors.UpstreamError` where it broke off, :class:`errors.ComponentError` as
    soon as a component of the cluster dies.
    """
    source = str(Path(conformance.__file__).parent.parent)
    with log.open("wb") as output:
        child = subprocess.Popen(  # noqa: S603 - our own command line
            command,
            cwd=log.parent,
            env={**os.environ, "PYTHONPATH": source, "PYTEST_ADDOPTS": ""},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        try:
            while child.poll() is None:
                supervisor.serve_requests(cluster)
                cluster.must_live()
                time.sleep(_POLL)
        finally:
            child.terminate()
            child.wait()
    if child.returncode not in _WHOLE:
        raise errors.UpstreamError(f"the suite broke off: {_last_line(log)} (log: {log})")


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1].strip("= ") if lines else "no output"

"""A cluster that outlives the command which started it.

``up`` starts a supervisor, free of the terminal, and waits until the cluster is ready;
``down`` ends it by its pid file. The supervisor holds the cluster's context manager and
leaves when it is told to, or when a component dies: then it says which, in its own log.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from conformance.upstream import errors, leftovers, processes
from conformance.upstream.cluster import Cluster
from conformance.upstream.layout import Layout

_POLL = 0.2
_SECONDS = 180.0
_RESTART_SECONDS = 60.0


def hold(cluster: Cluster, ready: Callable[[Cluster], None]) -> None:
    """Run ``cluster`` until SIGTERM or SIGINT, or until a component dies.

    Calls ``ready`` once it is up. Raises :class:`errors.ComponentError` for a death.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _interrupt)
    cluster.place.ending.unlink(missing_ok=True)
    try:
        with contextlib.suppress(KeyboardInterrupt), cluster:
            processes.record(cluster.place.supervisor, os.getpid())
            ready(cluster)
            while True:
                serve_requests(cluster)
                _must_live(cluster)
                time.sleep(_POLL)
    except errors.ComponentError as error:
        cluster.place.ending.write_text(f"{error}\n")
        raise


def detach(place: Layout, arguments: Sequence[str]) -> dict[str, Any]:
    """Run ``python -m conformance ARGUMENTS`` in the background; return the cluster's facts.

    Raises :class:`errors.UpstreamError` with the supervisor's last words when it ends early.
    """
    if leftovers.is_supervised(place):
        raise errors.UnusableError(f"a cluster already runs in {place.state}; take it down first")
    place.make()
    place.facts.unlink(missing_ok=True)
    log = place.log("supervisor")
    with log.open("wb") as output:
        child = subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, "-m", "conformance", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    deadline = time.monotonic() + _SECONDS
    while not (place.facts.exists() and leftovers.is_supervised(place)):
        if child.poll() is not None:
            raise errors.UpstreamError(_last_words(log) or f"it ended at once (log: {log})")
        if time.monotonic() > deadline:
            child.terminate()
            raise errors.UpstreamError(f"not ready in {_SECONDS:.0f} s (logs: {place.logs})")
        time.sleep(_POLL)
    return status(place) or {}


def restart_kubelet(place: Layout, node: str) -> None:
    """Let the process that holds the cluster restart the kubelet of ``node``.

    Returns once the new kubelet runs. Raises :class:`errors.UnusableError` where no cluster or
    no such node is, and :class:`errors.UpstreamError` when nobody did it in time.
    """
    facts = status(place)
    if facts is None:
        raise errors.UnusableError(f"no cluster runs in {place.state}")
    names = [one["name"] for one in facts["kubeletNodes"]]
    if node not in names:
        known = ", ".join(names) or "none"
        raise errors.UnusableError(f"no node {node!r} with a kubelet here: {known}")
    request = place.requests / node
    request.touch()
    deadline = time.monotonic() + _RESTART_SECONDS
    while request.exists():
        if time.monotonic() > deadline or not leftovers.is_supervised(place):
            request.unlink(missing_ok=True)
            raise errors.UpstreamError(
                f"the kubelet of {node} was not restarted (logs: {place.logs})"
            )
        time.sleep(_POLL)


def status(place: Layout) -> dict[str, Any] | None:
    """Return the facts of the cluster in ``place``, or None when none runs there."""
    if not leftovers.is_supervised(place):
        return None
    try:
        return json.loads(place.facts.read_text())
    except (OSError, ValueError):
        return None


def ending(place: Layout) -> str | None:
    """Return why the last cluster in ``place`` ended by itself, or None when it did not."""
    try:
        return place.ending.read_text().strip()
    except OSError:
        return None


def end(place: Layout) -> bool:
    """Take down whatever is in ``place``; say whether a cluster was running."""
    running = leftovers.is_supervised(place)
    processes.signal_recorded(place.supervisor, signal.SIGTERM)
    processes.signal_recorded(place.supervisor, signal.SIGKILL)
    leftovers.clean(place)
    leftovers.sweep()
    return running


def serve_requests(cluster: Cluster) -> None:
    """Restart the kubelets that were asked for; the request goes when it is done."""
    for request in sorted(cluster.place.requests.iterdir()):
        if request.name in cluster.nodes:
            cluster.nodes[request.name].restart_kubelet()
        request.unlink(missing_ok=True)


def _must_live(cluster: Cluster) -> None:
    try:
        cluster.must_live()
    except errors.ComponentError:
        cluster.abort()
        raise


def _last_words(log: Path) -> str:
    """Return the sentence that the supervisor ended with, without the program's name."""
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("dra-conformance: ") if lines else ""


def _interrupt(_number: int, _frame: Any) -> None:
    """End the cluster's context once; a second signal may not end the taking down."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt

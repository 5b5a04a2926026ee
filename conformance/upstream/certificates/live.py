"""Certifying a driver that is started beside a real control plane and kubelet."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from conformance.upstream.certificates import hermetic
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane.clusters import NODE
from conformance.upstream.node import images
from conformance.upstream.plan import Plan


def certify(folder: Path, out: Path) -> int:
    """Bring a cluster up and certify the driver of a folder there; return the exit code.

    Raises :class:`errors.UpstreamError` where that can't be done.
    """
    plan = Plan(alpha=True, bare_nodes=0, kubelet_nodes=1)
    # As short as can be: below it lie sockets with the name of a driver and the uid of a Pod.
    with tempfile.TemporaryDirectory(prefix="") as state, Cluster(Path(state), plan) as cluster:
        reached = _reached(str(cluster.kubeconfig), cluster.nodes[NODE].layout.reached)
        return hermetic.run(hermetic.words(folder, *reached, "--out", str(out)))


def told(facts: Mapping[str, Any], kubeconfig: Path) -> Iterator[str]:
    """Yield, for each node of a cluster that runs, how a driver is certified beside its kubelet.

    ``facts`` are those of :meth:`Cluster.facts`; a person has only to name the driver.
    """
    restarting = ["dra-conformance", "upstream", "restart-kubelet", "--state", facts["state"]]
    for node in facts["kubeletNodes"]:
        words = ["dra-conformance", "certify", "--config", hermetic.CONFIGURATION]
        words += _reached(str(kubeconfig), node["nodeRoot"])
        words += ["--restart-kubelet", f"{shlex.join(restarting)} {{node}}", "--out", "report"]
        yield shlex.join(words)


def _reached(kubeconfig: str, root: str) -> list[str]:
    """Return the options of ``certify`` that say beside which kubelet the driver is started."""
    return [
        *("--control-plane", "kube", "--kubeconfig", kubeconfig),
        *("--node-root", root, "--image", images.POD_IMAGE),
    ]

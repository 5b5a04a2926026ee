"""Certifying a driver that is started beside a real control plane and kubelet."""

from __future__ import annotations

import tempfile
from pathlib import Path

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
        node = cluster.nodes[NODE].layout
        options = {
            "--control-plane": "kube",
            "--kubeconfig": cluster.kubeconfig,
            "--node-root": f"{NODE}={node.root}:{node.cdi}",
            "--image": images.POD_IMAGE,
            "--out": out,
        }
        more = [str(word) for option in options.items() for word in option]
        return hermetic.run(hermetic.words(folder, *more))

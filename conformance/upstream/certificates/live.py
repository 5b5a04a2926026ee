"""Certifying dra-example-driver where it is installed beside a real kubelet."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.upstream import build
from conformance.upstream.certificates import hermetic
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane.clusters import NODE
from conformance.upstream.lane.driver import await_slices, create_class
from conformance.upstream.node import images
from conformance.upstream.plan import Plan


def certify(profile: str, state: Path, out: Path) -> int:
    """Bring a cluster up, install the driver, certify it there, and return the exit code.

    Raises :class:`errors.UpstreamError` where that can't be done.
    """
    plan = Plan(alpha=True, bare_nodes=0, kubelet_nodes=1)
    with Cluster(state, plan) as cluster, _installed(cluster, profile):
        node = cluster.nodes[NODE].layout
        kubeconfig, root = Path("kubeconfig"), Path("kubelet")
        where = out.absolute()
        where.mkdir(parents=True, exist_ok=True)
        _link(where / kubeconfig, cluster.kubeconfig)
        _link(where / root, node.root)
        _link(where / "cdi", node.cdi)
        options = {
            "--kubeconfig": where / kubeconfig,
            "--node-root": f"{NODE}={where / root}:{where / 'cdi'}",
            "--image": images.POD_IMAGE,
            "--out": out,
        }
        more = [str(word) for option in options.items() for word in option]
        return hermetic.run(hermetic.words(profile, *more))


@contextmanager
def _installed(cluster: Cluster, profile: str) -> Iterator[None]:
    name, node = f"{profile}.example.com", cluster.nodes[NODE].layout
    create_class(cluster, name, name)
    command = [
        str(build.binary(hermetic.PROGRAM)),
        f"--device-profile={profile}",
        f"--kubeconfig={cluster.kubeconfig}",
        f"--node-name={node.name}",
        f"--cdi-root={node.cdi}",
        f"--kubelet-plugins-directory-path={node.plugins}",
        f"--kubelet-registrar-directory-path={node.registrar}",
    ]
    with cluster.place.log(profile).open("wb") as log:
        child = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603 - our own words
        try:
            await_slices(cluster, child, name)
            yield
        finally:
            child.terminate()
            child.wait()


def _link(link: Path, target: Path) -> None:
    link.unlink(missing_ok=True)
    os.symlink(target, link)  # noqa: PTH211 - to a folder or a file alike

"""Certifying a driver where it is installed beside a real kubelet."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from conformance.upstream.certificates import hermetic
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane.clusters import NODE
from conformance.upstream.lane.driver import await_slices, create_class
from conformance.upstream.node import images
from conformance.upstream.plan import Plan


def certify(folder: Path, state: Path, out: Path) -> int:
    """Bring a cluster up, install the driver of a folder, certify it there; return the exit code.

    Raises :class:`errors.UpstreamError` where that can't be done.
    """
    plan = Plan(alpha=True, bare_nodes=0, kubelet_nodes=1)
    driver: Any = yaml.safe_load((folder / hermetic.CONFIGURATION).read_text("utf-8"))["driver"]
    with Cluster(state, plan) as cluster, _installed(cluster, driver):
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
        return hermetic.run(hermetic.words(folder, *more))


@contextmanager
def _installed(cluster: Cluster, driver: Any) -> Iterator[None]:
    """Start the driver by its own command, as ``certify`` would, and create its class."""
    node = cluster.nodes[NODE].layout
    create_class(cluster, driver["deviceClass"], driver["name"])
    # As a volume of its Pod would be; not every driver makes it.
    (node.plugins / driver["name"]).mkdir(parents=True, exist_ok=True)
    # The names are those of docs/certify.md.
    told = {
        "kubeconfig": str(cluster.kubeconfig),
        "node_name": node.name,
        "plugins_dir": str(node.plugins),
        "registrar_dir": str(node.registrar),
        "cdi_dir": str(node.cdi),
        "healthcheck_port": "-1",
        "metrics_port": "-1",
    }
    variables = {name.upper(): value for name, value in told.items()}
    command = [word.format_map(told) for word in shlex.split(driver["command"])]
    with cluster.place.log(driver["name"]).open("wb") as log:
        child = subprocess.Popen(  # noqa: S603 - the words of a committed configuration
            command,
            stdout=log,
            stderr=log,
            env={**hermetic.environment(), **variables},
            # A command may start more than one program, and all of them have to end.
            start_new_session=True,
        )
        try:
            await_slices(cluster, child, driver["name"])
            yield
        finally:
            os.killpg(child.pid, signal.SIGTERM)
            child.wait()


def _link(link: Path, target: Path) -> None:
    link.unlink(missing_ok=True)
    os.symlink(target, link)  # noqa: PTH211 - to a folder or a file alike

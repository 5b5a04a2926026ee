"""The driver that is judged on a real cluster: upstream's own library and test driver.

``configured`` is the command by which the suite starts a driver for each check; ``scripted``
installs upstream's test driver for a whole run.
"""

from __future__ import annotations

import functools
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.kube.objects import Object
from conformance.upstream import build, errors
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane.clusters import DEVICE_CLASS, DRIVER, NODE

#: So many devices that checks at the same time seldom wait for each other.
DEVICES = 16

_RESOURCE = "/apis/resource.k8s.io/v1"
_SECONDS = 60.0
_POLL = 0.2


def configured() -> str:
    """Return the command of a driver on upstream's library that the suite sets up by a file."""
    flags = ("node-name", "kubeconfig", "plugins-dir", "registrar-dir", "cdi-dir", "configuration")
    words = [f"--{flag}={{{flag.replace('-', '_')}}}" for flag in flags]
    return " ".join([str(build.kubernetes()), "dra-configured-driver", *words])


@contextmanager
def scripted(cluster: Cluster) -> Iterator[Callable[[], None]]:
    """Run the scripted driver beside the kubelet of the cluster, and create its class.

    Yields what raises :class:`errors.ComponentError` once the driver has ended. Raises
    :class:`errors.UpstreamError` when it publishes nothing.
    """
    create_class(cluster, DEVICE_CLASS, DRIVER)
    log = cluster.place.log("driver")
    with log.open("wb") as output:
        child = subprocess.Popen(  # noqa: S603 - our own command line
            command(cluster),
            # It ends when its standard input does, so it never outlives us.
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
        )
        try:
            await_slices(cluster, child, DRIVER)
            yield functools.partial(_must_live, child, log)
        finally:
            child.terminate()
            child.communicate()


def _must_live(child: subprocess.Popen[bytes], log: Path) -> None:
    if child.poll() is not None:
        raise errors.ComponentError(DRIVER, f"ended with status {child.returncode}", log)


def command(cluster: Cluster) -> list[str]:
    """Return the command line of the scripted driver on the node with a kubelet."""
    node = cluster.nodes[NODE].layout
    flags = {
        "kubeconfig": cluster.kubeconfig,
        "node-name": node.name,
        "driver-name": DRIVER,
        "plugins-dir": node.plugins,
        "registrar-dir": node.registrar,
        "cdi-dir": node.cdi,
        "num-devices": DEVICES,
    }
    return [
        str(build.kubernetes()),
        "dra-scripted-driver",
        *(f"--{name}={value}" for name, value in flags.items()),
    ]


def create_class(cluster: Cluster, name: str, driver: str) -> None:
    """Create the class of every device of a driver."""
    body: Object = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{driver}"'}}]},
    }
    cluster.api.call("POST", f"{_RESOURCE}/deviceclasses", body)


def await_slices(cluster: Cluster, child: subprocess.Popen[bytes], driver: str) -> None:
    """Wait until a driver that runs as ``child`` has published a slice.

    Raises :class:`errors.UpstreamError` when it ends before, or takes too long.
    """
    deadline = time.monotonic() + _SECONDS
    path = f"{_RESOURCE}/resourceslices?fieldSelector=spec.driver%3D{driver}"
    while not cluster.api.call("GET", path).get("items"):
        if child.poll() is not None or time.monotonic() > deadline:
            raise errors.UpstreamError(f"{driver} published nothing (logs: {cluster.place.logs})")
        cluster.must_live()
        time.sleep(_POLL)

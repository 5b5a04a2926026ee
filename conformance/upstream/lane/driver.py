"""The driver that is judged on a real cluster: upstream's own library and test driver."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from conformance.kube.objects import Object
from conformance.upstream import build, errors
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane.clusters import DEVICE_CLASS, DRIVER, NODE

#: So many devices that checks at the same time seldom wait for each other.
DEVICES = 16

_RESOURCE = "/apis/resource.k8s.io/v1"
_SECONDS = 60.0
_POLL = 0.2


@contextmanager
def scripted(cluster: Cluster, *, metadata: bool) -> Iterator[None]:
    """Run the scripted driver beside the kubelet of the cluster, and create its class.

    Raises :class:`errors.UpstreamError` when it publishes nothing.
    """
    cluster.api.call("POST", f"{_RESOURCE}/deviceclasses", _class())
    log = cluster.place.log("driver")
    with log.open("wb") as output:
        child = subprocess.Popen(  # noqa: S603 - our own command line
            command(cluster, metadata=metadata),
            # It ends when its standard input does, so it never outlives us.
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
        )
        try:
            _await_slices(cluster, child)
            yield
        finally:
            child.terminate()
            child.communicate()


def command(cluster: Cluster, *, metadata: bool) -> list[str]:
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
        "enable-device-metadata": str(metadata).lower(),
    }
    return [
        str(build.kubernetes()),
        "dra-scripted-driver",
        *(f"--{name}={value}" for name, value in flags.items()),
    ]


def _class() -> Object:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": DEVICE_CLASS},
        "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]},
    }


def _await_slices(cluster: Cluster, child: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _SECONDS
    while not cluster.api.call("GET", f"{_RESOURCE}/resourceslices").get("items"):
        log = cluster.place.log("driver")
        if child.poll() is not None or time.monotonic() > deadline:
            raise errors.UpstreamError(f"the scripted driver published nothing (log: {log})")
        cluster.must_live()
        time.sleep(_POLL)

"""The Node object that a kubelet keeps of itself."""

from __future__ import annotations

from datetime import datetime

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.kube.times import format_time
from conformance.reference.client.api import ApiClient
from conformance.reference.kubelet.settings import KubeletSettings


def node_object(name: str, settings: KubeletSettings) -> Object:
    """Return the Node as it is first registered."""
    labels = {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        **settings.labels,
    }
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {},
    }


#: Gates that a node declares where they are on, so that Pods which need them come to it.
_DECLARED = ("DRANodeAllocatableResources", "DRAOptionalNodeOperations")


def node_status(name: str, settings: KubeletSettings, port: int, now: datetime) -> Object:
    """Return the status of a ready node whose kubelet listens on ``port``."""
    return {
        "capacity": dict(settings.allocatable),
        "allocatable": dict(settings.allocatable),
        "conditions": [
            {
                "type": "Ready",
                "status": "True",
                "reason": "KubeletReady",
                "message": "kubelet is posting ready status",
                "lastHeartbeatTime": format_time(now),
                "lastTransitionTime": format_time(now),
            }
        ],
        "addresses": [
            {"type": "InternalIP", "address": "127.0.0.1"},
            {"type": "Hostname", "address": name},
        ],
        "declaredFeatures": [gate for gate in _DECLARED if settings.gates.enabled(gate)],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        "nodeInfo": {
            "architecture": "amd64",
            "bootID": "",
            "containerRuntimeVersion": "reference://1",
            "kernelVersion": "",
            "kubeProxyVersion": "",
            "kubeletVersion": settings.version,
            "machineID": name,
            "operatingSystem": "linux",
            "osImage": "",
            "systemUUID": name,
        },
    }


async def register(
    client: ApiClient, name: str, settings: KubeletSettings, port: int, now: datetime
) -> Object:
    """Create the Node, or take over the one that is there; returns it with its status.

    Raises ``StatusError`` for anything but the Node being there already.
    """
    wanted = node_object(name, settings)
    try:
        await client.create("nodes", wanted)
    except StatusError as error:
        if error.code != 409:
            raise
        await client.patch("nodes", name, {"metadata": {"labels": wanted["metadata"]["labels"]}})
    status = node_status(name, settings, port, now)
    return await client.patch("nodes", name, {"status": status}, subresource="status")

"""What a kubelet tells agents on its node about the devices in use (PodResourcesLister)."""

from __future__ import annotations

from pathlib import Path

import attrs
import grpc

from conformance.harness.errors import HarnessError
from conformance.harness.target import NodeAccess
from conformance.wire import podresources_v1_pb2 as messages
from conformance.wire import podresources_v1_pb2_grpc as services

#: Seconds until the kubelet must have answered; it does so from memory.
_PATIENCE = 10.0


@attrs.frozen(kw_only=True)
class Device:
    """One device of one claim, as the kubelet reports it for a container."""

    claim: str
    namespace: str
    driver: str
    pool: str
    device: str


def socket(access: NodeAccess) -> Path:
    """Return where the kubelet of a node serves PodResources: beside its plugins."""
    return access.plugins_dir.parent / "pod-resources" / "kubelet.sock"


def devices(access: NodeAccess, namespace: str, pod: str) -> list[Device]:
    """Return the dynamic resources that List reports for a Pod, container by container.

    Raises ``HarnessError`` where the kubelet does not answer.
    """
    try:
        with grpc.insecure_channel(f"unix:{socket(access)}") as channel:
            lister = services.PodResourcesListerStub(channel)
            answer = lister.List(messages.ListPodResourcesRequest(), timeout=_PATIENCE)
    except grpc.RpcError as error:
        raise HarnessError(f"PodResources of {access.name}: {error}") from error
    return [
        Device(
            claim=resource.claim_name,
            namespace=resource.claim_namespace,
            driver=part.driver_name,
            pool=part.pool_name,
            device=part.device_name,
        )
        for row in answer.pod_resources
        if (row.namespace, row.name) == (namespace, pod)
        for container in row.containers
        for resource in container.dynamic_resources
        for part in resource.claim_resources
    ]

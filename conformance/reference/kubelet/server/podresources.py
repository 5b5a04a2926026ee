"""PodResources: which devices the Pods of the node use, for agents on the node."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from conformance.kube.objects import Object, name_of, namespace_of
from conformance.reference.faults.seams import Faults
from conformance.reference.kubelet.claims.cache import ClaimCache
from conformance.reference.kubelet.claims.info import ClaimInfo
from conformance.wire import podresources_v1_pb2 as messages
from conformance.wire import podresources_v1_pb2_grpc as services


def make_room(socket: Path) -> None:
    """Remove a socket that a kubelet before left behind when it crashed."""
    socket.parent.mkdir(parents=True, exist_ok=True)
    socket.unlink(missing_ok=True)


def dynamic_resource(claim: ClaimInfo) -> messages.DynamicResource:
    """Return one claim with every device that was prepared for it."""
    return messages.DynamicResource(
        claim_name=claim.ref.name,
        claim_namespace=claim.ref.namespace,
        claim_resources=[
            messages.ClaimResource(
                cdi_devices=[messages.CDIDevice(name=cdi_id) for cdi_id in device.cdi_ids],
                driver_name=driver,
                pool_name=device.pool,
                device_name=device.device,
                share_id=device.share_id,
            )
            for driver, device in claim.devices("")
        ],
    )


class PodResources(services.PodResourcesListerServicer):
    """The servicer; ``pods`` returns the Pods that are on the node now."""

    def __init__(
        self, pods: Callable[[], list[Object]], claims: ClaimCache, faults: Faults
    ) -> None:
        self._pods = pods
        self._claims = claims
        self._dynamic_resource = faults.wrap("kubelet.dynamic_resource", dynamic_resource)
        self._server: grpc.aio.Server | None = None

    async def start(self, socket: Path) -> None:
        """Serve on a Unix socket; one that a kubelet before left behind is replaced."""
        make_room(socket)
        self._server = grpc.aio.server()
        services.add_PodResourcesListerServicer_to_server(self, self._server)
        self._server.add_insecure_port(f"unix:{socket}")
        await self._server.start()

    async def stop(self) -> None:
        """Stop to serve."""
        if self._server is not None:
            await self._server.stop(None)

    async def List(self, request: Any, context: Any) -> Any:  # noqa: ARG002, N802
        """Return every Pod with its containers' claims."""
        pods = [self._pod(pod) for pod in self._pods()]
        return messages.ListPodResourcesResponse(pod_resources=pods)

    async def Get(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Return one Pod."""
        for pod in self._pods():
            if (namespace_of(pod), name_of(pod)) == (request.pod_namespace, request.pod_name):
                return messages.GetPodResourcesResponse(pod_resources=self._pod(pod))
        message = f"pod {request.pod_name} in namespace {request.pod_namespace} not found"
        await context.abort(grpc.StatusCode.NOT_FOUND, message)
        return None

    async def GetAllocatableResources(  # noqa: N802
        self,
        request: Any,  # noqa: ARG002
        context: Any,  # noqa: ARG002
    ) -> Any:
        """Return nothing: the node has no devices of device plugins."""
        return messages.AllocatableResourcesResponse()

    def _pod(self, pod: Object) -> messages.PodResources:
        return messages.PodResources(
            name=name_of(pod),
            namespace=namespace_of(pod),
            containers=[
                messages.ContainerResources(
                    name=container["name"],
                    dynamic_resources=self._claims_of(pod, container),
                )
                for container in pod["spec"]["containers"]
            ],
        )

    def _claims_of(self, pod: Object, container: Object) -> list[messages.DynamicResource]:
        named = [claim for _, _, claim in self._claims.of_container(pod, container)]
        extended = [claim for _, claim in self._claims.extended_of(pod, container)]
        claims = {claim.ref.uid: claim for claim in [*named, *extended]}
        return [self._dynamic_resource(claim) for claim in claims.values()]

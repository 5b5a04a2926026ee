"""The gRPC servicers of the double: registration and DRAPlugin in both versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import grpc

from conformance.harness.nodeplugin.calls import Call, Calls
from conformance.harness.nodeplugin.cdi import SpecFiles
from conformance.harness.nodeplugin.plan import Plan
from conformance.kube.objects import Object
from conformance.wire import (
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    dra_v1beta1_pb2,
    dra_v1beta1_pb2_grpc,
    pluginregistration_v1_pb2,
    pluginregistration_v1_pb2_grpc,
)

#: Per version of the plugin API: its messages, and how a servicer joins a server.
VERSIONS: Mapping[str, tuple[Any, Callable[..., None]]] = {
    "v1": (dra_v1_pb2, dra_v1_pb2_grpc.add_DRAPluginServicer_to_server),
    "v1beta1": (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc.add_DRAPluginServicer_to_server),
}

#: Reads a claim: namespace and name to the object.
FetchClaim = Callable[[str, str], Object]


class Registrar(pluginregistration_v1_pb2_grpc.RegistrationServicer):
    """Tells the kubelet who the double is, and hears whether it was taken."""

    def __init__(self, info: Any, calls: Calls) -> None:
        self._info = info
        self._calls = calls

    def GetInfo(self, request: Any, context: Any) -> Any:  # noqa: N802 - the name on the wire
        """Answer with name, endpoint and supported versions."""
        self._calls.add(Call(method="GetInfo", version="pluginregistration"))
        return self._info

    def NotifyRegistrationStatus(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Remember whether the kubelet took the double."""
        self._calls.add(
            Call(
                method="NotifyRegistrationStatus",
                version="pluginregistration",
                detail=f"registered={request.plugin_registered}",
                error=request.error,
            )
        )
        return pluginregistration_v1_pb2.RegistrationStatusResponse()


class Plugin:
    """DRAPlugin of one version; both versions share the messages' shape."""

    def __init__(
        self,
        version: str,
        *,
        driver: str,
        fetch_claim: FetchClaim,
        specs: SpecFiles,
        plan: Plan,
        calls: Calls,
    ) -> None:
        self._version = version
        self._messages = VERSIONS[version][0]
        self._driver = driver
        self._fetch_claim = fetch_claim
        self._specs = specs
        self._plan = plan
        self._calls = calls

    def NodePrepareResources(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Prepare each claim: write its CDI spec and name its devices."""
        error = self._ordered_error("NodePrepareResources", request, context)
        response = self._messages.NodePrepareResourcesResponse()
        for claim in request.claims:
            answer = response.claims[claim.uid]
            if error:
                answer.error = error
                continue
            answer.devices.extend(self._prepare(claim))
        return response

    def NodeUnprepareResources(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Undo each claim's preparation; an unknown claim is no error."""
        error = self._ordered_error("NodeUnprepareResources", request, context)
        response = self._messages.NodeUnprepareResourcesResponse()
        for claim in request.claims:
            answer = response.claims[claim.uid]
            if error:
                answer.error = error
                continue
            self._specs.remove(claim.uid)
        return response

    def _ordered_error(self, method: str, request: Any, context: Any) -> str:
        order = self._plan.take(method)
        error = order.error if order else ""
        uids = tuple(claim.uid for claim in request.claims)
        self._calls.add(Call(method=method, version=self._version, claim_uids=uids, error=error))
        if order and order.whole_call:
            context.abort(grpc.StatusCode.INTERNAL, error)
        return error

    def _prepare(self, claim: Any) -> list[Any]:
        allocation = self._fetch_claim(claim.namespace, claim.name)["status"]["allocation"]
        results: list[Object] = [
            result
            for result in allocation["devices"].get("results", [])
            if result["driver"] == self._driver
        ]
        ids = self._specs.write(claim.uid, results)
        return [
            self._messages.Device(
                request_names=[result["request"].split("/")[0]],
                pool_name=result["pool"],
                device_name=result["device"],
                cdi_device_ids=[cdi_id],
            )
            for result, cdi_id in zip(results, ids, strict=True)
        ]

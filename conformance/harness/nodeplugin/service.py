"""The gRPC servicers of the double: registration and DRAPlugin in both versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import grpc

from conformance.harness.nodeplugin.calls import Call, Calls
from conformance.harness.nodeplugin.cdi import SpecFiles
from conformance.harness.nodeplugin.plan import BARE, OMIT, STRAY, Orders, Plan
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

#: The uid of a claim that nobody asks for.
_NOBODYS = "00000000-0000-4000-8000-00000000abcd"

#: Reads a claim: namespace and name to the object.
FetchClaim = Callable[[str, str], Object]


class Registrar(pluginregistration_v1_pb2_grpc.RegistrationServicer):
    """Tells the kubelet who the double is, and hears whether it was taken."""

    def __init__(self, info: Any, calls: Calls, plan: Plan) -> None:
        self._info = info
        self._calls = calls
        self._plan = plan

    def GetInfo(self, request: Any, context: Any) -> Any:  # noqa: N802 - the name on the wire
        """Answer with name, endpoint and supported versions."""
        self._calls.add(Call(method="GetInfo", version="pluginregistration"))
        self._fail("GetInfo", context)
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
        self._fail("NotifyRegistrationStatus", context)
        return pluginregistration_v1_pb2.RegistrationStatusResponse()

    def _fail(self, method: str, context: Any) -> None:
        order = self._plan.take_at_once(method)
        if order:
            context.abort(grpc.StatusCode.INTERNAL, order.error)


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
        order = self._ordered("NodePrepareResources", request, context)
        response = self._messages.NodePrepareResourcesResponse()
        for claim in _answered(request, order):
            answer = response.claims[claim.uid]
            if order.error:
                answer.error = order.error
            elif order.oddity != BARE:
                answer.devices.extend(self._prepare(claim))
        _stray(response, order)
        return response

    def NodeUnprepareResources(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Undo each claim's preparation; an unknown claim is no error."""
        order = self._ordered("NodeUnprepareResources", request, context)
        response = self._messages.NodeUnprepareResourcesResponse()
        for claim in _answered(request, order):
            answer = response.claims[claim.uid]
            if order.error:
                answer.error = order.error
            else:
                self._specs.remove(claim.uid)
        _stray(response, order)
        return response

    def _ordered(self, method: str, request: Any, context: Any) -> Orders:
        uids = tuple(claim.uid for claim in request.claims)
        if self._plan.hangs:
            self._calls.add(Call(method=method, version=self._version, detail="hangs"))
        order = self._plan.take(method) or Orders()
        call = Call(method=method, version=self._version, claim_uids=uids, error=order.error)
        self._calls.add(call)
        if order.whole_call:
            context.abort(grpc.StatusCode.INTERNAL, order.error)
        return order

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


def _answered(request: Any, order: Orders) -> list[Any]:
    """Return the claims of a request that its answer speaks of."""
    return [] if order.oddity == OMIT else list(request.claims)


def _stray(response: Any, order: Orders) -> None:
    """Let the answer speak of a claim that nobody asked for, where so ordered."""
    if order.oddity == STRAY:
        response.claims[_NOBODYS].error = ""

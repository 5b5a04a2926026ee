"""Probing a driver as a kubelet does whose Pod has a grpc probe."""

from __future__ import annotations

import grpc

from conformance.harness.kubeletside.registration import reason
from conformance.wire import grpc_health_v1_pb2 as messages
from conformance.wire import grpc_health_v1_pb2_grpc as services

#: The answer of a program that is alive.
SERVING = "SERVING"

#: Real seconds for an answer: probes usually give one.
_DEADLINE = 5.0


def probed(port: int, service: str = "") -> str:
    """Return the status that is answered on a port, or the error in words."""
    options = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
    request = messages.HealthCheckRequest(service=service)
    with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
        try:
            answer = services.HealthStub(channel).Check(request, timeout=_DEADLINE)
        except grpc.RpcError as error:
            return reason(error)
    return str(messages.HealthCheckResponse.ServingStatus.Name(answer.status))

"""Probing a driver as a kubelet does whose Pod has a grpc probe."""

from __future__ import annotations

import grpc

from conformance.harness.kubeletside.noting import Note, noted, nowhere
from conformance.harness.kubeletside.registration import reason
from conformance.wire import grpc_health_v1_pb2 as messages
from conformance.wire import grpc_health_v1_pb2_grpc as services

#: The answer of a program that is alive.
SERVING = "SERVING"

#: How an answer begins that a health service gives, whatever it says: only such a service knows
#: statuses, and names that it does not have.
OF_A_HEALTH_SERVICE = (*messages.HealthCheckResponse.ServingStatus.keys(), "NOT_FOUND")

#: Real seconds for an answer: probes usually give one.
_DEADLINE = 5.0


def probed(address: str, service: str = "", note: Note = nowhere) -> str:
    """Return the status that is answered at an address of gRPC's, or the error in words."""
    # A Unix socket has no host name: without one, servers written in Go refuse the request.
    options = [
        ("grpc.enable_http_proxy", 0),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.default_authority", "localhost"),
    ]
    request = messages.HealthCheckRequest(service=service)
    with grpc.insecure_channel(address, options=options) as channel:
        try:
            call = services.HealthStub(channel).Check
            answer = noted(note, ("grpc.health.v1.Health", "Check"), call, request, _DEADLINE)
        except grpc.RpcError as error:
            return reason(error)
    return str(messages.HealthCheckResponse.ServingStatus.Name(answer.status))

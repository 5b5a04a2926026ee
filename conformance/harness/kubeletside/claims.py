"""Asking a driver to prepare and to unprepare a claim, as a kubelet does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import grpc

from conformance.harness.errors import Violation
from conformance.harness.kubeletside.registration import Registration, channel, reason
from conformance.kube.objects import Object
from conformance.wire import (
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    dra_v1beta1_pb2,
    dra_v1beta1_pb2_grpc,
)

#: Seconds that a kubelet gives a driver for one call.
_DEADLINE = 45.0

_SERVICES: Mapping[str, tuple[Any, Callable[[grpc.Channel], Any]]] = {
    "v1.DRAPlugin": (dra_v1_pb2, dra_v1_pb2_grpc.DRAPluginStub),
    "v1beta1.DRAPlugin": (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc.DRAPluginStub),
}


@attrs.frozen(kw_only=True)
class Device:
    """One prepared device, as the driver tells the kubelet of it."""

    pool: str
    name: str
    requests: tuple[str, ...]
    cdi_ids: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Answer:
    """The entry of one claim."""

    devices: tuple[Device, ...] = ()
    error: str = ""


def prepare(driver: Registration, claim: Object) -> Answer:
    """Ask for one claim; raises ``Violation`` unless there is exactly one entry, for it."""
    entry = _entry(driver, "NodePrepareResources", claim)
    return Answer(devices=tuple(_device(one) for one in entry.devices), error=entry.error)


def unprepare(driver: Registration, claim: Object) -> Answer:
    """Ask to undo one claim; raises ``Violation`` unless there is exactly one entry, for it."""
    return Answer(error=_entry(driver, "NodeUnprepareResources", claim).error)


def _entry(driver: Registration, method: str, claim: Object) -> Any:
    messages, stub = _SERVICES[driver.service]
    metadata = claim["metadata"]
    asked = messages.Claim(
        namespace=metadata["namespace"], name=metadata["name"], uid=metadata["uid"]
    )
    request = getattr(messages, f"{method}Request")(claims=[asked])
    try:
        with channel(driver.endpoint) as opened:
            answer = getattr(stub(opened), method)(request, timeout=_DEADLINE)
    except grpc.RpcError as error:
        raise Violation(f"an answer to {method}", observed=reason(error)) from error
    if list(answer.claims) != [metadata["uid"]]:
        raise Violation(
            f"exactly one entry, for the claim {metadata['uid']}",
            path=f"{method}Response.claims",
            observed=sorted(answer.claims) or "no entry",
        )
    return answer.claims[metadata["uid"]]


def _device(entry: Any) -> Device:
    return Device(
        pool=entry.pool_name,
        name=entry.device_name,
        requests=tuple(entry.request_names),
        cdi_ids=tuple(entry.cdi_device_ids),
    )

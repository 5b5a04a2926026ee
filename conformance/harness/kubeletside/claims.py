"""Asking a driver to prepare and to unprepare a claim, as a kubelet does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import grpc

from conformance.harness.errors import Violation
from conformance.harness.kubeletside.noting import noted
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

#: What gRPC says where nobody answered.
_NO_ANSWER = frozenset({grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE})

_SERVICES: Mapping[str, tuple[Any, Callable[[grpc.Channel], Any]]] = {
    "v1.DRAPlugin": (dra_v1_pb2, dra_v1_pb2_grpc.DRAPluginStub),
    "v1beta1.DRAPlugin": (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc.DRAPluginStub),
}


class CallFailed(Violation):
    """The call as a whole ended with an error, not with entries."""


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


def served(driver: Registration) -> dict[str, str]:
    """Return what each version of DRAPlugin that the driver announces answers to an empty call.

    Nothing stands for an answer, and the error for none.
    """
    return {one: _said(driver, one) for one in driver.services if one in _SERVICES}


def _said(driver: Registration, service: str) -> str:
    try:
        _call(driver, service, "NodePrepareResources", [], _DEADLINE)
    except grpc.RpcError as error:
        return reason(error)
    return ""


def answers_in_time(driver: Registration, claim: Object, seconds: float) -> bool:
    """Say whether the driver answers within so many real seconds; an error is an answer too."""
    try:
        _call(driver, driver.service, "NodePrepareResources", [claim], seconds)
    except grpc.RpcError as error:
        return error.code() not in _NO_ANSWER
    return True


def prepare(driver: Registration, claim: Object) -> Answer:
    """Ask for one claim; raises ``Violation`` unless there is exactly one entry, for it."""
    return prepare_all(driver, [claim])[claim["metadata"]["uid"]]


def unprepare(driver: Registration, claim: Object) -> Answer:
    """Ask to undo one claim; raises ``Violation`` unless there is exactly one entry, for it."""
    return unprepare_all(driver, [claim])[claim["metadata"]["uid"]]


def prepare_all(driver: Registration, claims: Sequence[Object]) -> dict[str, Answer]:
    """Ask for claims in one call, and return the entries by uid.

    Raises ``Violation`` unless there is exactly one entry for each of them.
    """
    return {
        uid: Answer(devices=tuple(_device(one) for one in entry.devices), error=entry.error)
        for uid, entry in _entries(driver, "NodePrepareResources", claims).items()
    }


def unprepare_all(driver: Registration, claims: Sequence[Object]) -> dict[str, Answer]:
    """Ask to undo claims in one call, and return the entries by uid.

    Raises ``Violation`` unless there is exactly one entry for each of them.
    """
    return {
        uid: Answer(error=entry.error)
        for uid, entry in _entries(driver, "NodeUnprepareResources", claims).items()
    }


def _entries(driver: Registration, method: str, claims: Sequence[Object]) -> dict[str, Any]:
    try:
        answer = _call(driver, driver.service, method, claims, _DEADLINE)
    except grpc.RpcError as error:
        raise CallFailed(f"an answer to {method}", observed=reason(error)) from error
    wanted = sorted(claim["metadata"]["uid"] for claim in claims)
    if sorted(answer.claims) != wanted:
        each = f"the claim {wanted[0]}" if len(wanted) == 1 else f"each of {len(wanted)} claims"
        raise Violation(
            f"exactly one entry, for {each}",
            path=f"{method}Response.claims",
            observed=sorted(answer.claims) or "no entry",
        )
    return {uid: answer.claims[uid] for uid in wanted}


def _call(
    driver: Registration, service: str, method: str, claims: Sequence[Object], seconds: float
) -> Any:
    """Return the answer of a driver; raises ``grpc.RpcError``."""
    messages, stub = _SERVICES[service]
    asked = [
        messages.Claim(namespace=one["namespace"], name=one["name"], uid=one["uid"])
        for one in (claim["metadata"] for claim in claims)
    ]
    request = getattr(messages, f"{method}Request")(claims=asked)
    with channel(driver.endpoint) as opened:
        call = getattr(stub(opened), method)
        return noted(driver.note, (service, method), call, request, seconds)


def _device(entry: Any) -> Device:
    return Device(
        pool=entry.pool_name,
        name=entry.device_name,
        requests=tuple(entry.request_names),
        cdi_ids=tuple(entry.cdi_device_ids),
    )

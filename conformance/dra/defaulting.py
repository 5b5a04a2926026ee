"""What the API server fills in, and how it respells quantities.

Source: ``pkg/apis/resource/v1/defaults.go`` of Kubernetes 1.37.2. Quantities are respelled
because the server decodes them into ``resource.Quantity`` and writes them canonically.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from conformance.dra.vocabulary import POOL_LIMIT_DEFAULT
from conformance.kube import quantity
from conformance.kube.objects import Object
from conformance.kube.status import bad_request
from conformance.kube.times import format_time


def claim_spec(spec: Object) -> None:
    """Fill in allocation mode, count and operators of every request, in place.

    What Go writes though it is not set (a list without ``omitempty`` as null) is written too.
    """
    devices = _present(spec, "devices")
    devices["requests"] = devices.get("requests") or None
    for request in leaf_requests(spec):
        # Empty it comes from v1beta1 alone, which has no default without a class.
        if request.get("allocationMode") is None:
            request["allocationMode"] = "ExactCount"
        if request["allocationMode"] == "ExactCount" and not request.get("count"):
            request["count"] = 1
        _tolerations(request)
        _respell((request.get("capacity") or {}).get("requests") or {})


def claim_status(status: Object) -> None:
    """Fill in operators of tolerations, and what Go writes of devices and their conditions."""
    allocation = status.get("allocation")
    devices = {} if allocation is None else _present(allocation, "devices")
    for result in devices.get("results") or []:
        _tolerations(result)
        _respell(result.get("consumedCapacity") or {})
    for device in status.get("devices") or []:
        device["conditions"] = device.get("conditions") or None
        conditions(device)


def conditions(holder: Object) -> None:
    """Fill in the messages of conditions, which Go writes even when they are empty."""
    for condition in holder.get("conditions") or []:
        if condition.get("message") is None:
            condition["message"] = ""


def slice_spec(spec: Object, now: datetime) -> None:
    """Fill in when a taint was added, in place."""
    pool = _present(spec, "pool")
    if pool.get("generation") is None:
        pool["generation"] = 0
    for counters in spec.get("sharedCounters") or []:
        _counters(counters)
    for device in spec.get("devices") or []:
        for taint in device.get("taints") or []:
            if not taint.get("timeAdded"):
                taint["timeAdded"] = format_time(now)
        for counters in device.get("consumesCounters") or []:
            _counters(counters)
        for capacity in (device.get("capacity") or {}).values():
            _capacity(capacity)


def taint_rule_spec(spec: Object, now: datetime) -> None:
    """Fill in when the taint was added, in place."""
    taint = _present(spec, "taint")
    for key in ("key", "effect"):
        taint.setdefault(key, "")
    if not taint.get("timeAdded"):
        taint["timeAdded"] = format_time(now)


def pool_status_spec(spec: Object) -> None:
    """Fill in how many pools are answered at most, in place."""
    if spec.get("limit") is None:
        spec["limit"] = POOL_LIMIT_DEFAULT


def leaf_requests(spec: Object) -> Iterator[Object]:
    """Yield every request that asks for devices: ``exactly``, or each of ``firstAvailable``."""
    for request in (spec.get("devices") or {}).get("requests") or []:
        if request.get("exactly") is not None:
            yield request["exactly"]
        yield from request.get("firstAvailable") or []


def _present(holder: Object, key: str) -> Object:
    """Return the mapping under a key, which Go writes even when nothing in it is set."""
    if holder.get(key) is None:
        holder[key] = {}
    return holder[key]


def _tolerations(holder: Object) -> None:
    for toleration in holder.get("tolerations") or []:
        if not toleration.get("operator"):
            toleration["operator"] = "Equal"


def _counters(counters: Object) -> None:
    for counter in (counters.get("counters") or {}).values():
        _quantity(counter)


def _quantity(holder: Object) -> None:
    """Respell a value that is zero where it is not set."""
    if holder.get("value") is None:
        holder["value"] = "0"
    _respell(holder, "value")


def _capacity(capacity: Object) -> None:
    _quantity(capacity)
    policy = capacity.get("requestPolicy")
    if policy is None:
        return
    policy.setdefault("default", None)
    _respell(policy, "default")
    _respell(policy.get("validRange") or {}, "min", "max", "step")
    if policy.get("validValues"):
        policy["validValues"] = [_canonical(value) for value in policy["validValues"]]


def _respell(holder: Object, *keys: str) -> None:
    for key in keys or tuple(holder):
        if holder.get(key) is not None:
            holder[key] = _canonical(holder[key])


def _canonical(value: Any) -> str:
    try:
        return quantity.stored(value)
    except quantity.QuantityError as error:
        raise bad_request(f"unable to parse quantity {value!r}: {error}") from error

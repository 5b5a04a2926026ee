"""How a cluster can be wrong about the status of resource pools."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from conformance.kube.fields import ErrorKind, FieldError
from conformance.kube.objects import Object, uid_of
from conformance.reference.faults.seams import Saboteur

_REQUESTS = "resourcepoolstatusrequests"

#: The gate of the partition summary.
_SUMMARY = "DRAPartitionableDevicesType"

#: Seconds after which a request is answered a second time.
_AGAIN = 5.0


def _yes(*_: Any) -> bool:
    return True


def _for_ever(*_: Any) -> float:
    return 1e9


def _without(prefix: str, subresource: str | None = None) -> Saboteur:
    """Forget what is wrong with fields below ``prefix``, on writes of one subresource."""

    def forget(real: Any, resource: str, *rest: Any) -> list[FieldError]:
        errors: list[FieldError] = list(real(resource, *rest))
        concerned = subresource is None or rest[-1] == subresource
        if resource != _REQUESTS or not concerned:
            return errors
        return [error for error in errors if not error.path.startswith(prefix)]

    return forget


def _wants_a_limit(real: Any, resource: str, obj: Object, *rest: Any) -> list[FieldError]:
    """Refuse poolName with the default limit."""
    errors: list[FieldError] = list(real(resource, obj, *rest))
    spec: Object = obj.get("spec") or {}
    if resource == _REQUESTS and "poolName" in spec and spec.get("limit", 100) == 100:
        errors.append(FieldError(kind=ErrorKind.REQUIRED, path="spec.limit"))
    return errors


def _drops_default_attribute(real: Any, resource: str, obj: Object, *rest: Any) -> None:
    real(resource, obj, *rest)
    if resource == _REQUESTS:
        obj["spec"].pop("defaultPartitionTypeAttribute", None)


def _counts_what_is_listed(real: Any, *arguments: Any) -> Object:
    status = real(*arguments)
    return {**status, "poolCount": len(status["pools"])}


def _never_complete(real: Any, *arguments: Any) -> Object:
    status = real(*arguments)
    conditions = [{**one, "status": "Unknown"} for one in status["conditions"]]
    return {**status, "conditions": conditions}


class _AnswersAgain:
    """Answer a request a second time, some seconds after the first."""

    def __init__(self) -> None:
        self._first_seen: dict[str, Any] = {}
        self._repeated: set[str] = set()

    def __call__(self, real: Any, request: Object, now: Any) -> float:
        """Forget the answer that is there, once, when it is old enough."""
        uid = uid_of(request)
        if uid in self._repeated:
            return real(request, now)
        age = (now - self._first_seen.setdefault(uid, now)).total_seconds()
        if request.get("status") and age >= _AGAIN:
            request.pop("status")
            self._repeated.add(uid)
        return min(_AGAIN, real(request, now))


def _entry(change: Callable[[Object, Any, bool], None]) -> Saboteur:
    """Return a saboteur of one entry of the status: change it, given the pool and the gate."""

    def spoil(real: Any, pool: Any, request: Object, claims: Any, partitions: bool) -> Object:
        entry = real(pool, request, claims, partitions)
        change(entry, pool, partitions)
        return entry

    return spoil


def _another_generation(entry: Object, _pool: Any, _partitions: bool) -> None:
    entry["generation"] = int(entry["generation"]) + 1


def _forgets_allocated(entry: Object, _pool: Any, _partitions: bool) -> None:
    if "totalDevices" in entry:
        entry["availableDevices"] = entry["totalDevices"] - entry["unavailableDevices"]


def _counts_incomplete(entry: Object, pool: Any, _partitions: bool) -> None:
    if "totalDevices" not in entry:
        entry.pop("validationError", None)
        total = len(pool.devices)
        entry.update(totalDevices=total, availableDevices=total)
        entry.update(allocatedDevices=0, unavailableDevices=0)


def _ignores_used_counters(entry: Object, _pool: Any, _partitions: bool) -> None:
    for row in entry.get("partitionSummary") or []:
        row["allocatable"] = row["total"]


def _overlooks_untyped(entry: Object, _pool: Any, _partitions: bool) -> None:
    if "totalDevices" in entry and "validationError" in entry:
        entry.pop("validationError")


def _wants_an_attribute(entry: Object, pool: Any, partitions: bool) -> None:
    counters = any(one["spec"].get("sharedCounters") for one in pool.slices)
    if partitions and counters and "partitionSummary" not in entry:
        entry.setdefault("validationError", "PartitionTypeMissing: no attribute is named")


def _summary_without_gate(entry: Object, pool: Any, partitions: bool) -> None:
    counters = any(one["spec"].get("sharedCounters") for one in pool.slices)
    if counters and not partitions:
        row = {"attribute": f"{pool.driver}/profile", "type": "Half"}
        entry["partitionSummary"] = [{**row, "total": 2, "allocatable": 2}]


def _used_is_free(entry: Object, _pool: Any, _partitions: bool) -> None:
    shared: Object = entry.get("shareableSummary") or {}
    if shared:
        shared["fullyAvailableDevices"] += shared["partiallyAvailableDevices"]
        shared["partiallyAvailableDevices"] = 0


def _nothing_is_consumed(entry: Object, _pool: Any, _partitions: bool) -> None:
    for row in (entry.get("shareableSummary") or {}).get("capacity") or []:
        row.update(consumed="0", available=row["total"])


def _summarizes_unshared(entry: Object, _pool: Any, _partitions: bool) -> None:
    if "totalDevices" in entry:
        nothing = {"fullyAvailableDevices": 0, "partiallyAvailableDevices": 0}
        entry.setdefault("shareableSummary", nothing)


def _shareable_needs_gate(entry: Object, _pool: Any, partitions: bool) -> None:
    if not partitions:
        entry.pop("shareableSummary", None)


def _ignores_no_execute(real: Any, pool: Any, *rest: Any) -> Object:
    """Count a device with a NoExecute taint as usable."""
    return real(attrs.evolve(pool, slices=tuple(map(_without_no_execute, pool.slices))), *rest)


def _request_attribute_wins(real: Any, pool: Any, request: Object, *rest: Any) -> Object:
    wanted = request["spec"].get("defaultPartitionTypeAttribute")
    slices = [copy.deepcopy(one) for one in pool.slices]
    for one in slices if wanted else []:
        one["spec"].pop("partitionTypeAttribute", None)
    return real(attrs.evolve(pool, slices=tuple(slices)), request, *rest)


def _without_no_execute(published: Object) -> Object:
    spared = copy.deepcopy(published)
    for device in spared["spec"].get("devices") or []:
        taints: list[Object] = device.get("taints") or []
        device["taints"] = [one for one in taints if one["effect"] != "NoExecute"]
    return spared


#: Every saboteur of this area by the name of its fault.
def _differ_in_cost(real: Any, *given: Any) -> list[Object]:
    """Let the last partition of a pool with types draw a little less than its like."""
    specs = copy.deepcopy(real(*given))
    for spec in specs:
        if spec.get("partitionTypeAttribute"):
            counters = spec["devices"][-1]["consumesCounters"][0]["counters"]
            counters["memory"] = {"value": "1Gi"}
    return specs


def _forgets_a_slice(real: Any, *given: Any) -> list[Object]:
    """Move the last partition to a slice of its own, which names no type."""
    specs = copy.deepcopy(real(*given))
    for spec in [one for one in specs if one.get("partitionTypeAttribute")]:
        last = {key: spec[key] for key in spec if key != "partitionTypeAttribute"}
        specs.append({**last, "devices": [spec["devices"].pop()]})
    for spec in specs:
        spec["pool"] = {**spec["pool"], "resourceSliceCount": len(specs)}
    return specs


def _gates_do_not_depend(real: Any, version: str, gates: Mapping[str, bool]) -> Any:
    """Turn on in silence what the gate of the summary needs."""
    needed = {"DRAPartitionableDevices": True, "DRAResourcePoolStatus": True}
    return real(version, {**gates, **(needed if gates.get(_SUMMARY) else {})})


SABOTEURS: Mapping[str, Saboteur] = {
    "pool-request-without-driver": _without("spec.driver"),
    "pool-request-wants-a-limit": _wants_a_limit,
    "pool-count-of-the-list": _counts_what_is_listed,
    "pool-driver-partitions-differ-in-cost": _differ_in_cost,
    "pool-driver-forgets-a-slice": _forgets_a_slice,
    "pool-gates-do-not-depend": _gates_do_not_depend,
    "pool-of-another-generation": _entry(_another_generation),
    "pool-available-forgets-allocated": _entry(_forgets_allocated),
    "pool-taints-that-evict-ignored": _ignores_no_execute,
    "pool-counted-while-incomplete": _entry(_counts_incomplete),
    "pool-request-never-complete": _never_complete,
    "pool-request-answered-again": _AnswersAgain(),
    "pool-request-spec-mutable": _without("spec", ""),
    "pool-request-status-mutable": _without("status", "status"),
    "pool-request-kept": _for_ever,
    "pool-api-without-gate": _yes,
    "partitions-ignore-use": _entry(_ignores_used_counters),
    "partitions-by-the-requests-attribute": _request_attribute_wins,
    "partitions-without-type-accepted": _entry(_overlooks_untyped),
    "partitions-want-an-attribute": _entry(_wants_an_attribute),
    "partitions-without-gate": _entry(_summary_without_gate),
    "pool-default-attribute-dropped": _drops_default_attribute,
    "shareable-used-is-free": _entry(_used_is_free),
    "shareable-nothing-consumed": _entry(_nothing_is_consumed),
    "shareable-summary-everywhere": _entry(_summarizes_unshared),
    "shareable-needs-partition-gate": _entry(_shareable_needs_gate),
}

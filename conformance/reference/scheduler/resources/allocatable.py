"""CPU, memory and hugepages that the devices of a Pod take of their node.

Source: KEP-5517, and the DynamicResources plugin of kube-scheduler 1.37. What was reckoned
stands in ``status.nodeAllocatableResourceClaimStatuses`` of the Pod, for everybody else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal

from conformance.dra.allocation import AllocationError, DeviceKey
from conformance.kube.objects import Object, name_of
from conformance.kube.quantity import Quantity, parse
from conformance.reference.footprint import taken_by_devices
from conformance.reference.podclaims import reservations, results_in
from conformance.reference.scheduler.claims import Unfit
from conformance.reference.scheduler.fit import amount, container_requests

#: What devices take, by device; one that takes nothing is not in it.
Footprints = Mapping[DeviceKey, Object]


def footprints(slices: Iterable[Object]) -> Footprints:
    """Return what the devices of all slices take of their nodes."""
    return {
        (spec["driver"], spec["pool"]["name"], device["name"]): device["nodeAllocatableResources"]
        for spec in (one["spec"] for one in slices)
        for device in spec.get("devices") or []
        if device.get("nodeAllocatableResources")
    }


def statuses(
    pod: Object, allocations: Iterable[tuple[Object, Object]], taken: Footprints
) -> list[Object]:
    """Return what each claim of the Pod takes of the node, sorted by the claims' names.

    ``allocations`` are the claims with what they are or will be allocated. Raises
    ``AllocationError`` where a device takes by its capacity and no capacity was consumed.
    """
    rows = (_taken(pod, claim, allocation, taken) for claim, allocation in allocations)
    return sorted((row for row in rows if row), key=lambda one: one["resourceClaimName"])


def _taken(pod: Object, claim: Object, allocation: Object, taken: Footprints) -> Object:
    """Return what one claim takes, nothing where its devices take nothing."""
    mapping: dict[str, Quantity] = {}
    overhead: dict[str, dict[str, Quantity]] = {}
    for result in results_in(allocation):
        device = taken.get((result["driver"], result["pool"], result["device"])) or {}
        for name, one in device.items():
            if one.get("mapping"):
                _map(mapping, name, one["mapping"], result)
            _add_overhead(overhead, name, one.get("overhead") or {})
    return _status(pod, claim, mapping, overhead) if mapping or overhead else {}


def _map(total: dict[str, Quantity], name: str, mapping: Object, result: Object) -> None:
    key = mapping.get("capacityKey")
    if not key:
        total[name] = _plus(total.get(name), parse(mapping["deviceMultiplier"]))
        return
    consumed = result.get("consumedCapacity")
    if consumed is None:
        raise AllocationError(
            f"device {result['device']}: no capacity is consumed, but {name} is mapped from {key}"
        )
    if key in consumed:
        base = parse(consumed[key])
        scaled = base.amount * parse(mapping.get("capacityMultiplier", "1")).amount
        total[name] = _plus(total.get(name), Quantity(scaled, base.format))


def _add_overhead(total: dict[str, dict[str, Quantity]], name: str, overhead: Object) -> None:
    for field, quantity in overhead.items():
        fields = total.setdefault(name, {})
        fields[field] = _plus(fields.get(field), parse(quantity))


def _plus(one: Quantity | None, other: Quantity) -> Quantity:
    return other if one is None else one + other


def _status(
    pod: Object,
    claim: Object,
    mapping: Mapping[str, Quantity],
    overhead: Mapping[str, Mapping[str, Quantity]],
) -> Object:
    status: Object = {
        "resourceClaimName": name_of(claim),
        # A container may name two entries of the same claim.
        "containers": list(dict.fromkeys(_users(pod, claim))),
        "mapping": [{"name": name, "quantity": str(mapping[name])} for name in sorted(mapping)],
        "overhead": [
            {"name": name, **{field: str(one) for field, one in sorted(overhead[name].items())}}
            for name in sorted(overhead)
        ],
    }
    return {field: value for field, value in status.items() if value}


def _users(pod: Object, claim: Object) -> Iterator[str]:
    """Yield the containers that refer to a claim."""
    spec, status = pod["spec"], pod.get("status", {})
    generated = {
        row["name"]: row.get("resourceClaimName")
        for row in status.get("resourceClaimStatuses") or []
    }
    names = {
        entry["name"]
        for entry in spec.get("resourceClaims") or []
        if (entry.get("resourceClaimName") or generated.get(entry["name"])) == name_of(claim)
    }
    for container in [*(spec.get("initContainers") or []), *spec["containers"]]:
        for wish in (container.get("resources") or {}).get("claims") or []:
            if wish["name"] in names:
                yield container["name"]


def with_statuses(pod: Object, found: Collection[Object]) -> Object:
    """Return the Pod with what its devices take in its status."""
    status = {**pod.get("status", {}), "nodeAllocatableResourceClaimStatuses": list(found)}
    return {**pod, "status": status}


def beyond_pod_level(pod: Object) -> str | None:
    """Say why requests or limits of the Pod itself do not cover its containers and devices.

    ``pod`` has what its devices take in its status.
    """
    resources = pod["spec"].get("resources") or {}
    devices = taken_by_devices(pod)
    if not devices:
        return None
    together = container_requests(pod)
    for name, limit in (resources.get("requests") or {}).items():
        total = together.get(name, Decimal(0)) + devices.get(name, Decimal(0))
        if total > amount(limit):
            return f"pod level request for {name} does not cover containers and devices"
    limits = resources.get("limits") or {}
    for container in pod["spec"]["containers"]:
        own = taken_by_devices(pod, container["name"])
        for name, value in ((container.get("resources") or {}).get("limits") or {}).items():
            if name in limits and amount(value) + own.get(name, Decimal(0)) > amount(limits[name]):
                return f"pod level limit for {name} does not cover container and devices"
    return None


def check_sharing(pod: Object, claim: Object, taken: Footprints) -> None:
    """Raise ``Unfit`` for a claim that another Pod has and that stands for CPU or memory itself.

    Mere overhead may be shared: it is counted for each Pod.
    """
    others = [one for one in reservations(claim) if one.get("uid") != pod["metadata"]["uid"]]
    results = results_in(claim.get("status", {}).get("allocation"))
    mapped = any(
        one.get("mapping")
        for result in results
        for one in (taken.get((result["driver"], result["pool"], result["device"])) or {}).values()
    )
    if mapped and others:
        raise Unfit(
            f"node allocatable resource claim {name_of(claim)} has a mapped device and cannot be "
            "shared across pods"
        )

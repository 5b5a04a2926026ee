"""How a scheduler can count capacity and counters wrongly, each time in one case alone."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from conformance.kube.objects import Object, name_of
from conformance.reference.faults.saboteurs import altering
from conformance.reference.faults.saboteurs.scheduling.allocation import results
from conformance.reference.faults.saboteurs.scheduling.inventory import pools
from conformance.reference.faults.seams import Saboteur


def _capacities(change: Callable[[Object, Object], None]) -> Saboteur:
    """Return a saboteur that changes each capacity of a device, and its policy, so."""

    def every(device: Object) -> None:
        for capacity in (device.get("capacity") or {}).values():
            change(capacity, capacity.get("requestPolicy") or {})

    return altering.devices(every)


def _less_by_default(_: Object, policy: Object) -> None:
    if policy.get("default") == "3Gi":
        policy["default"] = "1Gi"


def _little(device: Object) -> None:
    memory = (device.get("capacity") or {}).get("memory") or {}
    if device.get("allowMultipleAllocations") and memory:
        memory.setdefault("requestPolicy", {"default": "1Gi"})


def _from_nothing(_: Object, policy: Object) -> None:
    bounds = policy.get("validRange") or {}
    if bounds and not {"step", "max"} & set(bounds):
        bounds["min"] = "0"


def _without_bound(bound: str) -> Saboteur:
    def change(_: Object, policy: Object) -> None:
        (policy.get("validRange") or {}).pop(bound, None)

    return _capacities(change)


def _without_values(count: int) -> Saboteur:
    def change(_: Object, policy: Object) -> None:
        if len(policy.get("validValues") or []) == count:
            del policy["validValues"]

    return _capacities(change)


def _without_cores(request: Object) -> None:
    exactly = request.get("exactly") or {}
    if set((exactly.get("capacity") or {}).get("requests") or {}) == {"cores"}:
        del exactly["capacity"]


def _only_the_first_shared(pool: list[Object], _: Object) -> Iterable[Object]:
    for one in pool:
        devices: list[Object] = one["spec"].get("devices") or []
        shared = [device for device in devices if device.get("allowMultipleAllocations")]
        kinds = {tuple(device.get("capacity") or {}) for device in shared}
        if len(shared) > 1 and len(kinds) == 1:
            del devices[1:]
    return pool


def _endless_cores(device: Object) -> None:
    capacity = device.get("capacity") or {}
    if {"memory", "cores"} <= set(capacity):
        capacity["cores"]["value"] = "999"


def _large(device: Object) -> None:
    if not device.get("allowMultipleAllocations") and device.get("capacity"):
        for capacity in device["capacity"].values():
            capacity["value"] = "99Gi"


def _shared_8gi(device: Object) -> None:
    values = [one["value"] for one in (device.get("capacity") or {}).values()]
    if values == ["8Gi"]:
        device["allowMultipleAllocations"] = True


def _not_twice(real: Any, claims: Any, **view: Any) -> Any:
    found = real(claims, **view)
    for allocation in found or ():
        rows = allocation["devices"].get("results") or []
        if len({row["device"] for row in rows}) < len(rows):
            return None
    return found


def _whole_without_capacity(device: Object) -> None:
    if not device.get("capacity") and not device.get("consumesCounters"):
        device.pop("allowMultipleAllocations", None)


def _keys(slices: Iterable[Object]) -> Iterable[tuple[tuple[str, str, str], Object]]:
    for one in slices:
        spec = one["spec"]
        for device in spec.get("devices") or []:
            yield (spec["driver"], spec["pool"]["name"], device["name"]), device


def _forgets_holders(real: Any, claims: Any, *, slices: Any, allocated: Any, **view: Any) -> Any:
    shared = {key for key, one in _keys(slices) if one.get("allowMultipleAllocations")}
    changed = attrs.evolve(allocated, devices=frozenset(allocated.devices - shared))
    return real(claims, slices=slices, allocated=changed, **view)


def _memory_alone(device: Object) -> None:
    for draw in device.get("consumesCounters") or []:
        if len(draw["counters"]) > 1:
            draw["counters"].pop("cores", None)


def _first_set_alone(device: Object) -> None:
    del (device.get("consumesCounters") or [])[1:]


def _one_set_of_a_name(real: Any, claims: Any, *, slices: Any, allocated: Any, **view: Any) -> Any:
    found = real(claims, slices=slices, allocated=allocated, **view)
    rows = [row for one in found or () for row in one["devices"].get("results") or []]
    used = {(driver, pool) for driver, pool, _ in allocated.touched}
    counted = {
        (one["spec"]["driver"], one["spec"]["pool"]["name"])
        for one in slices
        if one["spec"].get("sharedCounters")
    }
    mixed = [
        row
        for row in rows
        for driver, pool in used & counted
        if row["driver"] == driver and row["pool"] != pool
    ]
    return None if mixed else found


def _blocks_the_pool(pool: list[Object], _: Object) -> Iterable[Object]:
    for one in pool:
        devices: list[Object] = one["spec"].get("devices") or []
        drawing = [device for device in devices if device.get("consumesCounters")]
        if len(drawing) > 1:
            one["spec"]["devices"] = drawing
    return pool


def _everywhere(real: Any, claims: Any, *, slices: Any, allocated: Any, **view: Any) -> Any:
    changed = copy.deepcopy(list(slices))
    used = {pool for _, pool, _ in allocated.touched}
    for one in changed:
        spec = one["spec"]
        if spec.get("perDeviceNodeSelection") and len(spec["devices"]) > 1:
            for device in spec["devices"] if spec["pool"]["name"] not in used else ():
                device["nodeName"] = name_of(view["node"])
    return real(claims, slices=changed, allocated=allocated, **view)


def _each_node_alone(real: Any, claims: Any, *, slices: Any, allocated: Any, **view: Any) -> Any:
    here = name_of(view["node"])
    away = {key for key, device in _keys(slices) if device.get("nodeName", here) != here}
    changed = attrs.evolve(allocated, devices=frozenset(allocated.devices - away))
    return real(claims, slices=slices, allocated=changed, **view)


def _elsewhere(allocation: Object) -> None:
    for term in (allocation.get("nodeSelector") or {}).get("nodeSelectorTerms") or []:
        for field in term.get("matchFields") or []:
            field["values"] = ["elsewhere"]


def _draws_twice(real: Any, claims: Any, *, slices: Any, allocated: Any, **view: Any) -> Any:
    drawing = {key for key, device in _keys(slices) if device.get("consumesCounters")}
    changed = attrs.evolve(
        allocated, devices=allocated.devices | (drawing & set(allocated.consumed))
    )
    return real(claims, slices=slices, allocated=changed, **view)


def _wakes_nobody(*, shared: bool) -> Saboteur:
    """Return a saboteur who overlooks that a claim gives back a share, or a whole device."""

    def saboteur(
        real: Any, pod: Object, plural: str, kind: str, obj: Object, old: Object | None
    ) -> bool:
        allocation = ((old or {}).get("status") or {}).get("allocation") or {}
        rows = (allocation.get("devices") or {}).get("results") or []
        if plural == "resourceclaims" and any(bool(row.get("shareID")) == shared for row in rows):
            return False
        return bool(real(pod, plural, kind, obj, old))

    return saboteur


#: Every saboteur of this module by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-halves-the-default-share": _capacities(_less_by_default),
    "scheduler-takes-little-without-a-policy": altering.devices(_little),
    "scheduler-takes-less-than-the-least": _capacities(_from_nothing),
    "scheduler-splits-steps": _without_bound("step"),
    "scheduler-takes-values-between": _without_values(3),
    "scheduler-takes-more-than-the-most": _without_bound("max"),
    "scheduler-takes-more-than-any-value": _without_values(2),
    "scheduler-overlooks-a-missing-capacity": altering.requests(_without_cores),
    "scheduler-insists-on-the-first-shared-device": pools(_only_the_first_shared),
    "scheduler-never-gives-capacity-back": _wakes_nobody(shared=True),
    "scheduler-counts-memory-alone": altering.devices(_endless_cores),
    "scheduler-measures-shared-devices-alone": altering.devices(_large),
    "scheduler-shares-every-device": altering.devices(_shared_8gi),
    "scheduler-shares-between-claims-alone": _not_twice,
    "scheduler-shares-nothing-without-capacity": altering.devices(_whole_without_capacity),
    "scheduler-forgets-holders-of-changed-devices": _forgets_holders,
    "scheduler-never-gives-counters-back": _wakes_nobody(shared=False),
    "scheduler-counts-no-cores": altering.devices(_memory_alone),
    "scheduler-counts-one-set-of-a-device": altering.devices(_first_set_alone),
    "scheduler-mixes-counters-of-pools": _one_set_of_a_name,
    "scheduler-lets-a-full-set-block-its-pool": pools(_blocks_the_pool),
    "scheduler-gives-devices-of-other-nodes": _everywhere,
    "scheduler-counts-each-node-alone": _each_node_alone,
    "scheduler-forgets-where-a-partition-is": results(_elsewhere),
    "scheduler-draws-for-every-share": _draws_twice,
}

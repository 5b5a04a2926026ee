"""Two views of a complete pool: its partitions, and the capacity of its shareable devices.

Source: "Observability of DRA" (partition summary, shareable summary), KEP-5677, and the
controller of kube-controller-manager 1.37. The first structural problem that is found takes
the partition view away and is reported instead; the counts of the pool stay valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.kube.quantity import Quantity, parse
from conformance.reference.podclaims import results_of

#: Longest list that the status may hold; a longer one is an error, not cut.
_LIST_LIMIT = 32

#: Available amounts by counter set and counter.
Counters = dict[str, dict[str, Quantity]]


class ViewError(ValueError):
    """A view can't be computed; the message becomes the pool's ``validationError``."""


@attrs.frozen(kw_only=True)
class PoolView:
    """A complete pool, who uses it, and what the request says about partitions.

    ``partitions`` is the gate DRAPartitionableDevicesType; ``default_attribute`` counts only
    where no slice of the pool names a grouping attribute.
    """

    driver: str
    pool: str
    slices: tuple[Object, ...]
    in_use: frozenset[str]
    claims: tuple[Object, ...]
    default_attribute: str | None
    partitions: bool

    @property
    def label(self) -> str:
        """Return the pool as messages name it."""
        return f"pool {self.driver}/{self.pool}"

    @property
    def devices(self) -> list[Object]:
        """Return the devices of all slices."""
        return [device for one in self.slices for device in one["spec"].get("devices") or []]

    @property
    def counter_sets(self) -> list[Object]:
        """Return the shared counters of all slices."""
        return [one for each in self.slices for one in each["spec"].get("sharedCounters") or []]


def pool_views(view: PoolView) -> tuple[Object, str]:
    """Return the fields to add to the pool's status, and what is wrong, if anything."""
    fields: Object = {}
    trouble = ""
    if view.partitions:
        try:
            summary = partition_summary(view)
            if summary is not None:
                fields["partitionSummary"] = summary
        except ViewError as error:
            trouble = str(error)
    try:
        shareable = shareable_summary(view)
        if shareable is not None:
            fields["shareableSummary"] = shareable
    except ViewError as error:
        trouble = trouble or str(error)
    if trouble:
        fields.pop("partitionSummary", None)
    return fields, trouble


# Partitions.


def grouped_devices(view: PoolView) -> list[tuple[str, Object]]:
    """Return the devices with the attribute that says their partition type.

    What a slice declares holds for its own devices. The request's default is a stand-in for
    drivers that declare nothing: it counts only where no slice of the pool declares any.
    """
    declares = any(one["spec"].get("partitionTypeAttribute") for one in view.slices)
    fallback = None if declares else view.default_attribute
    grouped: list[tuple[str, Object]] = []
    for one in view.slices:
        attribute = one["spec"].get("partitionTypeAttribute") or fallback
        if attribute:
            grouped += [(attribute, device) for device in one["spec"].get("devices") or []]
    return grouped


def partition_type(driver: str, device: Object, attribute: str) -> str | None:
    """Return the string value of a fully qualified attribute, which may be published bare."""
    attributes = device.get("attributes") or {}
    value = attributes.get(attribute)
    if value is None and attribute.startswith(f"{driver}/"):
        value = attributes.get(attribute.removeprefix(f"{driver}/"))
    return (value or {}).get("string")


def partition_summary(view: PoolView) -> list[Object] | None:
    """Return total and still allocatable devices per partition type; nothing without a type.

    Raises ``ViewError`` for a partition without type and for types of differing cost.
    """
    grouped = grouped_devices(view)
    if not grouped:
        return None
    if not view.counter_sets:
        raise ViewError(
            f"PartitionTypeMissing: {view.label} declares partitionTypeAttribute "
            "but publishes no sharedCounters"
        )
    groups: dict[tuple[str, str], list[Object]] = {}
    for attribute, device in grouped:
        if not device.get("consumesCounters"):
            continue
        kind = partition_type(view.driver, device, attribute)
        if kind is None:
            raise ViewError(
                f'PartitionTypeMissing: device "{device["name"]}" in {view.label} does not '
                f'carry partition type attribute "{attribute}"'
            )
        groups.setdefault((attribute, kind), []).append(device)
    if len(groups) > _LIST_LIMIT:
        raise ViewError(
            f"PartitionSummaryOverCap: {view.label} has {len(groups)} partition types, "
            f"exceeding the maximum of {_LIST_LIMIT}"
        )
    left = available_counters(view)
    return [
        _partition_row(view, attribute, kind, groups[attribute, kind], left)
        for attribute, kind in sorted(groups)
    ]


def _partition_row(
    view: PoolView, attribute: str, kind: str, devices: Sequence[Object], left: Counters
) -> Object:
    if len({_cost(device) for device in devices}) > 1:
        raise ViewError(
            f'PartitionCostMismatch: devices of partition type "{kind}" in {view.label} '
            "consume different counters"
        )
    # Each type is measured by itself, against what is left now.
    counters = {name: dict(amounts) for name, amounts in left.items()}
    allocatable = 0
    for device in devices:
        if device["name"] not in view.in_use and fits(device, counters):
            consume(device, counters)
            allocatable += 1
    return {
        "attribute": attribute,
        "type": kind,
        "total": len(devices),
        "allocatable": allocatable,
    }


def _cost(device: Object) -> tuple[tuple[str, str, Quantity], ...]:
    return tuple(sorted(_consumption(device)))


def _consumption(device: Object) -> list[tuple[str, str, Quantity]]:
    return [
        (entry["counterSet"], name, parse(counter["value"]))
        for entry in device.get("consumesCounters") or []
        for name, counter in (entry.get("counters") or {}).items()
    ]


def available_counters(view: PoolView) -> Counters:
    """Return what the devices in use leave of the pool's shared counters."""
    left: Counters = {
        one["name"]: {name: parse(counter["value"]) for name, counter in one["counters"].items()}
        for one in view.counter_sets
    }
    for device in view.devices:
        if device["name"] in view.in_use:
            consume(device, left)
    return left


def fits(device: Object, counters: Counters) -> bool:
    """Tell whether the counters hold what the device consumes."""
    return all(
        name in counters.get(group, {}) and counters[group][name] >= amount
        for group, name, amount in _consumption(device)
    )


def consume(device: Object, counters: Counters) -> None:
    """Take what the device consumes out of the counters."""
    for group, name, amount in _consumption(device):
        if name in counters.get(group, {}):
            counters[group][name] = counters[group][name] - amount


# Shareable devices.


def shareable_summary(view: PoolView) -> Object | None:
    """Return how full the shareable devices are; nothing where the pool has none."""
    devices = [device for device in view.devices if device.get("allowMultipleAllocations")]
    if not devices:
        return None
    used = sum(device["name"] in view.in_use for device in devices)
    totals = _summed(
        (name, entry["value"])
        for device in devices
        for name, entry in (device.get("capacity") or {}).items()
    )
    if len(totals) > _LIST_LIMIT:
        raise ViewError(
            f"ShareableSummaryOverCap: {view.label} has {len(totals)} shareable capacity keys, "
            f"exceeding the maximum of {_LIST_LIMIT}"
        )
    consumed = _consumed_capacity(view)
    return {
        "fullyAvailableDevices": len(devices) - used,
        "partiallyAvailableDevices": used,
        "capacity": [_capacity_row(name, totals[name], consumed) for name in sorted(totals)],
    }


def _capacity_row(name: str, total: Quantity, consumed: Mapping[str, Quantity]) -> Object:
    taken = consumed.get(name, parse(0))
    # More may be taken than there is, after a driver published less: never say so as negative.
    available = max(total - taken, Quantity(parse(0).amount, total.format))
    return {"name": name, "total": str(total), "consumed": str(taken), "available": str(available)}


def _consumed_capacity(view: PoolView) -> dict[str, Quantity]:
    return _summed(
        row
        for claim in view.claims
        for result in results_of(claim)
        if (result["driver"], result["pool"]) == (view.driver, view.pool)
        and not result.get("adminAccess")
        for row in (result.get("consumedCapacity") or {}).items()
    )


def _summed(amounts: Iterable[tuple[str, Any]]) -> dict[str, Quantity]:
    totals: dict[str, Quantity] = {}
    for name, amount in amounts:
        value = parse(amount)
        totals[name] = totals[name] + value if name in totals else value
    return totals

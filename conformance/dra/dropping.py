"""Fields of features that are off are dropped, unless the stored object uses the feature.

Source: ``pkg/registry/resource/*/strategy.go`` and ``pkg/api/resourceclaimspec`` of
Kubernetes 1.37.2. Each table row is a gate set and where its fields are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from conformance.dra.defaulting import leaf_requests
from conformance.dra.features import Features
from conformance.dra.vocabulary import LIST_VALUES
from conformance.kube.objects import Object

#: Finds where fields stand: the mapping that holds one, and its key.
Places = Callable[[Object], Iterator[tuple[Object, str]]]


def claim_spec(spec: Object, old: Object | None, features: Features) -> None:
    """Drop fields of a claim's spec, in place."""
    _drop(_CLAIM_SPEC, spec, old, features)


def claim_status(claim: Object, old: Object, features: Features) -> None:
    """Drop fields of a claim's status, in place; a feature is in use if spec or status use it."""
    _drop(_CLAIM_STATUS, claim, old, features)


def slice_spec(spec: Object, old: Object | None, features: Features) -> None:
    """Drop fields of a slice's spec, in place."""
    _drop(_SLICE_SPEC, spec, old, features)


def class_spec(spec: Object, old: Object | None, features: Features) -> None:
    """Drop fields of a class's spec, in place."""
    _drop(_CLASS_SPEC, spec, old, features)


def pool_status_spec(spec: Object, old: Object | None, features: Features) -> None:
    """Drop fields of a pool status request's spec, in place."""
    _drop(_POOL_STATUS_SPEC, spec, old, features)


def _drop(
    table: Iterable[tuple[tuple[str, ...], Places]],
    new: Object,
    old: Object | None,
    features: Features,
) -> None:
    for gates, places in table:
        if all(features.enabled(gate) for gate in gates):
            continue
        if old is not None and any(_is_set(holder.get(key)) for holder, key in places(old)):
            continue
        for holder, key in list(places(new)):
            holder.pop(key, None)


def _is_set(value: Any) -> bool:
    return value is not None and value not in ([], {})


def _top(*keys: str) -> Places:
    def places(spec: Object) -> Iterator[tuple[Object, str]]:
        return ((spec, key) for key in keys)

    return places


def _requests(*keys: str) -> Places:
    def places(spec: Object) -> Iterator[tuple[Object, str]]:
        return ((request, key) for request in leaf_requests(spec) for key in keys)

    return places


def _alternatives(spec: Object) -> Iterator[tuple[Object, str]]:
    for request in (spec.get("devices") or {}).get("requests") or []:
        yield request, "firstAvailable"


def _consumable_spec(spec: Object) -> Iterator[tuple[Object, str]]:
    for constraint in (spec.get("devices") or {}).get("constraints") or []:
        yield constraint, "distinctAttribute"
    yield from _requests("capacity")(spec)


def _results(*keys: str) -> Places:
    def places(claim: Object) -> Iterator[tuple[Object, str]]:
        allocation = (claim.get("status") or {}).get("allocation") or {}
        results = (allocation.get("devices") or {}).get("results") or []
        return ((result, key) for result in results for key in keys)

    return places


def _status_devices(claim: Object) -> Iterator[tuple[Object, str]]:
    yield claim.get("status") or {}, "devices"


def _consumable_status(claim: Object) -> Iterator[tuple[Object, str]]:
    yield from _results("shareID", "consumedCapacity")(claim)
    for device in (claim.get("status") or {}).get("devices") or []:
        yield device, "shareID"


def _devices(*keys: str) -> Places:
    def places(spec: Object) -> Iterator[tuple[Object, str]]:
        return ((device, key) for device in spec.get("devices") or [] for key in keys)

    return places


def _partitionable(spec: Object) -> Iterator[tuple[Object, str]]:
    yield from _top("sharedCounters", "perDeviceNodeSelection")(spec)
    yield from _devices("consumesCounters", "nodeName", "nodeSelector", "allNodes")(spec)


def _consumable_slice(spec: Object) -> Iterator[tuple[Object, str]]:
    for device in spec.get("devices") or []:
        yield device, "allowMultipleAllocations"
        for capacity in (device.get("capacity") or {}).values():
            yield capacity, "requestPolicy"


def _compatibility_groups(spec: Object) -> Iterator[tuple[Object, str]]:
    for device in spec.get("devices") or []:
        for consumption in device.get("consumesCounters") or []:
            yield consumption, "compatibilityGroups"


def _list_attributes(spec: Object) -> Iterator[tuple[Object, str]]:
    for device in spec.get("devices") or []:
        for attribute in (device.get("attributes") or {}).values():
            yield from ((attribute, key) for key in LIST_VALUES)


_CLAIM_SPEC: tuple[tuple[tuple[str, ...], Places], ...] = (
    (("DRAPrioritizedList",), _alternatives),
    (("DRADeviceTaints",), _requests("tolerations")),
    (("DRAAdminAccess",), _requests("adminAccess")),
    (("DRAConsumableCapacity",), _consumable_spec),
    (("DRADerivedAttributes",), _requests("derivedAttributes")),
)

_CLAIM_STATUS: tuple[tuple[tuple[str, ...], Places], ...] = (
    (("DRAResourceClaimDeviceStatus",), _status_devices),
    (("DRAAdminAccess",), _results("adminAccess")),
    (("DRAConsumableCapacity",), _consumable_status),
    (("DRADeviceBindingConditions",), _results("bindingConditions", "bindingFailureConditions")),
    (("DRAOptionalNodeOperations",), _results("skipNodeOperations")),
)

_SLICE_SPEC: tuple[tuple[tuple[str, ...], Places], ...] = (
    (("DRADeviceTaints",), _devices("taints")),
    (("DRAPartitionableDevices",), _partitionable),
    (
        ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"),
        _devices("bindingConditions", "bindingFailureConditions", "bindsToNode"),
    ),
    (("DRAConsumableCapacity",), _consumable_slice),
    (("DRADeviceCompatibilityGroups",), _compatibility_groups),
    (("DRANodeAllocatableResources",), _devices("nodeAllocatableResources")),
    (("DRAListTypeAttributes",), _list_attributes),
    (("DRAPartitionableDevicesType",), _top("partitionTypeAttribute")),
    (("DRAOptionalNodeOperations",), _top("skipNodeOperations")),
)

_CLASS_SPEC = ((("DRAExtendedResource",), _top("extendedResourceName")),)

_POOL_STATUS_SPEC = ((("DRAPartitionableDevicesType",), _top("defaultPartitionTypeAttribute")),)

"""ResourceSlice: the pool, the nodes that it serves, devices and shared counters."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.dra.validation import naming
from conformance.dra.validation.devices import counters, device
from conformance.dra.validation.lists import each_unique, immutable
from conformance.dra.validation.nodes import node_selector
from conformance.dra.vocabulary import (
    COUNTER_SETS,
    COUNTERS_PER_SET,
    LIST_VALUES,
    SKIPPABLE_OPERATIONS,
    SLICE_DEVICES,
    SLICE_DEVICES_ADVANCED,
)
from conformance.kube.fields import FieldError, invalid, not_supported, required
from conformance.kube.objects import Object

_ONE_OF = (
    "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
)


def create(slice_: Object, features: Features) -> Iterator[FieldError]:
    """Check a new slice."""
    yield from _spec(slice_.get("spec") or {}, {}, features)


def update(new: Object, old: Object, features: Features) -> Iterator[FieldError]:
    """Check a changed slice: driver, pool name and node name stay."""
    spec, before = new.get("spec") or {}, old.get("spec") or {}
    pool, pool_before = spec.get("pool") or {}, before.get("pool") or {}
    yield from immutable(pool.get("name"), pool_before.get("name"), "spec.pool.name")
    yield from immutable(spec.get("driver"), before.get("driver"), "spec.driver")
    yield from immutable(spec.get("nodeName"), before.get("nodeName"), "spec.nodeName")
    yield from _spec(spec, before, features)


def _spec(spec: Object, old: Object, features: Features) -> Iterator[FieldError]:
    yield from naming.driver(spec.get("driver"), "spec.driver")
    yield from _pool(spec.get("pool") or {})
    yield from _nodes(spec)
    if spec.get("sharedCounters") is not None and spec.get("devices") is not None:
        yield invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed")
    before = {one.get("name"): one for one in old.get("devices") or []}
    per_device = bool(spec.get("perDeviceNodeSelection"))
    yield from each_unique(
        spec.get("devices"),
        "spec.devices",
        lambda one, path: device(
            one, path, before.get(one.get("name")), features, per_device=per_device
        ),
        key=lambda one: one.get("name"),
        limit=_device_limit(spec),
    )
    yield from each_unique(
        spec.get("sharedCounters"),
        "spec.sharedCounters",
        _counter_set,
        key=lambda one: one.get("name"),
        limit=COUNTER_SETS,
    )
    if spec.get("partitionTypeAttribute") is not None:
        yield from _partition_type(spec)
    yield from skip_node_operations(spec.get("skipNodeOperations"), "spec.skipNodeOperations")


def skip_node_operations(operations: list[str] | None, path: str) -> Iterator[FieldError]:
    """Check what the kubelet may leave out (KEP-5945): not preparing needs not unpreparing."""

    def known(operation: str, at: str) -> Iterator[FieldError]:
        if operation not in SKIPPABLE_OPERATIONS:
            yield not_supported(at, operation, SKIPPABLE_OPERATIONS)

    yield from each_unique(operations, path, known)
    skipped = set(operations or ())
    if "NodePrepareResources" in skipped and not skipped & {"NodeUnprepareResources", "*"}:
        detail = (
            "NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped"
        )
        yield invalid(path, operations, detail)


def _partition_type(spec: Object) -> Iterator[FieldError]:
    """Check the attribute by which partitions are grouped (KEP-5677).

    Every device that consumes counters has it, as a text; in the driver's own domain it may be
    declared bare.
    """
    name, path = spec["partitionTypeAttribute"], "spec.partitionTypeAttribute"
    malformed = list(naming.fully_qualified(name, path))
    yield from malformed
    devices = spec.get("devices") or []
    if not any(one.get("consumesCounters") for one in devices):
        detail = "may only be set on a slice which declares devices that consume counters"
        yield invalid(path, name, detail)
    elif not malformed:
        for index, one in enumerate(devices):
            if one.get("consumesCounters"):
                at = f"spec.devices[{index}].attributes[{name}]"
                yield from _partition_value(one, name, spec.get("driver", ""), at)


def _partition_value(device_: Object, name: str, driver: str, path: str) -> Iterator[FieldError]:
    attributes = device_.get("attributes") or {}
    found = attributes.get(name, attributes.get(name.removeprefix(f"{driver}/")))
    if found is None:
        detail = (
            "device consumes counters and `partitionTypeAttribute` names this attribute, so it "
            "must be set"
        )
        yield required(path, detail)
    elif found.get("string") is None:
        detail = "must be a string value because `partitionTypeAttribute` names this attribute"
        yield invalid(path, found, detail)


def _pool(pool: Object) -> Iterator[FieldError]:
    yield from naming.pool(pool.get("name"), "spec.pool.name")
    count, generation = pool.get("resourceSliceCount", 0), pool.get("generation", 0)
    if count <= 0:
        yield invalid("spec.pool.resourceSliceCount", count, "must be greater than zero")
    if generation < 0:
        detail = "must be greater than or equal to zero"
        yield invalid("spec.pool.generation", generation, detail)


def _nodes(spec: Object) -> Iterator[FieldError]:
    chosen: list[str] = []
    name, selector = spec.get("nodeName"), spec.get("nodeSelector")
    if name:
        chosen.append("`nodeName`")
        yield from naming.subdomain(name, "spec.nodeName")
    elif name is not None:
        detail = "must be either unset or set to a non-empty string"
        yield invalid("spec.nodeName", name, detail)
    if selector is not None:
        chosen.append("`nodeSelector`")
        yield from node_selector(selector, "spec.nodeSelector")
        terms = selector.get("nodeSelectorTerms")
        if len(terms or []) != 1:
            detail = "must have exactly one node selector term"
            yield invalid("spec.nodeSelector.nodeSelectorTerms", terms, detail)
    for flag in ("allNodes", "perDeviceNodeSelection"):
        if spec.get(flag):
            chosen.append(f"`{flag}`")
        elif spec.get(flag) is not None:
            yield invalid(f"spec.{flag}", False, "must be either unset or set to true")
    if not chosen:
        yield required("spec", _ONE_OF)
    elif len(chosen) > 1:
        value = "{" + ", ".join(chosen) + "}"
        yield invalid("spec", value, f"{_ONE_OF}, but multiple fields are set")


def _device_limit(spec: Object) -> int:
    for one in spec.get("devices") or []:
        lists = any(
            attribute.get(key) is not None
            for attribute in (one.get("attributes") or {}).values()
            for key in LIST_VALUES
        )
        if lists or one.get("taints") or one.get("consumesCounters"):
            return SLICE_DEVICES_ADVANCED
    return SLICE_DEVICES


def _counter_set(one: Object, path: str) -> Iterator[FieldError]:
    yield from naming.present_label(one.get("name"), f"{path}.name")
    yield from counters(one, path, COUNTERS_PER_SET)

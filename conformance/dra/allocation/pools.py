"""Resource pools as one node sees them.

Source: KEP-4381, "ResourceSlice"; ``structured/internal/incubating/pools_incubating.go`` of
k8s.io/dynamic-resource-allocation 0.37.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import attrs

from conformance.dra.features import Features
from conformance.kube.objects import Object, name_of
from conformance.kube.selectors import node_selector_matches

#: Driver, pool and name of a device.
DeviceKey: TypeAlias = tuple[str, str, str]

_PoolKey: TypeAlias = tuple[str, str]


@attrs.frozen(kw_only=True, eq=False)
class Candidate:
    """A device, and the slice that publishes it."""

    driver: str
    pool: str
    device: Object
    slice: Object

    @property
    def shared(self) -> bool:
        """Return whether several claims may use the device at the same time."""
        return bool(self.device.get("allowMultipleAllocations"))

    @property
    def key(self) -> DeviceKey:
        """Return what identifies the device in the cluster."""
        return (self.driver, self.pool, self.device["name"])


@attrs.frozen(kw_only=True, eq=False)
class Pool:
    """The newest generation of a pool.

    ``devices`` stand in slices for this node, ``elsewhere`` in slices of the pool for others;
    an ``incomplete`` pool has neither. ``invalid`` says why the pool contradicts itself.
    """

    driver: str
    name: str
    devices: tuple[Candidate, ...] = ()
    elsewhere: tuple[Candidate, ...] = ()
    counter_sets: Mapping[str, Object] = attrs.field(factory=dict[str, Object])
    incomplete: bool = False
    invalid: str = ""

    @property
    def usable(self) -> bool:
        """Return whether devices may be taken from the pool."""
        return not self.incomplete and not self.invalid


def gather(slices: Sequence[Object], node: Object, features: Features) -> list[Pool]:
    """Return the pools that have something for the node, in the order of the search.

    That is by driver and name; a pool with any device that has binding conditions comes after
    all others, as a whole.
    """
    readable = [slice_ for slice_ in slices if not _has_groups(slice_)]
    pools: list[Pool] = []
    for key, relevant in _relevant(readable, node, features).items():
        newest, expected = _generation(relevant[0]), _count(relevant[0])
        whole = [slice_ for slice_ in slices if _pool_key(slice_) == key]
        if len(relevant) == expected:
            # Nobody looks further then: a newer generation for other nodes alone stays unseen.
            pools.append(_pool(key, relevant, relevant, features))
        elif not any(_generation(slice_) > newest for slice_ in whole):
            # Otherwise the driver is replacing the pool, with nothing new for this node.
            current = [one for one in readable if _pool_key(one) == key]
            current = [one for one in current if _generation(one) == newest]
            pools.append(_pool(key, relevant, current, features))
    return sorted(pools, key=lambda pool: (_binds(pool), pool.driver, pool.name))


def matches_node(selection: Object, node: Object) -> bool:
    """Return whether the node fields of a slice or device take the node."""
    if selection.get("nodeName"):
        return selection["nodeName"] == name_of(node)
    if selection.get("allNodes"):
        return True
    selector = selection.get("nodeSelector")
    return selector is not None and node_selector_matches(selector, node)


def _has_groups(slice_: Object) -> bool:
    """Return whether groups are declared: they cannot be checked, so the pool is incomplete."""
    return any(
        consumption.get("compatibilityGroups")
        for device in slice_["spec"].get("devices") or []
        for consumption in device.get("consumesCounters") or []
    )


def _pool_key(slice_: Object) -> _PoolKey:
    return slice_["spec"]["driver"], slice_["spec"]["pool"]["name"]


def _generation(slice_: Object) -> int:
    return slice_["spec"]["pool"].get("generation", 0)


def _count(slice_: Object) -> int:
    return slice_["spec"]["pool"].get("resourceSliceCount", 0)


def _relevant(
    slices: Iterable[Object], node: Object, features: Features
) -> dict[_PoolKey, list[Object]]:
    """Group the slices for this node by pool, each with its newest generation among them."""
    partitions = features.enabled("DRAPartitionableDevices")
    pools: dict[_PoolKey, list[Object]] = {}
    for slice_ in slices:
        spec = slice_["spec"]
        partitioned = spec.get("perDeviceNodeSelection") is not None or spec.get("sharedCounters")
        if partitioned and not partitions:
            continue
        selections = spec.get("devices") or [] if spec.get("perDeviceNodeSelection") else [spec]
        if not any(matches_node(one, node) for one in selections):
            continue
        present = pools.setdefault(_pool_key(slice_), [])
        if present and _generation(slice_) > _generation(present[0]):
            present.clear()
        if not present or _generation(slice_) == _generation(present[0]):
            present.append(slice_)
    return pools


def _pool(
    key: _PoolKey, relevant: Sequence[Object], current: Sequence[Object], features: Features
) -> Pool:
    driver, name = key
    if len(current) != _count(relevant[0]):
        return Pool(driver=driver, name=name, incomplete=True)
    here = sorted(relevant, key=name_of)
    names = {name_of(slice_) for slice_ in here}
    devices = _candidates(key, here)
    elsewhere = _candidates(key, (one for one in current if name_of(one) not in names))
    sets: dict[str, Object] = {}
    invalid = _twice(one.device["name"] for one in devices)
    if features.enabled("DRAPartitionableDevices"):
        counter_sets = [
            one for slice_ in current for one in slice_["spec"].get("sharedCounters") or []
        ]
        sets = {one["name"]: one for one in counter_sets}
        invalid = (
            invalid
            or _twice((one["name"] for one in counter_sets), "counter set")
            or _dangling((*devices, *elsewhere), sets)
        )
    if invalid:
        return Pool(driver=driver, name=name, invalid=invalid)
    return Pool(driver=driver, name=name, devices=devices, elsewhere=elsewhere, counter_sets=sets)


def _candidates(key: _PoolKey, slices: Iterable[Object]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(driver=key[0], pool=key[1], device=device, slice=slice_)
        for slice_ in slices
        for device in slice_["spec"].get("devices") or []
    )


def _twice(names: Iterable[str], what: str = "device") -> str:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return f"duplicate {what} name {name}"
        seen.add(name)
    return ""


def _dangling(candidates: Iterable[Candidate], sets: Mapping[str, Object]) -> str:
    consumptions = (
        consumption
        for candidate in candidates
        for consumption in candidate.device.get("consumesCounters") or []
    )
    for consumption in consumptions:
        name = consumption["counterSet"]
        if name not in sets:
            return f"counter set {name} not found"
        missing = [one for one in consumption["counters"] if one not in sets[name]["counters"]]
        if missing:
            return f"counter {missing[0]} not found in counter set {name}"
    return ""


def _binds(pool: Pool) -> bool:
    return any(one.device.get("bindingConditions") for one in pool.devices)

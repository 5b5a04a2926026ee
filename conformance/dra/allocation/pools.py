"""Resource pools as one node sees them.

Source: KEP-4381, "ResourceSlice"; ``structured/internal/incubating/pools_incubating.go`` of
k8s.io/dynamic-resource-allocation 0.37.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, overload

import attrs

from conformance.dra.features import Features
from conformance.kube.objects import Object, name_of
from conformance.kube.selectors import node_selector_matches

#: Driver, pool and name of a device.
DeviceKey: TypeAlias = tuple[str, str, str]

_PoolKey: TypeAlias = tuple[str, str]


def _key_of(candidate: Any) -> DeviceKey:
    return (candidate.driver, candidate.pool, candidate.device["name"])


def _is_shared(candidate: Any) -> bool:
    return bool(candidate.device.get("allowMultipleAllocations"))


def _is_consuming(pool: Any) -> bool:
    return any(one.device.get("consumesCounters") for one in (*pool.devices, *pool.elsewhere))


@attrs.frozen(kw_only=True, eq=False)
class Candidate:
    """A device, and the slice that publishes it."""

    driver: str
    pool: str
    device: Object
    slice: Object
    #: What identifies the device in the cluster.
    key: DeviceKey = attrs.field(init=False, default=attrs.Factory(_key_of, takes_self=True))
    #: Whether several claims may use the device at the same time.
    shared: bool = attrs.field(init=False, default=attrs.Factory(_is_shared, takes_self=True))
    #: What expressions said of the device so far: nothing else decides it.
    answers: dict[str, bool] = attrs.field(init=False, factory=dict[str, bool])
    #: What expressions derived from the device so far.
    derived: dict[str, Object] = attrs.field(init=False, factory=dict[str, Object])

    def attribute(self, name: str) -> Object | None:
        """Return an attribute by its full name; without domain it stands under the driver's."""
        present = self.device.get("attributes") or {}
        if name in present:
            return present[name]
        domain, _, identifier = name.partition("/")
        return present.get(identifier) if domain == self.driver else None


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
    #: Whether any device of the pool consumes counters.
    consuming: bool = attrs.field(init=False, default=attrs.Factory(_is_consuming, takes_self=True))

    @property
    def usable(self) -> bool:
        """Return whether devices may be taken from the pool."""
        return not self.incomplete and not self.invalid


class Inventory(Sequence[Object]):
    """Slices that are asked about for many nodes: found by node and pool, not by search.

    Neither the slices nor the nodes that it is asked about may change, so that what was found
    out once holds.
    """

    def __init__(self, slices: Iterable[Object]) -> None:
        self._slices = tuple(slices)
        self._whole: dict[_PoolKey, list[Object]] = {}
        #: Slices, by identity, with compatibility groups.
        self._grouped: set[int] = set()
        #: Slices of one node each, and those that any node may match.
        self._local: dict[str, list[Object]] = {}
        self._general: list[Object] = []
        self._known: dict[str, tuple[Object, Features, tuple[Pool, ...]]] = {}
        self._devices: dict[int, tuple[Candidate, ...]] = {}
        self._answering: dict[str, bool] = {}
        for slice_ in self._slices:
            self._enter(slice_)

    def _enter(self, slice_: Object) -> None:
        spec, key = slice_["spec"], _pool_key(slice_)
        self._whole.setdefault(key, []).append(slice_)
        if _has_groups(slice_):
            self._grouped.add(id(slice_))
        if spec.get("nodeName") and not spec.get("perDeviceNodeSelection"):
            self._local.setdefault(spec["nodeName"], []).append(slice_)
        else:
            self._general.append(slice_)

    @overload
    def __getitem__(self, index: int) -> Object: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Object]: ...

    def __getitem__(self, index: Any) -> Any:
        """Return a slice by its position."""
        return self._slices[index]

    def __len__(self) -> int:
        return len(self._slices)

    def pools(self, node: Object, features: Features) -> tuple[Pool, ...]:
        """Return the pools that have something for the node, in the order of the search.

        That is by driver and name; a pool with any device that has binding conditions comes
        after all others, as a whole.
        """
        name = name_of(node)
        known = self._known.get(name)
        if known is None or known[0] is not node or known[1] is not features:
            known = self._known[name] = (node, features, tuple(self._gather(node, features)))
        return known[2]

    def devices_of(self, slice_: Object) -> tuple[Candidate, ...]:
        """Return the devices of one of the slices."""
        known = self._devices.get(id(slice_))
        if known is None:
            known = self._devices[id(slice_)] = _candidates(slice_)
        return known

    def all_answer(self, expression: str, answers: Callable[[str, Candidate], bool]) -> bool:
        """Return whether the expression answers for every device, as ``answers`` finds out."""
        known = self._answering.get(expression)
        if known is None:
            known = self._answering[expression] = all(
                answers(expression, one) for each in self._slices for one in self.devices_of(each)
            )
        return known

    def _gather(self, node: Object, features: Features) -> list[Pool]:
        readable = self._readable(features)
        # Where slices of a pool contradict each other the first one counts.
        near = readable([*self._local.get(name_of(node), []), *self._general])
        pools: list[Pool] = []
        for key, relevant in _relevant(near, node, features).items():
            newest, expected = _generation(relevant[0]), _count(relevant[0])
            if len(relevant) == expected:
                # Nobody looks further then: a newer generation for other nodes stays unseen.
                pools.append(self._pool(key, relevant, relevant, features))
            elif not any(_generation(slice_) > newest for slice_ in self._whole[key]):
                # Otherwise the driver is replacing the pool, with nothing new for this node.
                current = [one for one in readable(self._whole[key]) if _generation(one) == newest]
                pools.append(self._pool(key, relevant, current, features))
        return sorted(pools, key=lambda pool: (_binds(pool), pool.driver, pool.name))

    def _readable(self, features: Features) -> Callable[[Iterable[Object]], Iterable[Object]]:
        """Return what leaves out the slices that cannot be understood: their pool lacks them."""
        if not self._grouped or features.enabled("DRADeviceCompatibilityGroups"):
            return iter
        return lambda slices: (one for one in slices if id(one) not in self._grouped)

    def _pool(
        self,
        key: _PoolKey,
        relevant: Sequence[Object],
        current: Sequence[Object],
        features: Features,
    ) -> Pool:
        driver, name = key
        if len(current) != _count(relevant[0]):
            return Pool(driver=driver, name=name, incomplete=True)
        here = sorted(relevant, key=name_of)
        names = {name_of(slice_) for slice_ in here}
        devices = tuple(device for one in here for device in self.devices_of(one))
        others = (one for one in current if name_of(one) not in names)
        elsewhere = tuple(device for one in others for device in self.devices_of(one))
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
        return Pool(
            driver=driver, name=name, devices=devices, elsewhere=elsewhere, counter_sets=sets
        )


def matches_node(selection: Object, node: Object) -> bool:
    """Return whether the node fields of a slice or device take the node."""
    if selection.get("nodeName"):
        return selection["nodeName"] == name_of(node)
    if selection.get("allNodes"):
        return True
    selector = selection.get("nodeSelector")
    return selector is not None and node_selector_matches(selector, node)


def _has_groups(slice_: Object) -> bool:
    """Return whether groups are declared, which only DRADeviceCompatibilityGroups can check."""
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


def _candidates(slice_: Object) -> tuple[Candidate, ...]:
    driver, pool = _pool_key(slice_)
    return tuple(
        Candidate(driver=driver, pool=pool, device=device, slice=slice_)
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

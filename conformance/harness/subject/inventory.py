"""What a driver publishes: its ResourceSlices, as pools of devices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from conformance.harness import expect
from conformance.harness.claims import CLAIMS
from conformance.harness.client import known
from conformance.harness.errors import Unsupported
from conformance.harness.world import NODES, World
from conformance.kube.objects import Object

SLICES = known("resource.k8s.io", "v1", "resourceslices")

#: The fields of a slice that say where its devices can be used; exactly one stands in each.
PLACES = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")

#: How many devices one claim may be allocated (the API's limit on allocation results).
_RESULTS = 32


@attrs.frozen(kw_only=True)
class Pool:
    """The slices of one pool."""

    name: str
    slices: tuple[Object, ...]

    @property
    def generations(self) -> list[int]:
        """The generations of its slices, each once, oldest first."""
        return sorted({one["spec"]["pool"]["generation"] for one in self.slices})

    @property
    def counts(self) -> list[int]:
        """What its slices say of their number, each number once."""
        return sorted({one["spec"]["pool"]["resourceSliceCount"] for one in self.slices})

    @property
    def devices(self) -> list[Object]:
        """The devices of all its slices."""
        return [device for one in self.slices for device in one["spec"].get("devices") or []]

    @property
    def nodes(self) -> list[str]:
        """The nodes that its slices name, each once."""
        return sorted({one["spec"]["nodeName"] for one in self.slices if _names_node(one)})


@attrs.frozen(kw_only=True)
class Inventory:
    """Everything that one driver publishes."""

    pools: tuple[Pool, ...]

    @property
    def slices(self) -> list[Object]:
        """All slices."""
        return [one for pool in self.pools for one in pool.slices]

    @property
    def devices(self) -> list[Object]:
        """All devices."""
        return [device for pool in self.pools for device in pool.devices]

    @property
    def nodes(self) -> list[str]:
        """The nodes that the slices name, each once."""
        return sorted({node for pool in self.pools for node in pool.nodes})

    @property
    def names(self) -> frozenset[tuple[str, str]]:
        """Pool and name of every device."""
        return frozenset((pool.name, one["name"]) for pool in self.pools for one in pool.devices)


def read(world: World, driver: str) -> Inventory:
    """Return what stands in the API server now; raises ``StatusError``."""
    return of(one for one in world.api.list(SLICES) if one["spec"]["driver"] == driver)


def of(slices: Iterable[Object]) -> Inventory:
    """Return slices as pools, in the order of their names."""
    pools: dict[str, list[Object]] = {}
    for one in slices:
        pools.setdefault(one["spec"]["pool"]["name"], []).append(one)
    return Inventory(
        pools=tuple(Pool(name=name, slices=tuple(pools[name])) for name in sorted(pools))
    )


def place(one: Object) -> list[str]:
    """Return which fields of a slice say where its devices can be used."""
    return [field for field in PLACES if one["spec"].get(field)]


def whole_node(world: World, driver: str, inventory: Inventory) -> str | None:
    """Return a node whose devices one claim can have all at once, None where there is none.

    Devices that share counters exclude each other, devices in use or tainted are not ours to
    have, and one claim takes a limited number.
    """
    used = _used(world, driver)
    for pool in inventory.pools:
        if len(pool.nodes) == 1 and _simple(pool.devices, pool.name, used):
            return pool.nodes[0]
    return None


def beside(world: World, driver: str, inventory: Inventory, *, others: int) -> Pool:
    """Return the pool whose devices one claim can have all at once, beside so many others.

    Raises ``Unsupported`` where there is none, where the driver has more for that node, or where
    a device can be had more than once.
    """
    node = whole_node(world, driver, inventory)
    pools = [pool for pool in inventory.pools if pool.nodes in ([], [node])]
    devices = [device for pool in pools for device in pool.devices]
    often = any(device.get("allowMultipleAllocations") for device in devices)
    if node is None or len(pools) != 1 or often or len(devices) + others > _RESULTS:
        raise Unsupported("the check needs a driver whose devices of a node fit into one claim")
    return pools[0]


def _simple(devices: Sequence[Object], pool: str, used: frozenset[tuple[str, str]]) -> bool:
    apart = not any(one.get("consumesCounters") or one.get("taints") for one in devices)
    free = not any((pool, one["name"]) in used for one in devices)
    return apart and free and 0 < len(devices) <= _RESULTS


def _used(world: World, driver: str) -> frozenset[tuple[str, str]]:
    return frozenset(
        (one["pool"], one["device"])
        for claim in world.api.list(CLAIMS)
        for one in results(claim)
        if one["driver"] == driver
    )


def results(claim: Object) -> list[Object]:
    """Return the allocation results of a claim, none where it is not allocated."""
    allocation = (claim.get("status") or {}).get("allocation") or {}
    return (allocation.get("devices") or {}).get("results") or []


def names_of(claim: Object) -> frozenset[tuple[str, str]]:
    """Return pool and name of every allocated device."""
    return frozenset((one["pool"], one["device"]) for one in results(claim))


def published(claim: Object, driver: str, found: Inventory) -> None:
    """Expect that a claim has devices, and that the driver publishes each of them.

    Raises ``Unsupported`` where they are another driver's: the class was chosen by a person.
    """
    path = "status.allocation.devices.results"
    expect.present(claim, path)
    others = sorted({str(one["driver"]) for one in results(claim)} - {driver})
    if others:
        raise Unsupported(
            f"the class of the claim selects devices of {', '.join(others)} as well; "
            f"name one that selects those of {driver} alone (--device-class, --class-file)"
        )
    expect.same(sorted(names_of(claim) - found.names), [], path=f"{path}[]", hint="as published")


def is_described(device: Object) -> bool:
    """Tell whether a device has anything by which it can be chosen."""
    return bool(device.get("attributes") or device.get("capacity"))


def complete(found: Inventory) -> Inventory:
    """Return pools that each have one generation, all of it; raises ``Violation``."""
    for pool in found.pools:
        where = f"of pool {pool.name}"
        expect.same(len(pool.generations), 1, path=f"spec.pool.generation {where}")
        expect.same([len(pool.slices)], pool.counts, path=f"spec.pool.resourceSliceCount {where}")
    return found


def unique(found: Inventory) -> Inventory:
    """Return pools in which no two devices have one name; raises ``Violation``."""
    path = "spec.devices[].name in each pool"
    expect.same(len(found.names), len(found.devices), path=path)
    return found


def placed(found: Inventory, known: frozenset[str]) -> Inventory:
    """Return slices that name no other nodes than those known; raises ``Violation``."""
    strangers = [name for name in found.nodes if name not in known]
    expect.same(strangers, [], path="spec.nodeName", hint=f"one of {', '.join(sorted(known))}")
    return found


def consistent(found: Inventory, known: frozenset[str]) -> Inventory:
    """Return slices that form consistent pools; raises ``Violation``."""
    return placed(unique(complete(found)), known)


def known_nodes(world: World, node: str | None) -> frozenset[str]:
    """Return the nodes on which a driver may be: the one that it runs on, or all that exist."""
    if node is not None:
        return frozenset([node])
    return frozenset(one["metadata"]["name"] for one in world.api.list(NODES))


def _names_node(one: Object) -> bool:
    return bool(one["spec"].get("nodeName"))

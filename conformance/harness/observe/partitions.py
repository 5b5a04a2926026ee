"""The partition types of a driver's pools, as its slices tell them."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conformance.harness.errors import Unsupported
from conformance.harness.subject.inventory import Inventory
from conformance.kube import quantity
from conformance.kube.objects import Object

#: What one device draws: counter set, counter and amount.
Cost = frozenset[tuple[str, str, quantity.Quantity]]


@attrs.frozen(kw_only=True)
class Partition:
    """A device that draws from shared counters, in a pool that tells types."""

    pool: str
    #: ``partitionTypeAttribute`` of its slice; empty where the slice has none.
    attribute: str
    device: Object
    driver: str

    @property
    def name(self) -> str:
        """Say which device it is."""
        return f"{self.pool}/{self.device['name']}"

    @property
    def kind(self) -> str:
        """The string that the attribute holds; empty where it holds none."""
        attributes: Object = self.device.get("attributes") or {}
        # A name in the driver's own domain may be written without the domain.
        bare = self.attribute.removeprefix(f"{self.driver}/")
        value: Object = attributes.get(self.attribute) or attributes.get(bare) or {}
        return str(value.get("string") or "")

    @property
    def cost(self) -> Cost:
        """What it draws; how an amount is spelled does not count."""
        return frozenset(
            (one["counterSet"], name, quantity.parse(counter["value"]))
            for one in self.device["consumesCounters"]
            for name, counter in one["counters"].items()
        )


def of(found: Inventory) -> list[Partition]:
    """Return the partitions of the pools with types; raises ``Unsupported`` without any."""
    partitions = [one for pool in found.pools for one in _partitions(pool.slices)]
    if not partitions:
        raise Unsupported("the check needs a driver that publishes partitionTypeAttribute")
    return partitions


def untyped(partitions: list[Partition]) -> list[str]:
    """Return those whose slice names no attribute, or whose attribute is no string."""
    return [one.name for one in partitions if not one.attribute or not one.kind]


def uneven(partitions: list[Partition]) -> list[str]:
    """Return the types whose devices differ in what they draw, each with its pool."""
    costs: dict[tuple[str, str, str], set[Cost]] = {}
    for one in partitions:
        if one.kind:
            costs.setdefault((one.pool, one.attribute, one.kind), set()).add(one.cost)
    return [f"{kind} in pool {pool}" for (pool, _, kind), each in costs.items() if len(each) > 1]


def _partitions(slices: tuple[Object, ...]) -> Iterator[Partition]:
    specs = [one["spec"] for one in slices]
    if not any(spec.get("partitionTypeAttribute") for spec in specs):
        return
    for spec in specs:
        for device in spec.get("devices") or []:
            if device.get("consumesCounters"):
                yield Partition(
                    pool=spec["pool"]["name"],
                    attribute=spec.get("partitionTypeAttribute") or "",
                    device=device,
                    driver=spec["driver"],
                )

"""Counters that the devices of a pool share (KEP-4815)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from conformance.dra.allocation.pools import Candidate, DeviceKey, Pool
from conformance.kube import quantity
from conformance.kube.objects import Object
from conformance.kube.quantity import Quantity

#: What is left, by counter set and counter.
_Left = dict[tuple[str, str], Quantity]


class Counters:
    """What is left in the pools while devices are tried out."""

    def __init__(self, pools: Sequence[Pool], allocated: AbstractSet[DeviceKey]) -> None:
        self._left: Mapping[tuple[str, str], _Left] = {
            (pool.driver, pool.name): _left(pool, allocated) for pool in pools
        }

    def take(self, candidate: Candidate) -> bool:
        """Consume what the device needs, or change nothing and return false.

        A counter that is overdrawn blocks every device of the pool that consumes any.
        """
        if not candidate.device.get("consumesCounters"):
            return True
        left = self._left[candidate.driver, candidate.pool]
        for counter, amount in _consumed(candidate.device):
            left[counter] = left[counter] - amount
        if any(amount.amount < 0 for amount in left.values()):
            self.give_back(candidate)
            return False
        return True

    def give_back(self, candidate: Candidate) -> None:
        """Undo ``take``."""
        if not candidate.device.get("consumesCounters"):
            return
        left = self._left[candidate.driver, candidate.pool]
        for counter, amount in _consumed(candidate.device):
            left[counter] = left[counter] + amount


def _consumed(device: Object) -> Iterator[tuple[tuple[str, str], Quantity]]:
    for consumption in device.get("consumesCounters") or []:
        for name, counter in consumption["counters"].items():
            yield (consumption["counterSet"], name), quantity.parse(counter["value"])


def _left(pool: Pool, allocated: AbstractSet[DeviceKey]) -> _Left:
    if not pool.consuming:
        return {}
    left = {
        (set_name, name): quantity.parse(counter["value"])
        for set_name, counter_set in pool.counter_sets.items()
        for name, counter in counter_set["counters"].items()
    }
    used = (one for one in (*pool.devices, *pool.elsewhere) if one.key in allocated)
    for counter, amount in (each for one in used for each in _consumed(one.device)):
        # Without DRAPartitionableDevices there are consumers, but no counter sets.
        left[counter] = left.get(counter, amount) - amount
    return left

"""Devices that several claims share, each with a part of the capacity (KEP-5075)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from conformance.dra.allocation.capacity import Amounts, consumption, exceeds, plus
from conformance.dra.allocation.pools import DeviceKey
from conformance.kube import quantity
from conformance.kube.objects import Object


def _touched(use: Any) -> frozenset[DeviceKey]:
    return use.devices.union(use.consumed) if use.consumed else use.devices


@attrs.frozen(kw_only=True)
class InUse:
    """What allocations take: whole devices, and capacity of those that are shared.

    What is left is searched for a new one.
    """

    devices: frozenset[DeviceKey] = frozenset()
    consumed: Mapping[DeviceKey, Amounts] = attrs.field(factory=dict[DeviceKey, Amounts])
    #: How many devices the search may try, None for as many as it takes.
    steps: int | None = None
    #: Devices of which anything is taken.
    touched: frozenset[DeviceKey] = attrs.field(
        init=False, default=attrs.Factory(_touched, takes_self=True)
    )

    @classmethod
    def of(cls, results: Iterable[Object]) -> InUse:
        """Return what these allocation results take; admin access takes nothing."""
        devices: set[DeviceKey] = set()
        consumed: dict[DeviceKey, Amounts] = {}
        for result in results:
            key = (result["driver"], result["pool"], result["device"])
            if result.get("adminAccess"):
                continue
            if not result.get("shareID"):
                devices.add(key)
                continue
            part = result.get("consumedCapacity") or {}
            amounts = {name: quantity.parse(amount) for name, amount in part.items()}
            consumed[key] = plus(consumed.get(key) or {}, amounts)
        return cls(devices=frozenset(devices), consumed=consumed)

    def plus(self, other: InUse) -> InUse:
        """Return what both take."""
        if not other.touched:
            return self
        consumed = dict(self.consumed)
        for key, amounts in other.consumed.items():
            consumed[key] = plus(consumed.get(key) or {}, amounts)
        return InUse(devices=self.devices | other.devices, consumed=consumed)


class Shares:
    """What is consumed of shared devices while more is tried out."""

    def __init__(self, consumed: Mapping[DeviceKey, Amounts], *, fractional: bool = True) -> None:
        self._fractional = fractional
        self._consumed: dict[DeviceKey, list[Amounts]] = {
            key: [amounts] for key, amounts in consumed.items()
        }

    def has(self, key: DeviceKey) -> bool:
        """Return whether the device is shared already; then its counters are paid."""
        return bool(self._consumed.get(key))

    def offers(self, key: DeviceKey, device: Object, request: Object) -> Amounts | None:
        """Return what the request would consume, or nothing if too little is left."""
        wanted = consumption(device, request, fractional=self._fractional)
        if wanted is None:
            return None
        total = wanted
        for amounts in self._consumed.get(key) or []:
            total = plus(total, amounts)
        return None if exceeds(total, device) else wanted

    def take(self, key: DeviceKey, amounts: Amounts) -> None:
        """Consume a part of the device."""
        self._consumed.setdefault(key, []).append(amounts)

    def give_back(self, key: DeviceKey) -> None:
        """Undo the latest ``take`` of the device."""
        self._consumed[key].pop()

"""Devices that several claims share, each with a part of the capacity (KEP-5075).

Source: ``structured/internal/incubating/consumable_capacity.go`` of
k8s.io/dynamic-resource-allocation 0.37.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import attrs

from conformance.dra.allocation.pools import DeviceKey
from conformance.kube import quantity
from conformance.kube.objects import Object
from conformance.kube.quantity import Quantity

#: Amounts by name of the capacity.
Amounts: TypeAlias = Mapping[str, Quantity]


@attrs.frozen(kw_only=True)
class InUse:
    """What allocations take: whole devices, and capacity of those that are shared."""

    devices: frozenset[DeviceKey] = frozenset()
    consumed: Mapping[DeviceKey, Amounts] = attrs.field(factory=dict[DeviceKey, Amounts])

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


class Shares:
    """What is consumed of shared devices while more is tried out."""

    def __init__(self, consumed: Mapping[DeviceKey, Amounts]) -> None:
        self._consumed: dict[DeviceKey, list[Amounts]] = {
            key: [amounts] for key, amounts in consumed.items()
        }

    def has(self, key: DeviceKey) -> bool:
        """Return whether the device is shared already; then its counters are paid."""
        return bool(self._consumed.get(key))

    def offers(self, key: DeviceKey, device: Object, request: Object) -> Amounts | None:
        """Return what the request would consume, or nothing if too little is left."""
        wanted = consumption(device, request)
        if wanted is None:
            return None
        total = wanted
        for amounts in self._consumed.get(key) or []:
            total = plus(total, amounts)
        capacity = device.get("capacity") or {}
        fits = all(total[name] <= quantity.parse(capacity[name]["value"]) for name in capacity)
        return wanted if fits else None

    def take(self, key: DeviceKey, amounts: Amounts) -> None:
        """Consume a part of the device."""
        self._consumed.setdefault(key, []).append(amounts)

    def give_back(self, key: DeviceKey) -> None:
        """Undo the latest ``take`` of the device."""
        self._consumed[key].pop()


def consumption(device: Object, request: Object) -> Amounts | None:
    """Return what a request consumes of each capacity of a device.

    Nothing, if the request asks for a capacity that the device does not have, or for an
    amount that the capacity's policy does not allow.
    """
    capacity = device.get("capacity") or {}
    asked = (request.get("capacity") or {}).get("requests") or {}
    if not set(asked) <= set(capacity):
        return None
    amounts: dict[str, Quantity] = {}
    for name, one in capacity.items():
        policy = one.get("requestPolicy") or {}
        amount = _amount(asked.get(name), one, policy)
        if _violates(amount, policy):
            return None
        amounts[name] = amount
    return amounts


def plus(left: Amounts, right: Amounts) -> Amounts:
    """Add amounts by name."""
    both = {**left, **right}
    return {
        name: left[name] + right[name] if name in left and name in right else both[name]
        for name in both
    }


def _amount(asked: object, capacity: Object, policy: Object) -> Quantity:
    """Return the amount that is consumed: what is asked for, rounded up as the policy says."""
    if asked is None:
        return quantity.parse(policy.get("default") or capacity["value"])
    amount = quantity.parse(asked)
    bounds = policy.get("validRange") or {}
    if bounds.get("min") is not None:
        return _rounded(amount, bounds)
    for valid in map(quantity.parse, policy.get("validValues") or []):
        if amount <= valid:
            return valid
    return amount


def _rounded(amount: Quantity, bounds: Object) -> Quantity:
    least = quantity.parse(bounds["min"])
    if amount < least:
        return least
    if bounds.get("step") is None:
        return amount
    step = quantity.parse(bounds["step"])
    steps, rest = divmod(amount.amount - least.amount, step.amount)
    steps += 1 if rest else 0
    return Quantity(least.amount + steps * step.amount, step.format)


def _violates(amount: Quantity, policy: Object) -> bool:
    if policy.get("default") is not None and amount == quantity.parse(policy["default"]):
        return False
    bounds = policy.get("validRange")
    if bounds:
        too_much = bounds.get("max") is not None and amount > quantity.parse(bounds["max"])
        return too_much or _off_step(amount, bounds)
    values = policy.get("validValues") or []
    return bool(values) and all(amount != quantity.parse(value) for value in values)


def _off_step(amount: Quantity, bounds: Object) -> bool:
    if bounds.get("step") is None:
        return False
    step, least = quantity.parse(bounds["step"]), quantity.parse(bounds["min"])
    return (amount.amount - least.amount) % step.amount != 0

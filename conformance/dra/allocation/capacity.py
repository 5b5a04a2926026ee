"""Capacity that requests ask of devices, and what they consume of it (KEP-5075).

Source: ``structured/internal/incubating/consumable_capacity.go`` of
k8s.io/dynamic-resource-allocation 0.37.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal
from typing import TypeAlias

from conformance.dra.allocation.errors import AllocationError
from conformance.kube import quantity
from conformance.kube.objects import Object
from conformance.kube.quantity import Quantity

#: Amounts by name of the capacity.
Amounts: TypeAlias = Mapping[str, Quantity]

#: The largest number that is counted in, of units or of thousandths.
_LARGEST = 2**63 - 1
_MILLI = Decimal("0.001")


def suffices(device: Object, request: Object, *, fractional: bool = True) -> bool:
    """Return whether the device, with nothing of it consumed, can serve the request.

    Policies count for devices that are not shared, too. Names are compared as they stand: one
    with domain does not find one without. ``fractional`` as for ``consumption``.
    """
    wanted = consumption(device, request, fractional=fractional)
    return wanted is not None and not exceeds(wanted, device)


def exceeds(amounts: Amounts, device: Object) -> bool:
    """Return whether the amounts are more than the device has of anything."""
    capacity = device.get("capacity") or {}
    return any(amounts[name] > quantity.parse(capacity[name]["value"]) for name in capacity)


def consumption(device: Object, request: Object, *, fractional: bool = True) -> Amounts | None:
    """Return what a request consumes of each capacity of a device.

    Nothing, if the request asks for a capacity that the device does not have, or for an
    amount that the capacity's policy does not allow. Without ``fractional``
    (DRAFractionalCapacityRange) steps are counted in whole units, rounded up. Raises
    ``AllocationError`` for an amount in which nobody can count steps, and for a negative one.
    """
    capacity = device.get("capacity") or {}
    asked = (request.get("capacity") or {}).get("requests") or {}
    if not set(asked) <= set(capacity):
        return None
    policies = {name: one.get("requestPolicy") or {} for name, one in capacity.items()}
    amounts = {
        name: _amount(asked.get(name), one, policies[name], fractional)
        for name, one in capacity.items()
    }
    for name, amount in amounts.items():
        if amount.amount < 0:
            raise AllocationError(f'capacity "{name}": capacity value is negative')
    if any(_violates(amounts[name], policy, fractional) for name, policy in policies.items()):
        return None
    return amounts


def plus(left: Amounts, right: Amounts) -> Amounts:
    """Add amounts by name."""
    both = {**left, **right}
    return {
        name: left[name] + right[name] if name in left and name in right else both[name]
        for name in both
    }


def _amount(asked: object, capacity: Object, policy: Object, fractional: bool) -> Quantity:
    """Return the amount that is consumed: what is asked for, rounded up as the policy says."""
    if asked is None:
        return quantity.parse(policy.get("default") or capacity["value"])
    amount = quantity.parse(asked)
    bounds = policy.get("validRange") or {}
    if bounds.get("min") is not None:
        return _rounded(amount, bounds, fractional)
    for valid in map(quantity.parse, policy.get("validValues") or []):
        if amount <= valid:
            return valid
    return amount


def _rounded(amount: Quantity, bounds: Object, fractional: bool) -> Quantity:
    least = quantity.parse(bounds["min"])
    if amount < least:
        return least
    if bounds.get("step") is None:
        return amount
    step = quantity.parse(bounds["step"])
    unit = _unit(bounds, fractional)
    # In units an amount is rounded up; in thousandths it has to be one.
    if amount.amount > _LARGEST or (unit != 1 and not _countable(amount, unit)):
        raise _uncountable(amount)
    asked, start, width = (_counted(one, unit) for one in (amount, least, step))
    steps, rest = divmod(asked - start, width)
    found = start + (steps + (1 if rest else 0)) * width
    if found > _LARGEST:
        raise _uncountable(amount)
    return Quantity(found * unit, step.format)


def _uncountable(amount: Quantity) -> AllocationError:
    return AllocationError(
        f"capacity request cannot be represented in the device's range arithmetic: {amount}"
    )


def _unit(bounds: Object, fractional: bool) -> Decimal:
    """Return in what steps are counted: thousandths, where all bounds are such, or units."""
    parsed = [quantity.parse(bounds[key]) for key in ("min", "max", "step") if bounds.get(key)]
    if fractional and all(_countable(one, _MILLI) for one in parsed):
        return _MILLI
    return Decimal(1)


def _countable(amount: Quantity, unit: Decimal) -> bool:
    number = amount.amount / unit
    return number <= _LARGEST and number % 1 == 0


def _counted(amount: Quantity, unit: Decimal) -> Decimal:
    return (amount.amount / unit).to_integral_value(ROUND_CEILING)


def _violates(amount: Quantity, policy: Object, fractional: bool) -> bool:
    if policy.get("default") is not None and amount == quantity.parse(policy["default"]):
        return False
    bounds = policy.get("validRange")
    if bounds:
        too_much = bounds.get("max") is not None and amount > quantity.parse(bounds["max"])
        return too_much or _off_step(amount, bounds, fractional)
    values = policy.get("validValues") or []
    return bool(values) and all(amount != quantity.parse(value) for value in values)


def _off_step(amount: Quantity, bounds: Object, fractional: bool) -> bool:
    if bounds.get("step") is None:
        return False
    step, least = quantity.parse(bounds["step"]), quantity.parse(bounds["min"])
    unit = _unit(bounds, fractional)
    if unit != 1 and not _countable(amount, unit):
        return True
    asked, start, width = (_counted(one, unit) for one in (amount, least, step))
    return (asked - start) % width != 0

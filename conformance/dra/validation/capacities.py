"""Capacity of a device: how much of it one claim may ask for, and what it is to a node.

Source: KEP-5075 (consumable capacity), KEP-5517 (node allocatable resources).
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.dra.validation.lists import each_unique
from conformance.dra.vocabulary import POLICY_VALUES
from conformance.kube import quantity
from conformance.kube.fields import FieldError, forbidden, invalid, not_found, required
from conformance.kube.objects import Object
from conformance.kube.quantity import Quantity

#: Resources of a node that devices may take part of, beside hugepages of any size.
_ALLOCATABLE = ("cpu", "ephemeral-storage", "memory")


def capacity(one: Object, path: str, _features: Features, *, shared: bool) -> Iterator[FieldError]:
    """Check a capacity: only devices that are shared have a policy."""
    policy = one.get("requestPolicy")
    if policy is None:
        return
    at = f"{path}.requestPolicy"
    if not shared:
        yield forbidden(at, "allowMultipleAllocations must be true")
        return
    values, range_ = policy.get("validValues") or [], policy.get("validRange")
    if values and range_ is not None:
        detail = (
            'exactly one policy can be specified, cannot specify "validValues" and "validRange" '
            "at the same time"
        )
        yield forbidden(at, detail)
        return
    total = quantity.parse(one.get("value", "0"))
    if not values and range_ is None:
        return
    if policy.get("default") is None:
        which = "validValues" if values else "validRange"
        yield required(f"{at}.default", f"required when {which} is defined")
        return
    default = quantity.parse(policy["default"])
    if values:
        yield from _values(values, default, total, f"{at}.validValues")
    elif range_ is not None:
        yield from _range(range_, default, total, f"{at}.validRange")


def _values(
    values: list[str], default: Quantity, total: Quantity, path: str
) -> Iterator[FieldError]:
    parsed = [quantity.parse(value) for value in values]
    for index in range(1, len(parsed)):
        if parsed[index] < parsed[index - 1]:
            detail = "values must be sorted in ascending order"
            yield invalid(f"{path}[{index}]", str(parsed[index]), detail)

    def option(value: Quantity, at: str) -> Iterator[FieldError]:
        if value > total:
            yield invalid(at, str(value), f"option is larger than capacity value: {total}")

    yield from each_unique(
        parsed, path, option, key=lambda value: str(value.amount.normalize()), limit=POLICY_VALUES
    )
    # Of too many values none is looked at, so the default is not found either.
    if len(parsed) > POLICY_VALUES or default not in parsed:
        detail = "default value is not valid according to the requestPolicy"
        yield invalid(path, str(default), detail)


def _range(range_: Object, default: Quantity, total: Quantity, path: str) -> Iterator[FieldError]:
    if range_.get("min") is None:
        yield required(f"{path}.min", "required when validRange is defined")
        return
    low = quantity.parse(range_["min"])
    if low > total:
        yield invalid(f"{path}.min", str(low), f"min is larger than capacity value: {total}")
    if default < low:
        yield invalid(f"{path}.default", str(default), f"default is less than min: {low}")
    high = None if range_.get("max") is None else quantity.parse(range_["max"])
    if high is not None:
        yield from _upper(low, high, default, total, path)
    if range_.get("step") is not None:
        step = quantity.parse(range_["step"])
        yield from _step(step, low, [default, high], total, f"{path}.step")


def _upper(
    low: Quantity, high: Quantity, default: Quantity, total: Quantity, path: str
) -> Iterator[FieldError]:
    if low > high:
        yield invalid(f"{path}.max", str(low), f"min is larger than max: {high}")
    if high > total:
        yield invalid(f"{path}.max", str(high), f"max is larger than capacity value: {total}")
    if default > high:
        yield invalid(f"{path}.default", str(default), f"default is more than max: {high}")


def _step(
    step: Quantity, low: Quantity, checked: list[Quantity | None], total: Quantity, path: str
) -> Iterator[FieldError]:
    if step.amount <= 0:
        yield invalid(path, str(step), "must be greater than zero")
        return
    first = low + step
    if first > total:
        yield invalid(path, str(step), f"one step {first} is larger than capacity value: {total}")
    for value in checked:
        if value is not None and not quantity.is_multiple(value.amount - low.amount, step.amount):
            detail = f"value is not a multiple of a given step ({step}) from ({low})"
            yield invalid(path, str(value), detail)


def allocatable(name: str, one: Object, path: str, capacities: Object) -> Iterator[FieldError]:
    """Check what a device takes of one of a node's allocatable resources (KEP-5517)."""
    if name not in _ALLOCATABLE and not name.startswith("hugepages-"):
        yield invalid(path, name, "must be a node allocatable resource name")
    mapping, overhead = one.get("mapping"), one.get("overhead")
    if mapping is None and overhead is None:
        yield required(path, "at least one of mapping or overhead must be set")
    if mapping is not None:
        yield from _mapping(mapping, f"{path}.mapping", capacities)
    if overhead is not None:
        yield from _overhead(overhead, f"{path}.overhead")


def _mapping(one: Object, path: str, capacities: Object) -> Iterator[FieldError]:
    key, multiplier = one.get("capacityKey"), one.get("capacityMultiplier")
    if (key is None) == (one.get("deviceMultiplier") is None):
        detail = "must specify exactly one of: `capacityKey`, `deviceMultiplier`"
        yield invalid(path, one, detail)
    if key == "":
        detail = "capacityKey must not be an empty string"
        yield invalid(f"{path}.capacityKey", key, detail)
    elif key is not None and key not in capacities:
        yield not_found(f"{path}.capacityKey", key)
    if key is not None and multiplier is None:
        detail = "capacityMultiplier is required when capacityKey is set"
        yield required(f"{path}.capacityMultiplier", detail)
    if multiplier is not None and key is None:
        detail = "capacityKey is required when capacityMultiplier is set"
        yield required(f"{path}.capacityKey", detail)
    for field in ("capacityMultiplier", "deviceMultiplier"):
        if one.get(field) is not None and quantity.parse(one[field]) <= quantity.parse("0"):
            yield invalid(f"{path}.{field}", one[field], "must be positive")


def _overhead(one: Object, path: str) -> Iterator[FieldError]:
    if one.get("perPod") is None and one.get("perContainer") is None:
        yield invalid(path, "", "at least one of perPod or perContainer must be set")
    for field in ("perPod", "perContainer"):
        if one.get(field) is not None and quantity.parse(one[field]) < quantity.parse("0"):
            yield invalid(f"{path}.{field}", one[field], "must be non-negative")

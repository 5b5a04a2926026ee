"""Devices by chance: they have, lack or mistype what expressions ask for."""

from __future__ import annotations

from typing import Any

from conformance.tests.differential.inventory import Dice

Object = dict[str, Any]

DRIVERS = ("gpu.example.com", "nic.example.com")
DOMAINS = (*DRIVERS, "resource.kubernetes.io", "absent.example.com")
NAMES = ("model", "index", "healthy", "firmware", "tags", "lanes", "flags", "levels", "numa")
CAPACITIES = ("memory", "cores", "slots")
#: The type that an expression expects of an attribute.
EXPECTED = {
    "model": "string",
    "index": "int",
    "healthy": "bool",
    "firmware": "version",
    "tags": "strings",
    "lanes": "ints",
    "flags": "bools",
    "levels": "versions",
    "numa": "int",
}
TEXTS = ("A100", "a100-40g", "", "H100 SXM", "größe", "1.2.3", "7")
VERSIONS = ("1.2.3", "1.10.0", "1.2.3-rc.1", "2.0.0+build.5", "0.0.1-alpha.2", "1.2.3-rc.10")
QUANTITIES = ("40Gi", "80Gi", "1500m", "2", "0", "1k", "1Ki", "7G", "128974848", "12e6", "100m")
NUMBERS = (0, 1, 2, 7, -3, 1000000, 9223372036854775807, -9223372036854775808)


def device(dice: Dice) -> Object:
    """Return a device."""
    found: Object = {"name": "device-0"}
    attributes = {
        _qualified(dice, name): attribute(dice, EXPECTED[name]) for name in NAMES if dice.often()
    }
    if attributes:
        found["attributes"] = attributes
    capacity = {
        _qualified(dice, name): {"value": dice.pick(*QUANTITIES)}
        for name in CAPACITIES
        if dice.often()
    }
    if capacity:
        found["capacity"] = capacity
    if dice.half():
        found["allowMultipleAllocations"] = dice.half()
    return found


def _qualified(dice: Dice, name: str) -> str:
    return f"{dice.pick(*DOMAINS[:3])}/{name}" if dice.seldom() else name


def attribute(dice: Dice, expected: str) -> Object:
    """Return the value of an attribute, seldom of another type than expected."""
    if dice.seldom():
        expected = dice.pick(*set_of_types())
    value: Any = {
        "string": lambda: dice.pick(*TEXTS),
        "int": lambda: dice.pick(*NUMBERS),
        "bool": dice.half,
        "version": lambda: dice.pick(*VERSIONS),
    }
    single = expected.removesuffix("s")
    if single == expected:
        return {expected: value[expected]()}
    return {expected: [value[single]() for _ in range(dice.pick(1, 2, 3, 0, 5))]}


def set_of_types() -> list[str]:
    """Return the types of attributes, in a fixed order."""
    return sorted(set(EXPECTED.values()))

"""A device as the variables of an expression.

Attribute and capacity names without domain stand under the driver's name (KEP-4381).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from conformance.cel import library
from conformance.cel.errors import EvaluationError
from conformance.kube import quantity, semver
from conformance.kube.objects import Object

DRIVER = "device.driver"
ATTRIBUTES = "device.attributes"
CAPACITY = "device.capacity"
MULTI_ALLOCATION = "device.allowMultipleAllocations"


def variables(driver: str, device: Object, domains: Iterable[str]) -> dict[str, Any]:
    """Return the values of all variables; ``domains`` are there even when the device lacks them.

    Raises ``EvaluationError`` for an attribute whose value is of no known type.
    """
    attributes = {
        name: _attribute(name, value) for name, value in (device.get("attributes") or {}).items()
    }
    capacity = {
        name: library.of_quantity(quantity.parse(value.get("value", "0")))
        for name, value in (device.get("capacity") or {}).items()
    }
    return {
        DRIVER: driver,
        MULTI_ALLOCATION: bool(device.get("allowMultipleAllocations")),
        ATTRIBUTES: _by_domain(attributes, driver, domains),
        CAPACITY: _by_domain(capacity, driver, domains),
    }


def _by_domain(
    values: Mapping[str, Any], driver: str, domains: Iterable[str]
) -> dict[str, dict[str, Any]]:
    grouped: dict[str, dict[str, Any]] = {domain: {} for domain in domains}
    for name, value in values.items():
        domain, slash, identifier = name.partition("/")
        if not slash:
            domain, identifier = driver, name
        grouped.setdefault(domain, {})[identifier] = value
    return grouped


def _attribute(name: str, value: Object) -> Any:
    for key in ("ints", "bools", "strings"):
        if value.get(key) is not None:
            return list(value[key])
    if value.get("versions") is not None:
        return [_version(name, one) for one in value["versions"]]
    for key in ("int", "bool", "string"):
        if value.get(key) is not None:
            return value[key]
    if value.get("version") is not None:
        return _version(name, value["version"])
    raise EvaluationError(f"attribute {name}: unsupported attribute value")


def _version(name: str, text: str) -> Any:
    try:
        return library.of_version(semver.parse(text))
    except semver.SemverError as error:
        raise EvaluationError(f"attribute {name}: parse semantic version: {error}") from error

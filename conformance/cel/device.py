"""A device as the variables of an expression.

Attribute and capacity names without domain stand under the driver's name (KEP-4381).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.cel.engine import amounts, texts
from conformance.cel.engine.values import Defaulting
from conformance.cel.errors import EvaluationError
from conformance.kube.objects import Object

_INT64 = range(-(2**63), 2**63)


def variables(driver: str, device: Object) -> dict[str, Any]:
    """Return the fields of a device as expressions see them.

    Raises ``EvaluationError`` for an attribute whose value is of no known type.
    """
    attributes = {
        name: _attribute(name, value) for name, value in (device.get("attributes") or {}).items()
    }
    capacity = {
        name: amounts.parse(str(value.get("value", "0")))
        for name, value in (device.get("capacity") or {}).items()
    }
    return {
        "driver": driver,
        "allowMultipleAllocations": bool(device.get("allowMultipleAllocations")),
        "attributes": _by_domain(attributes, driver),
        "capacity": _by_domain(capacity, driver),
    }


def _by_domain(values: Mapping[str, Any], driver: str) -> Defaulting:
    grouped = Defaulting()
    for name, value in values.items():
        domain, slash, identifier = name.partition("/")
        if not slash:
            domain, identifier = driver, name
        grouped.setdefault(domain, {})[identifier] = value
    return grouped


def _attribute(name: str, value: Object) -> Any:
    for key in ("ints", "bools", "strings"):
        if value.get(key) is not None:
            return [_number(name, one) for one in value[key]]
    if value.get("versions") is not None:
        return [_version(name, one) for one in value["versions"]]
    for key in ("int", "bool", "string"):
        if value.get(key) is not None:
            return _number(name, value[key])
    if value.get("version") is not None:
        return _version(name, value["version"])
    raise EvaluationError(f"attribute {name}: unsupported attribute value")


def _number(name: str, value: Any) -> Any:
    if isinstance(value, int) and value not in _INT64:
        raise EvaluationError(f"attribute {name}: integer out of range")
    return value


def _version(name: str, text: str) -> Any:
    try:
        return texts.version(text)
    except EvaluationError as error:
        raise EvaluationError(f"attribute {name}: parse semantic version: {error}") from error

"""Values at and just beyond the limits of the API, and small valid objects to change.

Driver names end in ``.example``: of no driver that could be installed anywhere.
"""

from __future__ import annotations

from typing import Any

from conformance.harness.propose.changes import without_dropped
from conformance.kube.objects import Object

#: What an object of these checks is published, asked for and configured by.
DRIVER = "dra.example"
POOL = "pool-1"
CLASS = "class.example"

#: Counters, who consumes them, and a taint.
MEMORY: Object = {"memory": {"value": "1Gi"}}
EATS: Object = {"counterSet": "set", "counters": MEMORY}
BAD: Object = {"key": "dra.example/bad", "effect": "NoSchedule"}

#: A requirement on the labels of a node.
HOST: Object = {"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-1"]}

#: A selector that takes every device, and an expression that may cost too much: every
#: attribute of every domain is compared with every other one, three times over.
SELECTOR: Object = {"cel": {"expression": "true"}}
COSTLY = (
    "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, "
    "device.attributes.all(d, device.attributes.all(e, a + b + c + d + e != ''" + ")" * 5
)


def dotted(length: int) -> str:
    """Return a DNS subdomain of this many characters."""
    return _in_parts(length, ".")


def slashed(length: int) -> str:
    """Return the name of a pool of this many characters, of short parts."""
    return _in_parts(length, "/")


def _in_parts(length: int, separator: str) -> str:
    parts = separator.join(["a" * 9] * (length // 10 + 1))[:length]
    return parts if parts[-1] != separator else f"{parts[:-1]}a"


def padded(length: int) -> str:
    """Return a CEL expression of this many characters that is true."""
    return "true" + " " * (length - 4)


def weighing(length: int) -> Object:
    """Return a JSON object of this many bytes, written compactly."""
    return {"a": "b" * (length - len('{"a":""}'))}


def texts(count: int) -> list[str]:
    """Return names of conditions, each another."""
    return [f"condition-{number}" for number in range(count)]


def counted(count: int) -> list[str]:
    """Return the quantities from 1 on."""
    return [str(number + 1) for number in range(count)]


def addresses(count: int) -> list[str]:
    """Return addresses of interfaces, each another."""
    return [f"10.0.0.{number + 1}/24" for number in range(count)]


def numbered(count: int, **value: Any) -> Object:
    """Return a map with this many entries; by default they are counters."""
    return {f"key{number}": value or {"value": "1"} for number in range(count)}


def times(count: int, **fields: Any) -> list[Object]:
    """Return objects of these fields; ``{n}`` in a text is their number."""
    return [
        {name: _filled(value, number) for name, value in fields.items()} for number in range(count)
    ]


def _filled(value: Any, number: int) -> Any:
    return value.replace("{n}", str(number)) if isinstance(value, str) else value


def selecting(*expressions: Object) -> Object:
    """Return a node selector with a term for each of these requirements."""
    return {"nodeSelectorTerms": [{"matchExpressions": [one]} for one in expressions]}


def by_field(key: str) -> Object:
    """Return a node selector by a field of the node."""
    field = {"key": key, "operator": "In", "values": ["node-1"]}
    return {"nodeSelectorTerms": [{"matchFields": [field]}]}


def selector(expression: str) -> Object:
    """Return a device selector."""
    return {"cel": {"expression": expression}}


def request(name: str = "one", **more: Any) -> Object:
    """Return a request for one device of the class."""
    return {"name": name, "exactly": {"deviceClassName": CLASS, **more}}


def asked(name: str, **more: Any) -> Object:
    """Return an alternative of a request."""
    return {"name": name, "deviceClassName": CLASS, **more}


def opaque(driver: Any = DRIVER, parameters: Any = None, **more: Any) -> Object:
    """Return a configuration with opaque parameters."""
    given = {"kind": "Config"} if parameters is None else parameters
    return {"opaque": without_dropped(driver=driver, parameters=given), **more}


def result(**more: Any) -> Object:
    """Return an allocated device."""
    return without_dropped(
        **{"request": "one", "driver": DRIVER, "pool": POOL, "device": "device-1", **more}
    )


def device(**more: Any) -> Object:
    """Return what a driver says of an allocated device."""
    return {"driver": DRIVER, "pool": POOL, "device": "device-1", **more}


def condition(kind: str, **more: Any) -> Object:
    """Return a condition."""
    return {
        "type": kind,
        "status": "True",
        "reason": "Works",
        "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
        **more,
    }


def pod(**more: Any) -> Object:
    """Return the reference of a Pod as consumer of a claim."""
    return without_dropped(**{"resource": "pods", "name": "pod", "uid": "uid", **more})


def deriving(attributes: list[Object], match: str = "dra.example/a") -> Object:
    """Return the changes to a claim whose first request derives attributes to match one."""
    return {
        "spec.devices.requests[0].exactly.derivedAttributes": attributes,
        "spec.devices.constraints": [{"matchAttribute": match}],
    }

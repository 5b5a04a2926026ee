"""Scenarios by chance: claims and classes for the slices of ``inventory``."""

from __future__ import annotations

from typing import Any

from conformance.tests.differential.inventory import Dice, crowd, slices
from conformance.tests.differential.scenario import Scenario

Object = dict[str, Any]

GATES = (
    "DRAConsumableCapacity",
    "DRADeviceBindingConditions",
    "DRADeviceTaints",
    "DRAPartitionableDevices",
)
#: Gates that are off by default, each with a gate that it cannot do without, if any, and whether
#: it is on in half of the scenarios.
OPTIONAL_GATES = {
    "DRAFractionalCapacityRange": ("DRAConsumableCapacity", True),
    "DRADerivedAttributes": ("", True),
    "DRADeviceCompatibilityGroups": ("DRAPartitionableDevices", True),
    "DRAListTypeAttributes": ("", True),
    "DRAOptionalNodeOperations": ("", False),
}
ATTRIBUTES = (
    "a.example.com/model",
    "a.example.com/index",
    "common.example.com/numa",
    "a.example.com/firmware",
    "common.example.com/links",
)
#: The last ones fail where a device lacks the attribute, or do not compile.
EXPRESSIONS = (
    'device.driver == "a.example.com"',
    'device.attributes["a.example.com"].?model.orValue("") == "big"',
    '"index" in device.attributes["a.example.com"]',
    'device.capacity["a.example.com"].?memory.orValue(quantity("0")).isLessThan(quantity("5Gi"))',
    "device.allowMultipleAllocations == true",
    'device.attributes["a.example.com"].model == "small"',
    'device.attributes["common.example.com"].numa == 0',
    'device.attributes["common.example.com"].links.exists(one, one == 1)',
    "device.attributes[",
)
#: Amounts that are hard to count in, or cannot be consumed.
UNUSUAL = ("1500u", "1.0005", "8000000000000000", "9223372036854775807", "9Ei", "1e30", "0", "-1")
#: Of derived attributes; the last ones fail on some devices, or on all, or do not compile.
DERIVATIONS = (
    "device.driver",
    'device.attributes["a.example.com"].?model.orValue("big")',
    'device.attributes["common.example.com"].?numa.orValue(0)',
    'device.attributes["a.example.com"].?index.orValue(0) > 0',
    'device.attributes["common.example.com"].?links.orValue([0, 1])',
    '[device.driver, device.attributes["a.example.com"].?model.orValue("x")]',
    'semver(device.allowMultipleAllocations == true ? "1.2.0" : "1.10.0-rc.1+build")',
    'device.attributes["a.example.com"].?index.orValue(0) == 0 ? [] : [1, 2]',
    'device.attributes["a.example.com"].model',
    'device.attributes["a.example.com"].firmware',
    '[dyn(device.driver), dyn(device.attributes["a.example.com"].?index.orValue(0))]',
    'dyn(device.capacity["a.example.com"].?memory.orValue(quantity("0")))',
    'device.capacity["a.example.com"].memory',
    "device.attributes[",
)


def scenario(dice: Dice) -> Scenario:
    """Return a scenario; nearly all of it could stand in a real cluster."""
    gates = _gates(dice)
    many = dice.hardly()
    published = crowd(dice) if many else slices(dice)
    return {
        "claims": _large_claims(dice) if many else _claims(dice),
        "slices": published,
        "classes": [_class(dice, "any"), _class(dice, "own", EXPRESSIONS[dice.number(0, 2)])],
        "node": _node(dice),
        "inUse": [] if many else _in_use(dice, published),
        "gates": gates,
    }


def _gates(dice: Dice) -> dict[str, bool]:
    gates = {gate: False for gate in GATES if dice.rarely()}
    for gate, (needed, likely) in OPTIONAL_GATES.items():
        if needed not in gates and (dice.half() if likely else dice.seldom()):
            gates[gate] = True
    return gates


def _node(dice: Dice) -> Object:
    labels = {"zone": "here", "cores": "8"}
    declared = ["DRAOptionalNodeOperations"] if dice.half() else []
    metadata = {"name": "node-1", "labels": labels}
    return {"metadata": metadata, "status": {"declaredFeatures": declared}}


def _in_use(dice: Dice, published: list[Object]) -> list[Object]:
    devices = [(one["spec"], each) for one in published for each in one["spec"].get("devices", [])]
    # A device may have as many results as it has shares; what is no longer published stays taken.
    taken = [one for one in devices for _ in range(dice.pick(1, 1, 3)) if dice.seldom()]
    if taken and dice.rarely():
        spec, device = taken[0]
        taken.append((spec, {**device, "name": "gone"}))
    return [_taken(dice, spec, device, number) for number, (spec, device) in enumerate(taken)]


def _taken(dice: Dice, spec: Object, device: Object, number: int) -> Object:
    result = {"driver": spec["driver"], "pool": spec["pool"]["name"]}
    result |= {"request": "other", "device": device["name"]}
    if dice.seldom():
        result["adminAccess"] = True
    # Since the claim was allocated the device may have become shared, or ceased to be.
    if bool(device.get("allowMultipleAllocations")) == dice.seldom():
        return result
    result["shareID"] = f"00000000-0000-0000-0000-{number:012}"
    if "capacity" in device and not dice.rarely():
        result["consumedCapacity"] = {"memory": dice.pick("1Gi", "2Gi", "6Gi")}
        if dice.seldom():
            name = dice.pick("cores", "a.example.com/memory", "lost")
            result["consumedCapacity"][name] = dice.pick("1", "2500m", "6Gi")
    return result


def _class(dice: Dice, name: str, expression: str = "") -> Object:
    spec: Object = {}
    if expression:
        spec["selectors"] = [_selector(expression)]
    if dice.seldom():
        spec["config"] = [_opaque(name)]
    return {"metadata": {"name": name}, "spec": spec}


def _claims(dice: Dice) -> list[Object]:
    """Return one or two claims with up to four requests in all: the search is exhaustive."""
    if dice.often():
        return [_claim(dice, "claim-0", dice.pick(1, 1, 2, 2, 3))]
    claims = [_claim(dice, "claim-0", dice.number(1, 2)), _claim(dice, "claim-1", 1)]
    return [*claims, _claim(dice, "claim-2", 1)] if dice.seldom() else claims


def _large_claims(dice: Dice) -> list[Object]:
    """Return claims whose requests fit a result, or not, by what is chosen among alternatives."""
    claims = [_claim(dice, f"claim-{number}", 0) for number in range(dice.number(1, 2))]
    for claim in claims:
        claim["spec"]["devices"] = {
            "requests": [
                {"name": f"r{number}", "firstAvailable": _sizes(dice)}
                for number in range(dice.number(1, 3))
            ]
        }
    return claims


def _sizes(dice: Dice) -> list[Object]:
    asked = {"deviceClassName": "any", "allocationMode": "ExactCount"}
    return [
        {"name": f"s{number}", **asked, "count": dice.pick(1, 16, 31, 32, 33)}
        for number in range(dice.number(1, 3))
    ]


def _claim(dice: Dice, name: str, size: int) -> Object:
    requests = [_request(dice, f"r{number}") for number in range(size)]
    named = tuple(request["name"] for request in requests)
    devices: Object = {"requests": requests}
    if dice.half() and dice.half():
        devices["constraints"] = [_constraint(dice, named) for _ in range(dice.pick(1, 1, 2))]
        if dice.half():
            _derive(dice, requests, devices["constraints"])
    if dice.seldom():
        devices["config"] = [{**_opaque(name), "requests": dice.some(_names(requests))}]
    metadata = {"name": name, "namespace": "default", "uid": f"uid-{name}"}
    return {"metadata": metadata, "spec": {"devices": devices}}


def _names(requests: list[Object]) -> tuple[str, ...]:
    subrequests = [
        f"{request['name']}/{one['name']}"
        for request in requests
        for one in request.get("firstAvailable", [])
    ]
    return (*(request["name"] for request in requests), *subrequests)


def _constraint(dice: Dice, requests: tuple[str, ...]) -> Object:
    kind = dice.pick("matchAttribute", "matchAttribute", "distinctAttribute")
    return {kind: dice.pick(*ATTRIBUTES), "requests": dice.some(requests)}


def _derive(dice: Dice, requests: list[Object], constraints: list[Object]) -> None:
    """Let some requests derive attributes that constraints compare, as all of them must."""
    bodies = [
        each
        for request in requests
        for each in (request.get("firstAvailable") or [request["exactly"]])
    ]
    name = dice.pick(*ATTRIBUTES, "derived.example.com/side")
    kind = "matchAttribute" if "matchAttribute" in constraints[0] else "distinctAttribute"
    constraints[0][kind] = name
    for body in bodies:
        if dice.often():
            text = dice.pick(*(DERIVATIONS if dice.half() else DERIVATIONS[:8]))
            body["derivedAttributes"] = [{"name": name, "expression": text}]


def _request(dice: Dice, name: str) -> Object:
    if not dice.seldom():
        body = _asked(dice)
        if dice.seldom():
            body["adminAccess"] = True
        return {"name": name, "exactly": body}
    subrequests = [{"name": f"s{number}", **_asked(dice)} for number in range(dice.number(1, 3))]
    return {"name": name, "firstAvailable": subrequests}


def _asked(dice: Dice) -> Object:
    body: Object = {
        "deviceClassName": "missing" if dice.hardly() else dice.pick("any", "any", "own")
    }
    if dice.seldom():
        body["allocationMode"] = "All"
    else:
        body |= {"allocationMode": "ExactCount", "count": 33 if dice.hardly() else _count(dice)}
    if dice.seldom():
        body["selectors"] = [_selector(_expression(dice))]
    if dice.seldom():
        body["tolerations"] = [_toleration(dice)]
    if dice.seldom():
        body["capacity"] = {"requests": _wanted(dice)}
    return body


def _count(dice: Dice) -> int:
    return dice.pick(1, 1, 1, 2, 3)


def _expression(dice: Dice) -> str:
    return dice.pick(*(EXPRESSIONS if dice.seldom() else EXPRESSIONS[:5]))


def _wanted(dice: Dice) -> Object:
    name = "a.example.com/memory" if dice.rarely() else "memory"
    wanted = {name: dice.pick("1Gi", "1536Mi", "2G", "3Gi", "5Gi", "9Gi")}
    if dice.seldom():
        wanted["cores"] = dice.pick("1", "1600m", "1.5", "1500m")
    if dice.seldom():
        wanted[dice.pick("memory", "cores")] = dice.pick(*UNUSUAL)
    return wanted


def _toleration(dice: Dice) -> Object:
    toleration: Object = dice.pick(
        {"operator": "Exists"},
        {"operator": "Exists", "key": "example.com/broken"},
        {"operator": "Equal", "key": "example.com/broken", "value": "yes"},
        {"operator": "Equal", "key": "example.com/busy"},
    )
    if dice.seldom():
        toleration = {**toleration, "effect": "NoExecute", "tolerationSeconds": 30}
    elif dice.half():
        toleration = {**toleration, "effect": dice.pick("NoSchedule", "NoExecute")}
    return toleration


def _selector(expression: str) -> Object:
    return {"cel": {"expression": expression}}


def _opaque(name: str) -> Object:
    return {"opaque": {"driver": "a.example.com", "parameters": {"of": name}}}

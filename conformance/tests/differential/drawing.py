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
ATTRIBUTES = (
    "a.example.com/model",
    "a.example.com/index",
    "common.example.com/numa",
    "a.example.com/firmware",
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
    "device.attributes[",
)


def scenario(dice: Dice) -> Scenario:
    """Return a scenario; nearly all of it could stand in a real cluster."""
    gates = {gate: False for gate in GATES if dice.rarely()}
    if gates.get("DRAConsumableCapacity") is False:
        gates["DRAFractionalCapacityRange"] = False
    if dice.seldom():
        gates["DRAOptionalNodeOperations"] = True
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


def _node(dice: Dice) -> Object:
    labels = {"zone": "here", "cores": "8"}
    declared = ["DRAOptionalNodeOperations"] if dice.half() else []
    metadata = {"name": "node-1", "labels": labels}
    return {"metadata": metadata, "status": {"declaredFeatures": declared}}


def _in_use(dice: Dice, published: list[Object]) -> list[Object]:
    devices = [(one["spec"], each) for one in published for each in one["spec"].get("devices", [])]
    taken = [one for one in devices if dice.seldom()]
    return [_taken(dice, spec, device, number) for number, (spec, device) in enumerate(taken)]


def _taken(dice: Dice, spec: Object, device: Object, number: int) -> Object:
    result = {"driver": spec["driver"], "pool": spec["pool"]["name"]}
    result |= {"request": "other", "device": device["name"]}
    if not device.get("allowMultipleAllocations"):
        return {**result, "adminAccess": True} if dice.seldom() else result
    result["shareID"] = f"00000000-0000-0000-0000-{number:012}"
    if "capacity" in device:
        result["consumedCapacity"] = {"memory": dice.pick("1Gi", "2Gi", "6Gi")}
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
    return [_claim(dice, "claim-0", dice.number(1, 2)), _claim(dice, "claim-1", 1)]


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
    return {**wanted, "cores": dice.pick("1", "1600m")} if dice.seldom() else wanted


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

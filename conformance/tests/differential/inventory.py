"""Slices by chance: pools, generations, devices and what is special about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Object = dict[str, Any]

DRIVERS = ("a.example.com", "b.example.com")
CONDITIONS = ("example.com/attached", "example.com/ready")


class Dice:
    """Chance of any source: ``roll(n)`` gives a number from 0 to n - 1, and 0 is the plainest."""

    def __init__(self, roll: Callable[[int], int]) -> None:
        self._roll = roll

    def often(self) -> bool:
        return self._roll(4) != 0

    def half(self) -> bool:
        return self._roll(2) == 1

    def seldom(self) -> bool:
        return self._roll(8) == 7

    def rarely(self) -> bool:
        return self._roll(30) == 29

    def hardly(self) -> bool:
        return self._roll(200) == 199

    def number(self, low: int, high: int) -> int:
        return low + self._roll(high - low + 1)

    def pick(self, *options: Any) -> Any:
        return options[self._roll(len(options))]

    def some(self, options: tuple[Any, ...]) -> list[Any]:
        return [one for one in options if self.half()]


def slices(dice: Dice) -> list[Object]:
    """Return the slices of some pools, in any order of their names."""
    found: list[Object] = []
    for driver in DRIVERS[: dice.number(1, 2)]:
        for pool in ("east", "west") if dice.seldom() else ("east",):
            found += _pool(dice, driver, pool, len(found))
    return found[::-1] if dice.half() else found


def _pool(dice: Dice, driver: str, pool: str, first: int) -> list[Object]:
    size = dice.pick(1, 2, 2, 3)
    count = size + 1 if dice.rarely() else size
    counted, replaced = dice.seldom() or dice.seldom(), dice.rarely()
    found: list[Object] = []
    for index in range(size):
        name = f"{dice.pick('m', 'd', 'x')}-{first + index}"
        generation = dice.number(1, 2) if replaced else 1
        spec: Object = {
            "driver": driver,
            "pool": {"name": pool, "generation": generation, "resourceSliceCount": count},
        }
        if dice.hardly():
            spec["pool"]["resourceSliceCount"] = dice.number(1, 2)
        if counted and index == 0:
            spec |= {**_place(dice), "sharedCounters": _counter_sets(dice)}
        else:
            spec |= _filled(dice, first + index, counted=counted)
        found.append({"metadata": {"name": name}, "spec": spec})
    return found


def _filled(dice: Dice, index: int, *, counted: bool) -> Object:
    spec: Object = {"perDeviceNodeSelection": True} if dice.seldom() else _place(dice)
    groups = ("group-1", "group-2", "group-3") if counted and dice.half() else ()
    devices = [
        _device(dice, f"dev-{0 if dice.hardly() else index}-{number}", counted=counted)
        for number in range(dice.number(1, 3))
    ]
    for device in devices:
        for consumption in device.get("consumesCounters", []):
            if chosen := dice.some(groups)[:2]:
                consumption["compatibilityGroups"] = chosen
    if "perDeviceNodeSelection" in spec:
        devices = [{**device, **_place(dice)} for device in devices]
    spec["devices"] = devices
    if dice.seldom():
        spec["skipNodeOperations"] = [dice.pick("NodePrepareResources", "NodeUnprepareResources")]
    return spec


def _place(dice: Dice) -> Object:
    return dice.pick(
        {"nodeName": "node-1"},
        {"allNodes": True},
        {"nodeSelector": {"nodeSelectorTerms": [_term(dice)]}},
        {"allNodes": True} if dice.half() else {"nodeName": "node-2"},
    )


def _term(dice: Dice) -> Object:
    zone = {"key": "zone", "operator": "In", "values": ["there" if dice.seldom() else "here"]}
    if dice.half():
        zone["values"] = [*zone["values"], "elsewhere"][:: dice.pick(1, -1)]
    if not dice.seldom():
        return {"matchExpressions": [zone]}
    more = dice.pick(
        {"key": "zone", "operator": "Exists"},
        {"key": "cores", "operator": "Gt", "values": [dice.pick("7", "8")]},
        {"key": "broken", "operator": "DoesNotExist"},
        {"key": "zone", "operator": "NotIn", "values": ["there"]},
    )
    term: Object = {"matchExpressions": [zone, more]}
    if dice.seldom():
        field = {"key": "metadata.name", "operator": "In", "values": ["node-1"]}
        term["matchFields"] = [field]
    return term


def crowd(dice: Dice) -> list[Object]:
    """Return so many devices that only the size of a result can be too small."""
    devices = [{"name": f"dev-{number}"} for number in range(70)]
    pool = {"name": "crowd", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": dice.pick(*DRIVERS), "pool": pool, "allNodes": True, "devices": devices}
    return [{"metadata": {"name": "crowd"}, "spec": spec}]


def _counter_sets(dice: Dice) -> list[Object]:
    return [
        {
            "name": name,
            "counters": {
                "memory": {"value": dice.pick("4Gi", "8Gi")},
                "slots": {"value": dice.pick("2", "3")},
            },
        }
        for name in ("counters-1", "counters-2")[: dice.number(1, 2)]
    ]


def _consumption(dice: Dice) -> Object:
    counters: Object = {"memory": {"value": dice.pick("1Gi", "2Gi", "4Gi")}}
    if dice.half():
        counters["slots"] = {"value": dice.pick("1", "2")}
    consumption: Object = {"counterSet": "counters-1", "counters": counters}
    if dice.rarely():
        consumption["counterSet"] = "counters-2"
    return consumption


def _consumptions(dice: Dice) -> list[Object]:
    found = [_consumption(dice)]
    if dice.seldom():
        other = {"counterSet": "counters-2", "counters": {"slots": {"value": "1"}}}
        found = [{**found[0], "counterSet": "counters-1"}, other]
    return found


def _device(dice: Dice, name: str, *, counted: bool) -> Object:
    device: Object = {"name": name, "attributes": _attributes(dice)}
    if dice.half():
        device["capacity"] = _capacity(dice)
        device["allowMultipleAllocations"] = dice.half()
    elif dice.seldom():
        device["allowMultipleAllocations"] = True
    if counted and dice.often():
        device["consumesCounters"] = _consumptions(dice)
    if dice.seldom():
        device["taints"] = [_taint(dice) for _ in range(dice.number(1, 2))]
    if dice.seldom():
        device["bindingConditions"] = dice.some(CONDITIONS) or [CONDITIONS[0]]
        device["bindingFailureConditions"] = ["example.com/failed"]
        device["bindsToNode"] = dice.half()
    return device


def _attributes(dice: Dice) -> Object:
    found: Object = {}
    if dice.often():
        found["model"] = {"string": dice.pick("big", "small")}
    elif dice.seldom():
        # Beside "model" upstream's expressions would see the one or the other by chance.
        found["a.example.com/model"] = {"string": "big"}
    if dice.often():
        found["index"] = {"int": dice.number(0, 2)}
    if dice.half():
        found["common.example.com/numa"] = dice.pick(
            {"int": 0}, {"int": 1}, {"string": "0"}, {"bool": False}
        )
    if dice.half():
        found["firmware"] = {"version": dice.pick("1.2.0", "1.10.0", "1.2.0-rc.1")}
    if dice.half():
        found["common.example.com/links"] = _links(dice)
    return found


def _links(dice: Dice) -> Object:
    """Return a list, or one value where others have lists."""
    numbers = [one for one in range(3) if dice.half()]
    return dice.pick(
        {"ints": numbers},
        {"ints": numbers},
        {"int": 1},
        {"strings": [f"link-{one}" for one in numbers]},
        {"versions": ["1.2.0", "1.10.0"][: dice.number(1, 2)]},
        {"bools": [True, False][: dice.number(1, 2)]},
    )


def _taint(dice: Dice) -> Object:
    taint = {
        "key": dice.pick("example.com/broken", "example.com/busy"),
        "effect": "Reboot" if dice.hardly() else dice.pick("NoSchedule", "NoExecute", "None"),
    }
    if dice.half():
        taint["value"] = dice.pick("yes", "no")
    return taint


def _capacity(dice: Dice) -> Object:
    capacity: Object = {"memory": {"value": dice.pick("4Gi", "8Gi", "10Gi")}}
    if dice.half():
        capacity["memory"]["requestPolicy"] = _policy(dice)
    if dice.seldom():
        capacity["cores"] = {"value": dice.pick("4", "2500m")}
        if dice.half():
            span = {"min": "500m", "step": dice.pick("250m", "1", "1")}
            if dice.seldom():
                span = {
                    "min": dice.pick("500m", "500u"),
                    "step": dice.pick("500u", "250m", "1500m"),
                }
            if dice.seldom():
                span["max"] = dice.pick("9", "100Pi", "9Ei")
            capacity["cores"]["requestPolicy"] = {"default": "1500m", "validRange": span}
    return capacity


def _policy(dice: Dice) -> Object:
    span: Object = {"min": dice.pick("1Gi", "2Gi")}
    if dice.half():
        span["max"] = dice.pick("4Gi", "3Gi")
    if dice.half():
        span["step"] = "1Gi"
    return dice.pick(
        {"default": "2Gi", "validRange": span},
        {"default": "2Gi", "validValues": ["1Gi", "2Gi", "4Gi"]},
        {"default": "1Gi"},
    )

"""Taints of devices, by their slices and by rules, and their tolerations (KEP-5055)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from conformance.kube.objects import Object

#: Other effects, such as ``None`` and ones still unknown, prevent nothing.
_PREVENTING = frozenset({"NoSchedule", "NoExecute"})


def prevents(device: Object, tolerations: Iterable[Object]) -> bool:
    """Return whether a taint of the device is not tolerated."""
    tolerated = list(tolerations)
    return any(
        taint.get("effect") in _PREVENTING and not any(tolerates(one, taint) for one in tolerated)
        for taint in device.get("taints") or []
    )


def tolerates(toleration: Object, taint: Object) -> bool:
    """Return whether the toleration covers the taint; an empty key or effect covers any."""
    for field in ("effect", "key"):
        if toleration.get(field) and toleration[field] != taint.get(field):
            return False
    operator = toleration.get("operator") or "Equal"
    if operator == "Equal":
        return (toleration.get("value") or "") == (taint.get("value") or "")
    return operator == "Exists"


def rule_selects(rule: Object, device: Object) -> bool:
    """Return whether a DeviceTaintRule taints a device, given as driver, pool and device.

    All criteria must match; the empty selector selects every device, none at all selects none.
    """
    selector = rule["spec"].get("deviceSelector")
    if selector is None:
        return False
    return all(selector.get(one) in (None, device[one]) for one in ("driver", "pool", "device"))


def with_rules(slices: Iterable[Object], rules: Sequence[Object]) -> list[Object]:
    """Return the slices with the taints of the rules after those that their drivers gave."""
    return [_tainted(one, rules) for one in slices]


def _tainted(one: Object, rules: Sequence[Object]) -> Object:
    spec = one["spec"]
    pool = {"driver": spec["driver"], "pool": spec["pool"]["name"]}
    devices: list[Object] = []
    for device in spec.get("devices") or []:
        place = {**pool, "device": device["name"]}
        added = [rule["spec"]["taint"] for rule in rules if rule_selects(rule, place)]
        before = device.get("taints") or []
        devices.append({**device, "taints": [*before, *added]} if added else device)
    if all(new is old for new, old in zip(devices, spec.get("devices") or [], strict=True)):
        return one
    return {**one, "spec": {**spec, "devices": devices}}

"""Conversations by chance: several managers apply, update and force parts of three objects.

The same seed draws the same conversation, so that a recording of it stays good.
"""

from __future__ import annotations

import random
from typing import Any

from conformance.tests.differential.transcripts.script import TYPES, Script, Step

SEEDS = range(8)
_STEPS = 30

_CLAIM = "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims"
_MAPS = "/api/v1/namespaces/{ns}/configmaps"
_PODS = "/api/v1/namespaces/{ns}/pods"

_MANAGERS = ("a", "b", "c")
_VERSIONS = {"ConfigMap": "v1", "Pod": "v1", "ResourceClaim": "resource.k8s.io/v1"}


def scripts() -> list[Script]:
    """Return the conversation of every seed."""
    return [_script(seed) for seed in SEEDS]


def _script(seed: int) -> Script:
    dice = random.Random(seed)
    drawn = [_draw(dice, number) for number in range(_STEPS)]
    return Script(name=f"drawn-{seed}", gates="default", steps=(*_begin(), *drawn))


def _begin() -> list[Step]:
    request = {"name": "r", "exactly": {"deviceClassName": "c", "count": 2}}
    devices = [
        {"request": "r", "driver": f"{one}.example.com", "pool": "p", "device": "d"}
        for one in ("x", "y")
    ]
    return [
        _post(_CLAIM, _named("ResourceClaim", spec={"devices": {"requests": [request]}})),
        Step(
            say="allocate it",
            do=f"PATCH {_CLAIM}/o/status?fieldManager=scheduler",
            type=TYPES["merge"],
            body={"status": {"allocation": {"devices": {"results": devices}}}},
            show=("metadata.managedFields",),
        ),
        _post(_MAPS, _named("ConfigMap")),
        _post(
            _PODS,
            _named(
                "Pod",
                spec={
                    "nodeName": "nowhere",
                    "containers": [{"name": "c", "image": "i"}],
                    "resourceClaims": [
                        {"name": name, "resourceClaimTemplateName": "t"} for name in ("k", "l")
                    ],
                },
            ),
        ),
    ]


def _post(path: str, body: dict[str, Any]) -> Step:
    return Step(
        say=f"create a {body['kind']}",
        do=f"POST {path}?fieldManager=maker",
        body=body,
        show=("metadata.managedFields",),
    )


def _named(kind: str, **rest: Any) -> dict[str, Any]:
    return {"apiVersion": _VERSIONS[kind], "kind": kind, "metadata": {"name": "o"}, **rest}


def _draw(dice: random.Random, number: int) -> Step:
    kind, path, body = dice.choice((_claim_status, _meta, _map, _pod_status))(dice)
    manager = dice.choice(_MANAGERS)
    if dice.random() < 0.6:
        force = dice.choice(("", "", "&force=true"))
        form, sent = "apply", {**_named(kind), **body}
        sent["metadata"] = {"name": "o", **body.get("metadata", {})}
    else:
        force, form, sent = "", dice.choice(("merge", "strategic")), body
    return Step(
        say=f"{number}: {manager} {form}s{' by force' if force else ''} to {kind}",
        do=f"PATCH {path}?fieldManager={manager}{force}",
        type=TYPES[form],
        body=sent,
        show=("metadata.managedFields", "metadata.labels", "metadata.finalizers", *_SHOWN[kind]),
    )


_SHOWN = {
    "ConfigMap": ("data",),
    "ResourceClaim": ("status.devices", "status.reservedFor", "metadata.ownerReferences"),
    "Pod": ("status.resourceClaimStatuses", "status.conditions"),
}


def _some(dice: random.Random, items: list[Any]) -> list[Any]:
    return dice.sample(items, dice.randrange(len(items) + 1))


def _claim_status(dice: random.Random) -> tuple[str, str, dict[str, Any]]:
    status: dict[str, Any] = {}
    devices = [
        {"driver": f"{one}.example.com", "pool": "p", "device": "d", **_of_device(dice)}
        for one in _some(dice, ["x", "y"])
    ]
    consumers = [
        {"resource": "pods", "name": f"p{one}", "uid": one} for one in _some(dice, ["u", "v", "w"])
    ]
    if dice.random() < 0.8:
        status["devices"] = devices
    if dice.random() < 0.4:
        status["reservedFor"] = consumers
    return "ResourceClaim", f"{_CLAIM}/o/status", {"status": status}


def _of_device(dice: random.Random) -> dict[str, Any]:
    device: dict[str, Any] = {}
    if dice.random() < 0.6:
        device["data"] = {"n": dice.randrange(3)}
    if dice.random() < 0.5:
        device["networkData"] = dice.choice(
            (
                {"interfaceName": "eth0"},
                {"ips": ["10.0.0.1/8"]},
                {"interfaceName": "eth1", "hardwareAddress": "aa"},
            )
        )
    if dice.random() < 0.5:
        device["conditions"] = [
            {
                "type": one,
                "status": dice.choice(("True", "False")),
                "reason": "R",
                "message": "m",
                "lastTransitionTime": "2020-01-01T00:00:00Z",
            }
            for one in _some(dice, ["Ready", "Up"])
        ]
    return device


def _meta(dice: random.Random) -> tuple[str, str, dict[str, Any]]:
    meta: dict[str, Any] = {
        "labels": {one: dice.choice(("1", "2")) for one in _some(dice, ["a", "b", "c"])}
    }
    if dice.random() < 0.6:
        meta["finalizers"] = [f"example.com/{one}" for one in _some(dice, ["a", "b", "c"])]
    if dice.random() < 0.4:
        meta["ownerReferences"] = [
            {"apiVersion": "v1", "kind": "ConfigMap", "name": one, "uid": one}
            for one in _some(dice, ["m", "n"])
        ]
    return "ResourceClaim", f"{_CLAIM}/o", {"metadata": meta}


def _map(dice: random.Random) -> tuple[str, str, dict[str, Any]]:
    data = {one: dice.choice(("1", "2", "3")) for one in _some(dice, ["a", "b", "c", "d"])}
    return "ConfigMap", f"{_MAPS}/o", {"data": data}


def _pod_status(dice: random.Random) -> tuple[str, str, dict[str, Any]]:
    status: dict[str, Any] = {
        "resourceClaimStatuses": [
            {"name": one, "resourceClaimName": dice.choice(("one", "two"))}
            for one in _some(dice, ["k", "l"])
        ]
    }
    if dice.random() < 0.5:
        status["conditions"] = [
            {"type": one, "status": dice.choice(("True", "False"))}
            for one in _some(dice, ["example.com/A", "example.com/B"])
        ]
    return "Pod", f"{_PODS}/o/status", {"status": status}

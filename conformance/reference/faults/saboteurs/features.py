"""How a cluster can be wrong about the advanced features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.saboteurs import altering
from conformance.reference.faults.seams import Saboteur


def _last_first(request: Object) -> None:
    if request.get("firstAvailable"):
        request["firstAvailable"].reverse()


def _ordinary(request: Object) -> None:
    (request.get("exactly") or {}).pop("adminAccess", None)


def _allows(*_: Any) -> list[Any]:
    return []


def _without_counters(device: Object) -> None:
    device.pop("consumesCounters", None)


def _larger(device: Object) -> None:
    if device.get("allowMultipleAllocations"):
        for capacity in (device.get("capacity") or {}).values():
            capacity["value"] = f"9{capacity['value']}"


def _without_taints(device: Object) -> None:
    device.pop("taints", None)


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-prefers-the-last-alternative": altering.requests(_last_first),
    "scheduler-overlooks-admin-access": altering.requests(_ordinary),
    "apiserver-allows-admin-access-everywhere": _allows,
    "scheduler-ignores-counters": altering.devices(_without_counters),
    "scheduler-believes-in-more-capacity": altering.devices(_larger),
    "scheduler-ignores-device-taints": altering.devices(_without_taints),
}

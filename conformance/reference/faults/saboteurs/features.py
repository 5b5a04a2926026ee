"""How a cluster can be wrong about the advanced features."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur


def _on_requests(change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that allocates for requests that were changed so."""

    def saboteur(real: Any, claims: Any, **view: Any) -> Any:
        changed = copy.deepcopy(list(claims))
        for claim in changed:
            for request in claim["spec"]["devices"].get("requests") or []:
                change(request)
        return real(changed, **view)

    return saboteur


def _on_devices(change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that allocates from devices that were changed so."""

    def saboteur(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
        changed = copy.deepcopy(list(slices))
        for one in changed:
            for device in one["spec"].get("devices") or []:
                change(device)
        return real(claims, slices=changed, **view)

    return saboteur


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
    "scheduler-prefers-the-last-alternative": _on_requests(_last_first),
    "scheduler-overlooks-admin-access": _on_requests(_ordinary),
    "apiserver-allows-admin-access-everywhere": _allows,
    "scheduler-ignores-counters": _on_devices(_without_counters),
    "scheduler-believes-in-more-capacity": _on_devices(_larger),
    "scheduler-ignores-device-taints": _on_devices(_without_taints),
}

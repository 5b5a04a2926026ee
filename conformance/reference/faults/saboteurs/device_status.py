"""How an API server can be wrong about status.devices of a claim."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur


def _takes_any(real: Any, *arguments: Any) -> list[Any]:
    return [error for error in real(*arguments) if not error.path.startswith("status.devices")]


def _keeps_entries(real: Any, resource: Any, new: Object, old: Object, *rest: Any) -> None:
    told = copy.deepcopy((new.get("status") or {}).get("devices"))
    real(resource, new, old, *rest)
    if told and "status" in new:
        new["status"]["devices"] = told


def _knows_no_gate(
    real: Any, resource: Any, new: Object, old: Object, features: Any, *rest: Any
) -> None:
    told = copy.deepcopy((new.get("status") or {}).get("devices"))
    real(resource, new, old, features, *rest)
    if told and not features.enabled("DRAResourceClaimDeviceStatus"):
        new["status"]["devices"] = told


def _drops_network_data(real: Any, resource: Any, new: Object, old: Object, *rest: Any) -> None:
    real(resource, new, old, *rest)
    for row in (new.get("status") or {}).get("devices") or []:
        row.pop("networkData", None)


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-takes-any-device-status": _takes_any,
    "apiserver-keeps-the-status-of-released-devices": _keeps_entries,
    "apiserver-stores-device-status-without-the-gate": _knows_no_gate,
    "apiserver-drops-network-data": _drops_network_data,
}

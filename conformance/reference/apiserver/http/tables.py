"""What ``kubectl get`` prints: columns and cells for the kinds that people look at."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from conformance.kube import conditions, times
from conformance.kube.objects import Object

_Cell = Callable[[Object], Any]


def columns(plural: str) -> list[Object]:
    """Return the column definitions of a resource."""
    names = ["Name", *_COLUMNS.get(plural, {}), "Age"]
    return [
        {
            "name": name,
            "type": "string",
            "format": "name" if name == "Name" else "",
            "description": "",
            "priority": 0,
        }
        for name in names
    ]


def rows(plural: str, items: list[Object], now: datetime) -> list[list[Any]]:
    """Return the cells of every object, in the order of the columns."""
    cells = _COLUMNS.get(plural, {}).values()
    return [
        [obj["metadata"]["name"], *(cell(obj) for cell in cells), _age(obj, now)] for obj in items
    ]


def _ready(pod: Object) -> str:
    statuses = pod.get("status", {}).get("containerStatuses", [])
    ready = sum(1 for row in statuses if row.get("ready"))
    return f"{ready}/{len(pod['spec']['containers'])}"


def _restarts(pod: Object) -> str:
    statuses = pod.get("status", {}).get("containerStatuses", [])
    return str(sum(row.get("restartCount", 0) for row in statuses))


def _pod_status(pod: Object) -> str:
    if "deletionTimestamp" in pod["metadata"]:
        return "Terminating"
    phase = pod.get("status", {}).get("phase", "Unknown")
    return "Completed" if phase == "Succeeded" else phase


def _node_status(node: Object) -> str:
    is_ready = conditions.is_true(node.get("status", {}).get("conditions"), "Ready")
    cordoned = ",SchedulingDisabled" if node.get("spec", {}).get("unschedulable") else ""
    return ("Ready" if is_ready else "NotReady") + cordoned


def _claim_state(claim: Object) -> str:
    status = claim.get("status", {})
    states: list[str] = []
    if "deletionTimestamp" in claim["metadata"]:
        states.append("deleted")
    if "allocation" not in status:
        return ",".join([*states, "pending"])
    states.append("allocated")
    if status.get("reservedFor"):
        states.append("reserved")
    return ",".join(states)


def _at(*path: str) -> _Cell:
    def cell(obj: Object) -> Any:
        value: Any = obj
        for step in path:
            value = value.get(step, {})
        return value if isinstance(value, str) else ""

    return cell


_COLUMNS: dict[str, dict[str, _Cell]] = {
    "pods": {"Ready": _ready, "Status": _pod_status, "Restarts": _restarts},
    "nodes": {"Status": _node_status, "Version": _at("status", "nodeInfo", "kubeletVersion")},
    "namespaces": {"Status": _at("status", "phase")},
    "resourceclaims": {"State": _claim_state},
    "resourceslices": {
        "Node": _at("spec", "nodeName"),
        "Driver": _at("spec", "driver"),
        "Pool": _at("spec", "pool", "name"),
    },
    "events": {
        "Type": _at("type"),
        "Reason": _at("reason"),
        "Object": _at("involvedObject", "name"),
        "Message": _at("message"),
    },
}


def _age(obj: Object, now: datetime) -> str:
    created = obj["metadata"].get("creationTimestamp")
    if not created:
        return "<unknown>"
    seconds = int((now - times.parse(created)).total_seconds())
    for limit, size, unit in ((120, 1, "s"), (7200, 60, "m"), (172800, 3600, "h")):
        if seconds < limit:
            return f"{max(0, seconds) // size}{unit}"
    return f"{seconds // 86400}d"

"""A Pod's status as the kubelet reads it off its containers: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import attrs

from conformance.kube.objects import Object
from conformance.kube.times import format_time
from conformance.reference.kubelet.runtime.containers import Container

PENDING = "Pending"
RUNNING = "Running"
SUCCEEDED = "Succeeded"
FAILED = "Failed"

#: The address that every Pod and node of the reference has.
HOST_IP = "127.0.0.1"


@attrs.frozen(kw_only=True)
class Seen:
    """One container of a Pod: its spec, and its record or why there is none."""

    spec: Object
    record: Container | None
    waiting: str = "ContainerCreating"
    message: str = ""


def restarts(policy: str, record: Container) -> bool:
    """Tell whether a container that ended is to be started again."""
    if policy == "Always":
        return True
    return policy == "OnFailure" and record.exit_code != 0


def phase_of(pod: Object, inits: Sequence[Seen], containers: Sequence[Seen], now: datetime) -> str:
    """Return the Pod's phase."""
    if pod["spec"].get("restartPolicy") == "Never" and any(map(_failed(now), inits)):
        return FAILED
    return _phase_of_containers(pod, containers, now)


def _failed(now: datetime) -> Callable[[Seen], bool]:
    def failed(seen: Seen) -> bool:
        record = seen.record
        return record is not None and not record.is_running(now) and record.exit_code != 0

    return failed


def _phase_of_containers(pod: Object, containers: Sequence[Seen], now: datetime) -> str:
    records = [seen.record for seen in containers]
    if any(record is None for record in records):
        return RUNNING if any(record for record in records) else PENDING
    ended = [record for record in records if record and not record.is_running(now)]
    policy = pod["spec"].get("restartPolicy", "Always")
    deleted = bool(pod["metadata"].get("deletionTimestamp"))
    over = [record for record in ended if deleted or not restarts(policy, record)]
    if len(over) < len(records):
        return RUNNING
    return FAILED if any(record.exit_code for record in over) else SUCCEEDED


def container_status(seen: Seen, now: datetime, entries: list[Object]) -> Object:
    """Return the status of one container; ``entries`` are its device health entries."""
    record = seen.record
    running = record is not None and record.is_running(now)
    status: Object = {
        "name": seen.spec["name"],
        "image": seen.spec.get("image", ""),
        "imageID": "",
        "ready": running,
        "started": running,
        "restartCount": record.restarts if record else 0,
        "state": _state(seen, now),
        "lastState": {},
    }
    if record:
        status["imageID"] = f"{record.image}@reference"
        status["containerID"] = record.container_id
    if entries:
        status["allocatedResourcesStatus"] = entries
    return status


def conditions(
    old: Sequence[Object], wanted: Mapping[str, bool], reason: str, now: datetime
) -> list[Object]:
    """Return the conditions with the wanted ones set; others stay, unchanged ones too."""
    result = [dict(condition) for condition in old if condition["type"] not in wanted]
    known = {condition["type"]: condition for condition in old}
    for kind, value in wanted.items():
        status = "True" if value else "False"
        before = known.get(kind)
        kept = before is not None and before["status"] == status
        since = before.get("lastTransitionTime") if before and kept else None
        entry: Object = {
            "type": kind,
            "status": status,
            "lastProbeTime": None,
            "lastTransitionTime": since or format_time(now),
        }
        if not value and reason:
            entry["reason"] = reason
        result.append(entry)
    return sorted(result, key=lambda one: str(one["type"]))


def pod_status(
    pod: Object,
    containers: Sequence[Seen],
    inits: Sequence[Seen],
    *,
    phase: str,
    now: datetime,
    entries: Callable[[Object], list[Object]],
) -> Object:
    """Return what the kubelet has to say in ``status``."""
    old = pod.get("status", {})
    initialized = all(seen.record is not None and not seen.record.is_running(now) for seen in inits)
    ready = all(seen.record is not None and seen.record.is_running(now) for seen in containers)
    begun = any(seen.record for seen in [*inits, *containers])
    wanted = {
        "PodReadyToStartContainers": begun and phase not in {SUCCEEDED, FAILED},
        "Initialized": initialized,
        "Ready": ready,
        "ContainersReady": ready,
        "PodScheduled": True,
    }
    reason = "PodCompleted" if phase == SUCCEEDED else "ContainersNotReady"
    status: Object = {
        "phase": phase,
        "conditions": conditions(old.get("conditions") or [], wanted, reason, now),
        "hostIP": HOST_IP,
        "hostIPs": [{"ip": HOST_IP}],
        "startTime": old.get("startTime") or format_time(now),
        "containerStatuses": [
            container_status(seen, now, entries(seen.spec)) for seen in containers
        ],
    }
    if begun:
        status["podIP"] = HOST_IP
        status["podIPs"] = [{"ip": HOST_IP}]
    if inits:
        status["initContainerStatuses"] = [container_status(seen, now, []) for seen in inits]
    return status


def _state(seen: Seen, now: datetime) -> Object:
    record = seen.record
    if record is None:
        waiting = {"reason": seen.waiting}
        return {"waiting": {**waiting, "message": seen.message} if seen.message else waiting}
    started = format_time(record.started)
    if record.is_running(now):
        return {"running": {"startedAt": started}}
    return {
        "terminated": {
            "exitCode": record.exit_code,
            "reason": "Completed" if record.exit_code == 0 else "Error",
            "startedAt": started,
            "finishedAt": format_time(record.ends or now),
            "containerID": record.container_id,
        }
    }

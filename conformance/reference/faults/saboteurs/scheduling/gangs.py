"""How the Pods of a group that go together can be wronged."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur
from conformance.reference.podclaims import group_name


def _one_is_enough(*_: Any) -> int:
    return 1


def _all_of_them(real: Any, group: Object, present: int) -> int:
    """Want every Pod of a gang that there is, and no fewer than the gang asks for."""
    asked = real(group, present)
    return max(asked, present) if group["spec"]["schedulingPolicy"].get("gang") else asked


def _gives_up(real: Any, pod: Object, scheduler: str) -> bool:
    """Leave a Pod alone that was refused because of its group."""
    said = (pod.get("status") or {}).get("conditions") or []
    messages = [one.get("message") or "" for one in said]
    return not any("pod group" in one for one in messages) and real(pod, scheduler)


def _undecided(_real: Any, claim: Object, _decided: Mapping[str, Object]) -> Object:
    return claim


def _keeps_in_flight(real: Any, pod: Object, placement: Any) -> None:
    real(pod, attrs.evolve(placement, allocations={}))


def _keeps_the_unavailable(
    real: Any, group: Object, running: int, unavailable: Sequence[Object], own: Sequence[Object]
) -> Object | None:
    return None if unavailable else real(group, running, unavailable, own)


def _keeps_its_own(
    real: Any, group: Object, running: int, unavailable: Sequence[Object], _own: Sequence[Object]
) -> Object | None:
    return real(group, running, unavailable, [])


def _heeds_no_pod(
    real: Any, group: Object, running: int, unavailable: Sequence[Object], own: Sequence[Object]
) -> Object | None:
    return real(group, 0 if unavailable else running, unavailable, own)


def _keeps_the_broken(
    real: Any, group: Object, running: int, unavailable: Sequence[Object], own: Sequence[Object]
) -> Object | None:
    if any(claim["status"].get("devices") for claim in unavailable):
        return None
    return real(group, running, unavailable, own)


def _takes_from_everybody(
    real: Any, group: Object, running: int, unavailable: Sequence[Object], own: Sequence[Object]
) -> Object | None:
    freed = [{**one, "status": {**one["status"], "reservedFor": []}} for one in unavailable]
    return real(group, running, freed, own)


def _keeps_what_is_somewhere(
    real: Any, group: Object, running: int, unavailable: Sequence[Object], own: Sequence[Object]
) -> Object | None:
    """Leave everything as it is where a claim is allocated where there may be a node."""
    useful = [
        one
        for one in unavailable
        if "nodeSelector" in one["status"]["allocation"]
        and '"nowhere"' not in json.dumps(one["status"]["allocation"])
    ]
    return None if useful and not running else real(group, running, unavailable, own)


def _overlooks_the_placed(real: Any, pod: Object, plural: str, *event: Any) -> bool:
    return not (plural == "pods" and group_name(pod)) and real(pod, plural, *event)


def _calls_it_pending(real: Any, group: Object, reason: str, message: str, now: str) -> Any:
    return real(group, "Pending" if reason == "Unschedulable" else reason, message, now)


def _says_it_once(real: Any, group: Object, reason: str, message: str, now: str) -> Any:
    said = (group.get("status") or {}).get("conditions")
    return None if said else real(group, reason, message, now)


def _takes_it_back(real: Any, group: Object, reason: str, message: str, now: str) -> Any:
    return real({**group, "status": {}}, reason, message, now)


def _overlooks_changes(real: Any, pod: Object, plural: str, *event: Any) -> bool:
    """Notice new groups, and no change of one."""
    old = event[-1]
    changed = plural == "podgroups" and old is not None and bool(group_name(pod))
    return not changed and real(pod, plural, *event)


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-knows-no-gangs": _one_is_enough,
    "scheduler-gives-gangs-up": _gives_up,
    "scheduler-wants-all-pods-of-a-gang": _all_of_them,
    "scheduler-lets-nobody-join-a-claim": _undecided,
    "scheduler-holds-devices-for-gangs": _keeps_in_flight,
    "scheduler-keeps-what-a-group-cannot-reach": _keeps_the_unavailable,
    "scheduler-keeps-claims-of-groups-that-go-nowhere": _keeps_its_own,
    "scheduler-takes-claims-from-groups-with-pods": _heeds_no_pod,
    "scheduler-calls-groups-without-devices-pending": _calls_it_pending,
    "scheduler-corrects-nothing-of-groups": _says_it_once,
    "scheduler-forgets-that-groups-were-scheduled": _takes_it_back,
    "scheduler-overlooks-changes-of-groups": _overlooks_changes,
    "scheduler-overlooks-pods-that-come-placed": _overlooks_the_placed,
    "scheduler-keeps-broken-devices-for-groups": _keeps_the_broken,
    "scheduler-keeps-what-some-pod-could-use": _keeps_what_is_somewhere,
    "scheduler-takes-claims-from-everybody": _takes_from_everybody,
}

"""How a scheduler can choose between alternatives wrongly, each time in one case alone."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from conformance.kube.objects import Object
from conformance.reference.faults.saboteurs import altering
from conformance.reference.faults.seams import Saboteur

#: Changes the allocation of a claim, given with its requests; false gives it up.
_Change: TypeAlias = Callable[[Object, list[Object], list[Object]], bool]


def _requests(claim: Object) -> list[Object]:
    return claim["spec"]["devices"].get("requests") or []


def _alternatives(request: Object) -> list[Object]:
    return request.get("firstAvailable") or []


def _names(request: Object) -> list[str]:
    return [one["name"] for one in _alternatives(request)]


def _found(change: _Change) -> Saboteur:
    """Return a saboteur that changes what is found for claims with alternatives."""

    def saboteur(real: Any, claims: Any, **view: Any) -> Any:
        found = copy.deepcopy(real(claims, **view))
        for claim, allocation in zip(claims, found or (), strict=False):
            requests = _requests(claim)
            rows: list[Object] = allocation["devices"].get("results") or []
            if any(map(_alternatives, requests)) and not change(claim, requests, rows):
                return None
        return found

    return saboteur


def _is_first(request: Object, rows: list[Object]) -> bool:
    """Return whether a request got its first alternative."""
    return any(row["request"] == f"{request['name']}/{_names(request)[0]}" for row in rows)


def _nothing(real: Any, claims: Any, **view: Any) -> Any:
    found = real(claims, **view)
    requests = [one for claim in claims for one in _requests(claim)]
    if found is None and len(requests) == 1 and _alternatives(requests[0]):
        return [{"devices": {"results": []}}]
    return found


def _one_of_two(request: Object) -> None:
    for one in _alternatives(request):
        if one.get("count") == 2:
            one["count"] = 1


def _one_of_all(_: Object, requests: list[Object], rows: list[Object]) -> bool:
    first = _alternatives(requests[0])
    if first and first[0].get("allocationMode") == "All" and _is_first(requests[0], rows):
        del rows[1:]
    return True


def _stops_at_all(_: Object, requests: list[Object], rows: list[Object]) -> bool:
    first = _alternatives(requests[0])
    wants_all = bool(first) and first[0].get("allocationMode") == "All"
    return not wants_all or _is_first(requests[0], rows)


def _swaps(_: Object, requests: list[Object], rows: list[Object]) -> bool:
    if len(requests) == len(rows) == 2 and _names(requests[0]) == _names(requests[1]):
        rows[0]["device"], rows[1]["device"] = rows[1]["device"], rows[0]["device"]
    return True


def _insists(claim: Object, requests: list[Object], rows: list[Object]) -> bool:
    if claim["spec"]["devices"].get("constraints") or not all(map(_alternatives, requests)):
        return True
    if len({tuple(_names(one)) for one in requests}) < 2:
        return True
    return _is_first(requests[0], rows)


def _tolerant(request: Object) -> None:
    tolerated = [row for one in _alternatives(request) for row in one.get("tolerations") or []]
    for one in _alternatives(request) if tolerated else ():
        one["tolerations"] = tolerated


def _too_much(_: Object, requests: list[Object], rows: list[Object]) -> bool:
    return not any(
        _alternatives(one)[0].get("count", 1) > 12 and not _is_first(one, rows)
        for one in requests
        if _alternatives(one)
    )


def _unconstrained(claim: Object) -> None:
    devices = claim["spec"]["devices"]
    devices["constraints"] = [
        one
        for one in devices.get("constraints") or []
        if any("/" in name for name in one.get("requests") or [])
    ]


def _constrained(claim: Object) -> None:
    for one in claim["spec"]["devices"].get("constraints") or []:
        one["requests"] = [name.partition("/")[0] for name in one.get("requests") or []]


def _every_configuration(real: Any, claims: Any, **view: Any) -> Any:
    found = copy.deepcopy(real(claims, **view))
    for claim, allocation in zip(claims, found or (), strict=False):
        wanted = claim["spec"]["devices"].get("config") or []
        if any(map(_alternatives, _requests(claim))) and wanted:
            rows = [{**copy.deepcopy(one), "source": "FromClaim"} for one in wanted]
            allocation["devices"]["config"] = rows
    return found


def _every_class(real: Any, claims: Any, *, classes: Any, **view: Any) -> Any:
    found = copy.deepcopy(real(claims, classes=classes, **view))
    for claim, allocation in zip(claims, found or (), strict=False):
        alternatives = [one for request in _requests(claim) for one in _alternatives(request)]
        rows = [
            {**copy.deepcopy(one), "source": "FromClass"}
            for name in dict.fromkeys(one["deviceClassName"] for one in alternatives)
            for one in classes[name]["spec"].get("config") or []
        ]
        if rows:
            allocation["devices"]["config"] = rows
    return found


#: Every saboteur of this module by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-finds-an-alternative-to-nothing": _nothing,
    "scheduler-counts-no-alternative": altering.requests(_one_of_two),
    "scheduler-gives-one-of-all-to-an-alternative": _found(_one_of_all),
    "scheduler-stops-at-an-alternative-for-all": _found(_stops_at_all),
    "scheduler-lets-the-last-request-choose-first": _found(_swaps),
    "scheduler-insists-on-a-preference": _found(_insists),
    "scheduler-spreads-tolerations-of-alternatives": altering.requests(_tolerant),
    "scheduler-gives-up-where-an-alternative-is-too-much": _found(_too_much),
    "scheduler-frees-alternatives-of-constraints": altering.claims(_unconstrained),
    "scheduler-constrains-by-other-alternatives": altering.claims(_constrained),
    "scheduler-configures-every-alternative": _every_configuration,
    "scheduler-configures-by-every-class": _every_class,
}

"""How a scheduler can be wrong about what a claim asks for, each time in one case alone."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.saboteurs import altering
from conformance.reference.faults.seams import Saboteur

#: Keys of attributes that are lists.
LISTS = frozenset({"bools", "ints", "strings", "versions"})
#: An allocation that holds nothing.
_EMPTY: Object = {"devices": {"results": []}}


def _requests(claim: Object) -> list[Object]:
    return claim["spec"]["devices"].get("requests") or []


def _constraints(claim: Object) -> list[Object]:
    return claim["spec"]["devices"].get("constraints") or []


def _asked(claim: Object) -> Iterator[Object]:
    """Yield what each request without alternatives asks for."""
    return (one["exactly"] for one in _requests(claim) if one.get("exactly"))


def _all(claim: Object) -> bool:
    return any(one.get("allocationMode") == "All" for one in _asked(claim))


def _with(claim: Object, requests: list[Object]) -> Object:
    spec = claim["spec"]
    return {**claim, "spec": {**spec, "devices": {**spec["devices"], "requests": requests}}}


def _devices(allocation: Object) -> list[Any]:
    return [one["device"] for one in allocation["devices"].get("results") or []]


def _at_most_seven(request: Object) -> None:
    exactly = request.get("exactly") or {}
    if exactly.get("count", 1) > 7:
        exactly["count"] = 7


def results(change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that changes each allocation so."""

    def saboteur(real: Any, claims: Any, **view: Any) -> Any:
        found = copy.deepcopy(real(claims, **view))
        for allocation in found or ():
            change(allocation)
        return found

    return saboteur


def _twice_the_first(real: Any, claims: Any, **view: Any) -> Any:
    found = copy.deepcopy(real(claims, **view))
    for claim, allocation in zip(claims, found or (), strict=False):
        plain = [one for one in _asked(claim) if not one.get("selectors")]
        if len(_requests(claim)) == len(plain) == 2 and not _constraints(claim):
            rows: list[Object] = allocation["devices"]["results"]
            rows[1]["device"] = rows[0]["device"]
    return found


def _in_part(real: Any, claims: Any, **view: Any) -> Any:
    found = real(claims, **view)
    if found is not None or len(claims) != 1 or _constraints(claims[0]) or _all(claims[0]):
        return found
    requests: list[Object] = copy.deepcopy(_requests(claims[0]))
    while found is None and sum(one["exactly"].get("count", 1) for one in requests) > 1:
        last = requests[-1]["exactly"]
        last["count"] = last.get("count", 1) - 1
        if not last["count"]:
            requests.pop()
        found = real([_with(claims[0], requests)], **view)
    return found


def _one_of_several(real: Any, claims: Any, **view: Any) -> Any:
    found = real(claims, **view)
    if found is not None or len(claims) < 2:
        return found
    first = real(claims[:1], **view)
    return first and [*first, *(copy.deepcopy(_EMPTY) for _ in claims[1:])]


def _first_request_stays(real: Any, claims: Any, **view: Any) -> Any:
    found = real(claims, **view)
    if not found or len(claims) != 1 or len(_requests(claims[0])) != 2 or _constraints(claims[0]):
        return found
    if not all(one.get("exactly") for one in _requests(claims[0])):
        return found
    alone = real([_with(claims[0], _requests(claims[0])[:1])], **view)
    return found if _devices(alone[0])[:1] == _devices(found[0])[:1] else None


def _first_claim_stays(real: Any, claims: Any, **view: Any) -> Any:
    found = real(claims, **view)
    if not found or len(claims) < 2:
        return found
    alone = real(claims[:1], **view)
    return found if _devices(alone[0]) == _devices(found[0]) else None


def _one_of_the_selected(real: Any, claims: Any, **view: Any) -> Any:
    found = copy.deepcopy(real(claims, **view))
    for claim, allocation in zip(claims, found or (), strict=False):
        if _all(claim) and any(one.get("selectors") for one in _asked(claim)):
            del allocation["devices"]["results"][1:]
    return found


def _all_of_nothing(real: Any, claims: Any, **view: Any) -> Any:
    found = real(claims, **view)
    if found is not None or len(claims) != 1 or not _all(claims[0]):
        return found
    one = copy.deepcopy(claims[0])
    for exactly in _asked(one):
        exactly["allocationMode"] = "ExactCount"
        exactly["count"] = 1
    return None if real([one], **view) else [copy.deepcopy(_EMPTY)]


def _not_32(real: Any, claims: Any, **view: Any) -> Any:
    found = real(claims, **view)
    return None if any(len(_devices(one)) == 32 for one in found or ()) else found


def _plain(claims: Any, slices: Any) -> bool:
    """Return whether devices are compared by single values that they have."""
    devices = [device for one in slices for device in one["spec"].get("devices") or []]
    values = [one for device in devices for one in (device.get("attributes") or {}).values()]
    asked = [one for claim in claims for one in _asked(claim)]
    return not any(LISTS & set(one) for one in values) and not any(
        one.get("derivedAttributes") for one in asked
    )


def _unmatched_pairs(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
    changed = copy.deepcopy(list(claims))
    for claim in changed if _plain(claims, slices) else ():
        constraints = _constraints(claim)
        counts = [one.get("count") for one in _asked(claim)]
        if len(constraints) == 1 and constraints[0].get("matchAttribute") and counts == [2]:
            constraints.clear()
    return real(changed, slices=slices, **view)


def _anything_for_nothing(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
    if not any(_constraints(claim) for claim in claims):
        return real(claims, slices=slices, **view)
    changed = copy.deepcopy(list(slices))
    for one in changed:
        devices = one["spec"].get("devices") or []
        present = [device["attributes"] for device in devices if device.get("attributes")]
        for device in devices:
            if present and not device.get("attributes"):
                device["attributes"] = present[0]
    return real(claims, slices=changed, **view)


def _for_every_request(claim: Object) -> None:
    for constraint in _constraints(claim):
        if not any("/" in name for name in constraint.get("requests") or []):
            constraint.pop("requests", None)


def _only_the_first(claim: Object) -> None:
    del _constraints(claim)[1:]


def _all_unconstrained(claim: Object) -> None:
    if _all(claim):
        _constraints(claim).clear()


def _unbound(claims: Any) -> list[Object] | None:
    """Return the claims without constraints where one of them wants distinct devices."""
    if not any(one.get("distinctAttribute") for claim in claims for one in _constraints(claim)):
        return None
    free = copy.deepcopy(list(claims))
    for claim in free:
        claim["spec"]["devices"].pop("constraints", None)
    return free


def _alike(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
    found, free = real(claims, slices=slices, **view), _unbound(claims)
    if found and free and _plain(claims, slices):
        return real(free, slices=slices, **view)
    return found


def _hardly_distinct(real: Any, claims: Any, **view: Any) -> Any:
    found, free = real(claims, **view), _unbound(claims)
    return real(free, **view) if found is None and free else found


def _configures(source: str) -> Saboteur:
    """Return a saboteur for whom configuration from there is for every request."""

    def change(allocation: Object) -> None:
        for row in allocation["devices"].get("config") or []:
            if row["source"] == source and not any("/" in name for name in row.get("requests", [])):
                row.pop("requests", None)

    return results(change)


def _class_last(allocation: Object) -> None:
    config = allocation["devices"].get("config") or []
    if len(config) > 2:
        config.sort(key=lambda row: row["source"] == "FromClass")


def _without_class_configuration(allocation: Object) -> None:
    config = allocation["devices"].get("config") or []
    if [(row["source"], bool(row.get("requests"))) for row in config] == [("FromClass", False)]:
        del allocation["devices"]["config"]


#: Every saboteur of this module by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-gives-seven-devices-at-most": altering.requests(_at_most_seven),
    "scheduler-gives-one-device-to-two-requests": _twice_the_first,
    "scheduler-allocates-a-claim-in-part": _in_part,
    "scheduler-allocates-one-of-several-claims": _one_of_several,
    "scheduler-keeps-the-first-choice-of-a-request": _first_request_stays,
    "scheduler-keeps-the-first-choice-of-a-claim": _first_claim_stays,
    "scheduler-gives-one-of-all-selected-devices": _one_of_the_selected,
    "scheduler-finds-all-of-nothing": _all_of_nothing,
    "scheduler-refuses-32-devices": _not_32,
    "scheduler-ignores-match-attribute": _unmatched_pairs,
    "scheduler-takes-a-missing-attribute-for-any": _anything_for_nothing,
    "scheduler-constrains-every-request": altering.claims(_for_every_request),
    "scheduler-stops-at-the-first-constraint": altering.claims(_only_the_first),
    "scheduler-gives-all-devices-unconstrained": altering.claims(_all_unconstrained),
    "scheduler-gives-devices-that-are-alike": _alike,
    "scheduler-gives-up-distinct-devices": _hardly_distinct,
    "scheduler-configures-every-request": _configures("FromClaim"),
    "scheduler-hands-the-class-over-last": results(_class_last),
    "scheduler-spreads-class-configuration": _configures("FromClass"),
    "scheduler-drops-class-configuration": results(_without_class_configuration),
}

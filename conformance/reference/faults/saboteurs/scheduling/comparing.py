"""How a scheduler can compare devices wrongly, by lists, derived attributes or groups."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.saboteurs.scheduling.allocation import LISTS
from conformance.reference.faults.seams import Saboteur


def _constraints(claims: Sequence[Object], kind: str) -> list[Object]:
    return [
        one
        for claim in claims
        for one in claim["spec"]["devices"].get("constraints") or []
        if one.get(kind)
    ]


def _bodies(claim: Object) -> Iterator[Object]:
    for request in claim["spec"]["devices"].get("requests") or []:
        yield from request.get("firstAvailable") or [request.get("exactly") or {}]


def _devices(slices: Sequence[Object]) -> list[Object]:
    return [device for one in slices for device in one["spec"].get("devices") or []]


def _is_list(attribute: Object) -> bool:
    return any(attribute.get(key) for key in LISTS)


def _attributes(slices: Sequence[Object]) -> list[Object]:
    return [one for each in _devices(slices) for one in (each.get("attributes") or {}).values()]


def _as_a_whole(kind: str) -> Saboteur:
    """Return a saboteur for whom lists are values; where there are lists alone."""

    def saboteur(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
        changed = copy.deepcopy(list(slices))
        present = _attributes(changed)
        if _constraints(claims, kind) and all(map(_is_list, present)):
            for one in present:
                text = json.dumps(one, sort_keys=True)
                one.clear()
                one["string"] = text
        return real(claims, slices=changed, **view)

    return saboteur


def _unconstrained(claims: Any) -> list[Object]:
    free = copy.deepcopy(list(claims))
    for claim in free:
        claim["spec"]["devices"].pop("constraints", None)
    return free


def _in_pairs(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
    found = real(claims, slices=slices, **view)
    counts = [body.get("count") for claim in claims for body in _bodies(claim)]
    lists = any(map(_is_list, _attributes(slices)))
    if found is None and counts == [3] and lists and _constraints(claims, "matchAttribute"):
        return real(_unconstrained(claims), slices=slices, **view)
    return found


def _one_value_alone(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
    changed = copy.deepcopy(list(slices))
    present = _attributes(changed)
    if not all(map(_is_list, present)):
        for device in _devices(changed):
            kept = device.get("attributes") or {}
            for name in [name for name, one in kept.items() if _is_list(one)]:
                del kept[name]
    return real(claims, slices=changed, **view)


def _deriving(change: Callable[[Object, Sequence[Object]], None]) -> Saboteur:
    """Return a saboteur that changes claims that derive, in view of the devices."""

    def saboteur(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
        changed = copy.deepcopy(list(claims))
        for claim in changed:
            if any(body.get("derivedAttributes") for body in _bodies(claim)):
                change(claim, slices)
        return real(changed, slices=slices, **view)

    return saboteur


def _derives_nothing(claim: Object, _: Sequence[Object]) -> None:
    bodies = list(_bodies(claim))
    if len(bodies) == 1 and bodies[0].get("count") == 2:
        named = [one["name"] for one in bodies[0]["derivedAttributes"]]
        if all(name.startswith("derived/") for name in named):
            del bodies[0]["derivedAttributes"]


def _prefers_its_own(claim: Object, slices: Sequence[Object]) -> None:
    present = {name for device in _devices(slices) for name in device.get("attributes") or {}}
    for body in _bodies(claim):
        for one in list(body.get("derivedAttributes") or []):
            if one["name"].partition("/")[2] in present:
                body["derivedAttributes"].remove(one)


def _as_for_the_first(claim: Object, _: Sequence[Object]) -> None:
    bodies = list(_bodies(claim))
    if len(claim["spec"]["devices"]["requests"]) > 1:
        for body in bodies[1:]:
            body["derivedAttributes"] = bodies[0]["derivedAttributes"]


def _passes_over(real: Any, claims: Any, **view: Any) -> Any:
    try:
        return real(claims, **view)
    except ValueError as error:
        if "derived attribute" not in str(error):
            raise
        later = copy.deepcopy(list(claims))
        for claim in later:
            for request in claim["spec"]["devices"]["requests"]:
                del (request.get("firstAvailable") or [])[:1]
        return real(later, **view)


def _before_it_selects(claim: Object, slices: Sequence[Object]) -> None:
    if len(claim["spec"]["devices"]["requests"]) > 1:
        return
    for body in _bodies(claim):
        if body.get("selectors") and len(_devices(slices)) > 1:
            body.pop("selectors")


def _draws(slices: Sequence[Object]) -> list[Object]:
    return [draw for one in _devices(slices) for draw in one.get("consumesCounters") or []]


def _groups(draws: Sequence[Object]) -> list[set[str]]:
    return [set(draw.get("compatibilityGroups") or ()) for draw in draws]


def _sets(draws: Sequence[Object]) -> set[str]:
    return {draw["counterSet"] for draw in draws}


def _grouping(when: Callable[[list[set[str]]], bool], change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that changes what devices draw from one set where groups are such."""

    def saboteur(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
        changed = copy.deepcopy(list(slices))
        draws = _draws(changed)
        groups = _groups(draws)
        if len(_sets(draws)) == 1 and any(groups) and when(groups):
            for draw in draws:
                change(draw)
        return real(claims, slices=changed, **view)

    return saboteur


def _of_sizes(*sizes: int) -> Callable[[list[set[str]]], bool]:
    """Return whether devices have so many groups each, and no group was made of others."""
    return lambda groups: (
        {len(one) for one in groups} == set(sizes)
        and not any("-" in name for one in groups for name in one)
    )


def _ungrouped(draw: Object) -> None:
    draw.pop("compatibilityGroups", None)


def _as_one_group(draw: Object) -> None:
    if draw.get("compatibilityGroups"):
        draw["compatibilityGroups"] = ["-".join(sorted(draw["compatibilityGroups"]))]


def _across_sets(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
    found = real(claims, slices=slices, **view)
    draws = _draws(slices)
    groups = _groups(draws)
    taken = view["allocated"].touched
    if found and taken and len(_sets(draws)) > 1 and all(groups) and not set.intersection(*groups):
        return None
    return found


def _forgets_shares(real: Any, claims: Any, *, slices: Any, allocated: Any, **view: Any) -> Any:
    exclusive = {
        (one["spec"]["driver"], one["spec"]["pool"]["name"], device["name"])
        for one in slices
        for device in one["spec"].get("devices") or []
        if device.get("allowMultipleAllocations") is False
    }
    kept = {key: one for key, one in allocated.consumed.items() if key not in exclusive}
    changed = attrs.evolve(allocated, consumed=kept)
    return real(claims, slices=slices, allocated=changed, **view)


#: Every saboteur of this module by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-compares-lists-as-a-whole": _as_a_whole("matchAttribute"),
    "scheduler-matches-lists-in-pairs": _in_pairs,
    "scheduler-matches-no-list-with-one-value": _one_value_alone,
    "scheduler-takes-lists-that-differ-for-distinct": _as_a_whole("distinctAttribute"),
    "scheduler-derives-nothing": _deriving(_derives_nothing),
    "scheduler-prefers-what-a-device-has": _deriving(_prefers_its_own),
    "scheduler-derives-for-all-as-for-the-first": _deriving(_as_for_the_first),
    "scheduler-passes-over-derivations-that-fail": _passes_over,
    "scheduler-derives-before-it-selects": _deriving(_before_it_selects),
    "scheduler-forgets-shares-of-changed-devices": _forgets_shares,
    "scheduler-ignores-compatibility-groups": _grouping(_of_sizes(1), _ungrouped),
    "scheduler-wants-the-same-compatibility-groups": _grouping(_of_sizes(1, 2), _as_one_group),
    "scheduler-compares-compatibility-groups-in-pairs": _grouping(_of_sizes(2), _ungrouped),
    "scheduler-takes-no-compatibility-group-for-any": _grouping(_of_sizes(0, 1), _ungrouped),
    "scheduler-compares-compatibility-groups-across-sets": _across_sets,
}

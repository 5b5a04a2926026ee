"""How a scheduler can be wrong about slices, pools and nodes, each time in one case alone."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from conformance.kube.objects import Object, name_of
from conformance.reference.faults.saboteurs.scheduling.allocation import results
from conformance.reference.faults.seams import Saboteur

#: Slices by driver and pool.
_Pools: TypeAlias = dict[tuple[str, str], list[Object]]


def _pools(slices: Iterable[Object]) -> _Pools:
    found: _Pools = {}
    for one in slices:
        spec = one["spec"]
        found.setdefault((spec["driver"], spec["pool"]["name"]), []).append(one)
    return found


def _newest(pool: list[Object]) -> list[Object]:
    generation = max(one["spec"]["pool"].get("generation", 0) for one in pool)
    return [one for one in pool if one["spec"]["pool"].get("generation", 0) == generation]


def _lacking(pool: list[Object]) -> int:
    current = _newest(pool)
    return current[0]["spec"]["pool"]["resourceSliceCount"] - len(current)


def _names(pool: list[Object]) -> Counter[str]:
    return Counter(device["name"] for one in pool for device in one["spec"].get("devices") or [])


def _asks_for_all(claims: Any) -> bool:
    requests = [one for claim in claims for one in claim["spec"]["devices"].get("requests") or []]
    return any((one.get("exactly") or {}).get("allocationMode") == "All" for one in requests)


def pools(
    change: Callable[[list[Object], Object], Iterable[Object]], *, of_all: bool = False
) -> Saboteur:
    """Return a saboteur that allocates from what ``change`` makes of each pool for the node.

    ``of_all`` says that it happens only where all devices are asked for.
    """

    def saboteur(real: Any, claims: Any, *, slices: Any, node: Object, **view: Any) -> Any:
        if of_all and not _asks_for_all(claims):
            return real(claims, slices=slices, node=node, **view)
        copied = copy.deepcopy(list(slices))
        changed = [one for pool in _pools(copied).values() for one in change(pool, node)]
        return real(claims, slices=changed, node=node, **view)

    return saboteur


def _all_that_are_free(real: Any, claims: Any, *, slices: Any, allocated: Any, **view: Any) -> Any:
    taken = getattr(allocated, "touched", allocated)
    changed = copy.deepcopy(list(slices))
    for one in changed if _asks_for_all(claims) else ():
        spec = one["spec"]
        place = (spec["driver"], spec["pool"]["name"])
        spec["devices"] = [
            device for device in spec.get("devices") or [] if (*place, device["name"]) not in taken
        ]
    return real(claims, slices=changed, allocated=allocated, **view)


def _first_31(pool: list[Object], _: Object) -> Iterable[Object]:
    for one in pool:
        devices = one["spec"].get("devices") or []
        if len(devices) > 32:
            del devices[31:]
    return pool


def _oldest(pool: list[Object], _: Object) -> Iterable[Object]:
    generations = [one["spec"]["pool"].get("generation", 0) for one in pool]
    return [one for one, of in zip(pool, generations, strict=True) if of == min(generations)]


def _small_is_whole(pool: list[Object], _: Object) -> Iterable[Object]:
    if _lacking(pool) == 2:
        for one in pool:
            one["spec"]["pool"]["resourceSliceCount"] = len(pool)
    return pool


def _without_doubles(pool: list[Object], _: Object) -> Iterable[Object]:
    names = _names(pool)
    seen: set[str] = set()
    for one in pool if len(names) > 1 else ():
        devices = one["spec"].get("devices") or []
        one["spec"]["devices"] = [device for device in devices if device["name"] not in seen]
        seen.update(device["name"] for device in devices)
    return pool


def _nothing_beside_broken(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
    found = real(claims, slices=slices, **view)
    if not found or _asks_for_all(claims):
        return found
    results = [one for each in found for one in each["devices"].get("results") or []]
    used = {(one["driver"], one["pool"]) for one in results}
    broken = [
        place
        for place, pool in _pools(slices).items()
        if place not in used
        and place[0] in {driver for driver, _ in used}
        and (_lacking(pool) > 0 or max(_names(_newest(pool)).values(), default=1) > 1)
    ]
    return None if broken else found


def _only_complete(pool: list[Object], _: Object) -> Iterable[Object]:
    return () if _lacking(pool) > 0 else pool


def _own_node_only(pool: list[Object], node: Object) -> Iterable[Object]:
    return [one for one in pool if one["spec"].get("nodeName", name_of(node)) == name_of(node)]


def _elsewhere(*, several: bool) -> Saboteur:
    """Return a saboteur that ties one local device, or several devices, to another node."""

    def change(allocation: Object) -> None:
        local = "matchFields" in str(allocation.get("nodeSelector"))
        if local and several == (len(allocation["devices"]["results"]) > 1):
            term = allocation["nodeSelector"]["nodeSelectorTerms"][0]
            term["matchFields"][0]["values"] = ["elsewhere"]

    return results(change)


def _named(node: Object) -> Object:
    here = {"key": "metadata.name", "operator": "In", "values": [name_of(node)]}
    return {"nodeSelectorTerms": [{"matchFields": [here]}]}


def _tied(real: Any, claims: Any, *, node: Object, **view: Any) -> Any:
    found = copy.deepcopy(real(claims, node=node, **view))
    for one in found or ():
        one.setdefault("nodeSelector", _named(node))
    return found


def _tied_by_labels(real: Any, claims: Any, *, node: Object, **view: Any) -> Any:
    found = copy.deepcopy(real(claims, node=node, **view))
    for one in found or ():
        if "matchExpressions" in str(one.get("nodeSelector")):
            one["nodeSelector"] = _named(node)
    return found


def _sleeps_through_slices(
    real: Any, pod: Object, plural: str, kind: str, obj: Object, old: Object | None
) -> bool:
    new_slice = plural == "resourceslices" and kind == "ADDED"
    return not new_slice and real(pod, plural, kind, obj, old)


#: Every saboteur of this module by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-takes-all-for-all-that-are-free": _all_that_are_free,
    "scheduler-leaves-out-what-is-too-much": pools(_first_31, of_all=True),
    "scheduler-prefers-the-older-generation": pools(_oldest),
    "scheduler-believes-in-small-pools": pools(_small_is_whole),
    "scheduler-overlooks-new-slices": _sleeps_through_slices,
    "scheduler-takes-a-name-twice-for-one-device": pools(_without_doubles),
    "scheduler-trips-over-broken-pools": _nothing_beside_broken,
    "scheduler-leaves-incomplete-pools-out-of-all": pools(_only_complete, of_all=True),
    "scheduler-misses-slices-of-other-nodes": pools(_own_node_only),
    "scheduler-ties-a-local-device-elsewhere": _elsewhere(several=False),
    "scheduler-ties-every-claim-to-its-node": _tied,
    "scheduler-ties-labelled-devices-to-one-node": _tied_by_labels,
    "scheduler-ties-several-devices-elsewhere": _elsewhere(several=True),
}

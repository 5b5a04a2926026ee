"""How a cluster can be wrong about tainted devices."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any

import attrs

from conformance.kube.objects import Object, copy_of
from conformance.reference.faults.saboteurs import altering
from conformance.reference.faults.seams import Saboteur

#: The gates of taints and of rules.
_TAINTS, _RULES = "DRADeviceTaints", "DRADeviceTaintRules"


# The API server.


def _taints_in(resource: str, obj: Object) -> list[Object]:
    """Return the taints of a slice or a rule, as they stand in it."""
    spec: Object = obj.get("spec") or {}
    if resource == "devicetaintrules":
        return [spec["taint"]] if spec.get("taint") else []
    devices: list[Object] = spec.get("devices") or []
    if resource != "resourceslices":
        return []
    return [taint for device in devices for taint in device.get("taints") or []]


def _forgets_the_time(real: Any, resource: str, obj: Object, *rest: Any) -> None:
    untimed = [one for one in _taints_in(resource, obj) if not one.get("timeAdded")]
    real(resource, obj, *rest)
    for taint in untimed:
        if taint["effect"] == "None":
            del taint["timeAdded"]


def _knows_better(real: Any, resource: str, obj: Object, features: Any, now: Any) -> None:
    for taint in _taints_in(resource, obj):
        taint.pop("timeAdded", None)
    real(resource, obj, features, now)


def _keeps_the_time(real: Any, resource: str, new: Object, old: Object, *rest: Any) -> None:
    real(resource, new, old, *rest)
    if resource == "devicetaintrules":
        new["spec"]["taint"]["timeAdded"] = old["spec"]["taint"]["timeAdded"]


# The scheduler.


def _none_is_no_schedule(device: Object) -> None:
    for taint in device.get("taints") or []:
        if taint["effect"] == "None":
            taint["effect"] = "NoSchedule"


def _rules(change: Callable[[Iterable[Object]], list[Object]]) -> Saboteur:
    """Return a saboteur that lets the scheduler see other rules than there are."""

    def saboteur(real: Any, slices: Any, rules: Iterable[Object]) -> Any:
        return real(slices, change([copy_of(rule) for rule in rules]))

    return saboteur


def _keeping_away(rules: Iterable[Object]) -> list[Object]:
    return [rule for rule in rules if rule["spec"]["taint"]["effect"] != "NoExecute"]


def _one_by_one(rules: Iterable[Object]) -> list[Object]:
    """Return a rule for each criterion."""
    split: list[Object] = []
    for rule in rules:
        selector: Object = rule["spec"].get("deviceSelector") or {}
        for key, value in selector.items():
            split.append({**rule, "spec": {**rule["spec"], "deviceSelector": {key: value}}})
        if not selector:
            split.append(rule)
    return split


def _none_is_empty(rules: Iterable[Object]) -> list[Object]:
    every = list(rules)
    for rule in every:
        rule["spec"].setdefault("deviceSelector", {})
    return every


def _empty_is_none(rules: Iterable[Object]) -> list[Object]:
    return [rule for rule in rules if rule["spec"].get("deviceSelector") != {}]


def _replaces(real: Any, slices: Iterable[Object], rules: Any) -> Any:
    before = list(slices)
    after = real(before, rules)
    for old, new in zip(before, after, strict=True):
        for device, tainted in zip(
            old["spec"].get("devices") or [], new["spec"].get("devices") or [], strict=True
        ):
            own = len(device.get("taints") or [])
            if len(tainted.get("taints") or []) > own:
                tainted["taints"] = tainted["taints"][own:]
    return after


def _sleeps(real: Any, pod: Object, plural: str, kind: str, *rest: Any) -> bool:
    gone = plural == "devicetaintrules" and kind == "DELETED"
    return not gone and real(pod, plural, kind, *rest)


# The eviction controller: whom it looks at.


def _named_in_the_spec(real: Any, pod: Object) -> list[tuple[str, bool]]:
    entries: list[Object] = pod["spec"].get("resourceClaims") or []
    named = {entry.get("resourceClaimName") for entry in entries}
    found: Iterable[tuple[str, bool]] = real(pod)
    return [row for row in found if row[1] or row[0] in named]


def _claims_alone(real: Any, pod: Object) -> list[tuple[str, bool]]:
    return [(name, own) for name, own in real(pod) if not own]


def _first(real: Any, claim: Object) -> list[str]:
    return list(real(claim))[:1]


def _anywhere(_real: Any, pod: Object) -> bool:
    return not pod["metadata"].get("deletionTimestamp")


# The eviction controller: by what taints, and when.


def _every_effect(real: Any, result: Object, slices: Iterable[Object], rules: Any) -> Any:
    changed = copy.deepcopy(list(slices))
    for one in changed:
        for taint in _taints_in("resourceslices", one):
            taint["effect"] = "NoExecute"
    return real(result, changed, rules)


class _NeverForgets:
    """Remember every taint of a slice that a device once had."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, ...], list[Any]] = {}

    def __call__(self, real: Any, result: Object, slices: Any, rules: Any) -> Any:
        """Return what drives away from the device, or did once."""
        key = (result["driver"], result["pool"], result["device"])
        found = real(result, slices, rules)
        told = [row for row in found if row[1] is None]
        self._seen[key] = told or self._seen.get(key, [])
        return [*self._seen[key], *(row for row in found if row[1] is not None)]


def _slices_alone(real: Any, result: Object, slices: Any, _rules: Any) -> Any:
    return real(result, slices, ())


def _with_slice(real: Any, result: Object, slices: Any, rules: Any) -> Any:
    return real(result, slices, rules if slices else ())


def _first_spec(real: Any, result: Object, slices: Any, rules: Iterable[Object]) -> Any:
    return real(result, slices, [one for one in rules if one["metadata"]["generation"] == 1])


def _needs_seconds(real: Any, taint: Object, tolerations: Iterable[Object]) -> Any:
    return real(taint, [one for one in tolerations if "tolerationSeconds" in one])


def _covers_all(real: Any, taint: Object, tolerations: Iterable[Object]) -> Any:
    every = list(tolerations)
    unlimited = any("tolerationSeconds" not in one for one in every)
    return None if unlimited else real(taint, every)


def _at_once(real: Any, taint: Object, tolerations: Any) -> Any:
    return None if real(taint, tolerations) is None else real(taint, ())


def _too_late(real: Any, taint: Object, tolerations: Any) -> Any:
    when = real(taint, tolerations)
    if when is None or when == real(taint, ()):
        return when
    return when + timedelta(hours=1)


def _nothing_is_for_ever(real: Any, taint: Object, tolerations: Iterable[Object]) -> Any:
    every = list(tolerations)
    return (
        None if any(one.get("tolerationSeconds", 1) <= 0 for one in every) else real(taint, every)
    )


def _longest(real: Any, taint: Object, tolerations: Iterable[Object]) -> Any:
    ends = [real(taint, [one]) for one in tolerations] or [real(taint, ())]
    return None if None in ends else max(ends)


def _later(real: Any, one: Any, other: Any) -> Any:
    return attrs.evolve(real(one, other), when=max(one.when, other.when))


async def _says_nothing(*_: Any) -> None:
    return


# The status of a rule.


def _rehearses(real: Any, rule: Object, tally: Any) -> Object:
    status = {"status": "True"} if rule["spec"]["taint"]["effect"] == "None" and tally.pods else {}
    return {**real(rule, tally), **status}


def _never(real: Any, rule: Object, tally: Any) -> Object:
    return {**real(rule, tally), "status": "False"}


def _for_ever(real: Any, rule: Object, tally: Any) -> Object:
    present: list[Object] = rule.get("status", {}).get("conditions") or []
    once = any(one["status"] == "True" for one in present)
    return {**real(rule, tally), **({"status": "True"} if once else {})}


def _first_generation(real: Any, rule: Object, tally: Any) -> Object:
    return {**real(rule, tally), "observedGeneration": 1}


# The gates.


def _rules_anyway(real: Any, version: str, gates: Mapping[str, bool]) -> Any:
    kept = {name: on for name, on in gates.items() if name != _RULES or _TAINTS in gates}
    return real(version, kept)


def _taints_anyway(real: Any, version: str, gates: Mapping[str, bool]) -> Any:
    return real(version, {name: on for name, on in gates.items() if name != _TAINTS})


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "taint-without-effect-keeps-away": altering.devices(_none_is_no_schedule),
    "taint-without-time": _forgets_the_time,
    "taint-time-is-now": _knows_better,
    "taint-time-outlives-effect": _keeps_the_time,
    "eviction-overlooks-generated-claims": _named_in_the_spec,
    "eviction-by-every-effect": _every_effect,
    "eviction-without-a-word": _says_nothing,
    "toleration-without-seconds-is-none": _needs_seconds,
    "toleration-of-anything-is-enough": _covers_all,
    "toleration-seconds-ignored": _at_once,
    "toleration-outlasts-its-seconds": _too_late,
    "toleration-of-no-seconds-is-for-ever": _nothing_is_for_ever,
    "longest-toleration-counts": _longest,
    "last-taint-counts": _later,
    "eviction-never-cancelled": _NeverForgets(),
    "eviction-of-the-first-consumer": _first,
    "eviction-without-a-node": _anywhere,
    "eviction-overlooks-extended-resources": _claims_alone,
    "scheduler-overlooks-rules-that-evict": _rules(_keeping_away),
    "rule-matches-by-any-criterion": _rules(_one_by_one),
    "rule-without-selector-taints-all": _rules(_none_is_empty),
    "empty-selector-selects-nothing": _rules(_empty_is_none),
    "eviction-overlooks-rules": _slices_alone,
    "rule-needs-the-slice": _with_slice,
    "rule-that-ends-wakes-nobody": _sleeps,
    "rule-replaces-taints": _replaces,
    "rule-keeps-its-first-effect": _first_spec,
    "rehearsal-is-in-progress": _rehearses,
    "eviction-never-in-progress": _never,
    "eviction-in-progress-for-ever": _for_ever,
    "condition-of-the-first-generation": _first_generation,
    "rules-without-gate": _rules_anyway,
    "taints-without-gate": _taints_anyway,
}

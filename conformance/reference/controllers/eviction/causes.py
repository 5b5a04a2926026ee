"""Which taints drive a Pod away from its devices, and when.

Pure: slices, rules, claims and Pods in, a moment out. Source: KEP-5055 (tolerations,
tolerationSeconds) and the controller of kube-controller-manager 1.37.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import attrs

from conformance.dra.allocation import rule_selects, tolerates
from conformance.kube.objects import Object, namespace_of, uid_of
from conformance.kube.times import parse
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import (
    extended_claim,
    is_for_pod,
    is_reserved_for,
    known_claim_names,
    results_of,
)

#: The one effect that drives Pods away.
EVICTING = "NoExecute"

_LONG_AGO = "1970-01-01T00:00:00Z"

#: Returns the slices of a pool, by driver and pool.
Slices = Callable[[str, str], Sequence[Object]]


@attrs.frozen(kw_only=True)
class Eviction:
    """When a Pod has to leave, and by which rules (their uids), if any."""

    when: datetime
    rules: frozenset[str] = frozenset()


@attrs.frozen(kw_only=True)
class Sight:
    """What there is to judge by: the slices by pool, every rule, and the claims by key."""

    slices: Slices
    rules: Sequence[Object]
    claim: Callable[[str], Object | None]


def evicting_taints(
    result: Object, slices: Iterable[Object], rules: Iterable[Object]
) -> list[tuple[Object, Object | None]]:
    """Return the taints that drive away from an allocated device, each with its rule, if any.

    ``slices`` are those of the device's pool. A rule counts without them, too.
    """
    published = [
        (taint, None)
        for one in newest(slices)
        for device in one["spec"].get("devices") or []
        if device["name"] == result["device"]
        for taint in device.get("taints") or []
    ]
    selected = [(rule["spec"]["taint"], rule) for rule in rules if rule_selects(rule, result)]
    return [row for row in (*published, *selected) if row[0]["effect"] == EVICTING]


def newest(slices: Iterable[Object]) -> list[Object]:
    """Return the slices of a pool that are of its newest generation."""
    every = list(slices)
    generations = [int(one["spec"]["pool"]["generation"]) for one in every]
    return [one for one, its in zip(every, generations, strict=True) if its == max(generations)]


def end_of_patience(taint: Object, tolerations: Iterable[Object]) -> datetime | None:
    """Return until when the taint is borne, or nothing if it is borne for ever.

    Only a toleration that names the effect NoExecute counts; of several the shortest does.
    """
    # Nobody knows since when: then it is over.
    added = parse(taint.get("timeAdded") or _LONG_AGO)
    bearing = [
        one for one in tolerations if one.get("effect") == EVICTING and tolerates(one, taint)
    ]
    if any(one.get("tolerationSeconds") is None for one in bearing):
        return None
    seconds = [max(0, int(one["tolerationSeconds"])) for one in bearing]
    return added + timedelta(seconds=min(seconds, default=0))


def claims_in_use(pod: Object) -> Iterator[tuple[str, bool]]:
    """Yield the names of the Pod's claims, and whether a claim must be the Pod's own.

    The claim of extended resources is one of them: it stands in the status alone.
    """
    for name in known_claim_names(pod):
        yield name, False
    name = extended_claim(pod).get("resourceClaimName")
    if name:
        yield name, True


def can_be_evicted(pod: Object) -> bool:
    """Tell whether there is something to evict: a Pod on a node that is not deleted yet."""
    placed = bool(pod.get("spec", {}).get("nodeName"))
    return placed and not pod["metadata"].get("deletionTimestamp")


def earlier(one: Eviction, other: Eviction) -> Eviction:
    """Return the earlier of two moments, with the rules of both."""
    return Eviction(when=min(one.when, other.when), rules=one.rules | other.rules)


class Causes:
    """The decision, with the seams of its parts."""

    def __init__(self, faults: Faults) -> None:
        wrap = faults.wrap
        self._taints = wrap("controllers.evicting_taints", evicting_taints)
        self._earlier = wrap("controllers.earlier", earlier)
        self._patience = wrap("controllers.end_of_patience", end_of_patience)
        self._in_use = wrap("controllers.claims_in_use", claims_in_use)
        self._can_be_evicted = wrap("controllers.can_be_evicted", can_be_evicted)

    def of_pod(self, pod: Object, sight: Sight) -> Eviction | None:
        """Return when the Pod has to leave its devices, or nothing."""
        if not self._can_be_evicted(pod):
            return None
        found: Eviction | None = None
        for name, own in self._in_use(pod):
            claim = sight.claim(f"{namespace_of(pod)}/{name}")
            if claim is None or not is_reserved_for(pod, claim):
                continue
            if own and not is_for_pod(pod, claim):
                continue
            for eviction in self._of_claim(claim, sight):
                found = eviction if found is None else self._earlier(found, eviction)
        return found

    def _of_claim(self, claim: Object, sight: Sight) -> Iterator[Eviction]:
        for result in results_of(claim):
            tolerations = result.get("tolerations") or []
            slices = sight.slices(result["driver"], result["pool"])
            for taint, rule in self._taints(result, slices, sight.rules):
                when = self._patience(taint, tolerations)
                if when is not None:
                    rules = frozenset() if rule is None else frozenset({uid_of(rule)})
                    yield Eviction(when=when, rules=rules)


def as_if_evicting(rule: Object) -> Object:
    """Return the rule with the effect that drives Pods away."""
    spec: Mapping[str, object] = rule["spec"]
    return {**rule, "spec": {**spec, "taint": {**rule["spec"]["taint"], "effect": EVICTING}}}

"""One attempt for all Pods of a PodGroup that wait: enough of them find a place, or none does.

What is decided for one Pod is assumed for those after it, so that they may share a claim, and
forgotten where in the end there are too few. Nothing is read or written here.

Source: KEP-4671 (gang scheduling), KEP-5729 (claims of groups), and kube-scheduler 1.37 (the
scheduling cycle of PodGroups, PodGroupPostFilter of DynamicResources).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from conformance.dra.allocation import AllocationError
from conformance.dra.features import Features
from conformance.kube.objects import Object, copy_of, namespace_of, uid_of
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import (
    allocation_of,
    from_template,
    is_done,
    is_finished,
    is_owned_by,
    known_claims,
    reservations,
)
from conformance.reference.scheduler.attempt import Attempt, Placement, View
from conformance.reference.scheduler.cache.assumed import Assumed
from conformance.reference.scheduler.claims import NotReady, Unfit
from conformance.reference.scheduler.resources.allocatable import with_statuses

#: What is said of a group in its status.
CONDITION = "PodGroupInitiallyScheduled"
SCHEDULED, UNSCHEDULABLE, FAILED = "Scheduled", "Unschedulable", "SchedulerError"

_UNSCHEDULABLE = "pod group is unschedulable,"


@attrs.define(kw_only=True)
class Verdict:
    """What becomes of the Pods of one group."""

    placed: list[tuple[Object, Placement]] = attrs.field(factory=list)
    refused: list[tuple[Object, Unfit]] = attrs.field(factory=list)
    #: SCHEDULED, UNSCHEDULABLE or FAILED, and what more there is to say; nothing before there
    #: are enough Pods.
    reason: str = ""
    message: str = ""
    #: A claim as it is to be stored, because the group can make no use of it.
    given_up: Object | None = None


def min_count(group: Object, present: int) -> int:
    """Return how many Pods of the group must have a node so that any of them may have one.

    That does not depend on how many are ``present``.
    """
    del present
    gang = (group["spec"].get("schedulingPolicy") or {}).get("gang")
    return gang["minCount"] if gang else 1


def given_up(
    group: Object, running: int, unavailable: Iterable[Object], own: Iterable[Object]
) -> Object | None:
    """Return a claim as a group leaves it that can't be scheduled, or nothing.

    What is ``unavailable`` to a Pod of it on any node, and nobody else's, is deallocated; from
    its ``own`` claims the group withdraws. Nothing changes while a Pod of the group has a node.
    """
    if running:
        return None
    for claim in unavailable:
        if all(one["uid"] == uid_of(group) for one in reservations(claim)):
            changed = copy_of(claim)
            for field in ("reservedFor", "allocation", "devices"):
                changed["status"].pop(field, None)
            return changed
    for claim in own:
        others = [one for one in reservations(claim) if one["uid"] != uid_of(group)]
        if allocation_of(claim) and len(others) < len(reservations(claim)):
            changed = copy_of(claim)
            changed["status"]["reservedFor"] = others
            return changed
    return None


def condition(group: Object, reason: str, message: str, now: str) -> Object | None:
    """Return the condition to write, or nothing: once True it stays as it is."""
    status = "True" if reason == SCHEDULED else "False"
    old = condition_of(group)
    if old.get("status") == "True" or (old.get("reason"), old.get("message")) == (reason, message):
        return None
    changed = old.get("status") != status
    return {
        "type": CONDITION,
        "status": status,
        "reason": reason,
        "message": message,
        "lastTransitionTime": now if changed else old["lastTransitionTime"],
    }


def condition_of(group: Object) -> Object:
    """Return what was said of the group, empty while nothing was."""
    for one in group.get("status", {}).get("conditions") or []:
        if one["type"] == CONDITION:
            return one
    return {}


class Grouping:
    """Decides for groups, with the seams of its parts."""

    def __init__(
        self,
        attempt: Attempt,
        assumed: Assumed,
        *,
        features: Features,
        is_mine: Callable[[Object], bool],
        faults: Faults,
    ) -> None:
        self._attempt = attempt
        self._assumed = assumed
        self._is_mine = is_mine
        self._share = features.enabled("DRAWorkloadResourceClaims")
        self._min_count = faults.wrap("scheduler.min_count", min_count)
        self._given_up = faults.wrap("scheduler.given_up", given_up)
        self._forget = faults.wrap("scheduler.forget_placement", self._unassume)
        self._condition = faults.wrap("scheduler.group_condition", condition)
        #: What was said of groups and may not be seen yet, by uid.
        self._said: dict[str, Object] = {}

    def say(self, group: Object, verdict: Verdict, now: str) -> Object | None:
        """Return the condition to write of the group, or nothing."""
        if not verdict.reason:
            return None
        said = self._said.get(uid_of(group))
        if said is not None:
            group = {**group, "status": {**group.get("status", {}), "conditions": [said]}}
        found = self._condition(group, verdict.reason, verdict.message, now)
        if found is not None:
            self._said[uid_of(group)] = found
        return found

    def forget(self, group: Object) -> None:
        """Forget what was said of a group that is gone."""
        self._said.pop(uid_of(group), None)

    def decide(
        self,
        group: Object,
        members: Iterable[Object],
        view: Callable[[Mapping[str, Object]], View],
    ) -> Verdict:
        """Return what becomes of the Pods; those that are placed are assumed already.

        ``view`` returns what is known at the moment, with allocations that were decided for
        other Pods of the group, by uid of the claim.
        """
        running = 0
        waiting: list[Object] = []
        for pod in sorted(members, key=_age):
            if pod.get("spec", {}).get("nodeName") or self._assumed.has_node(pod):
                running += not is_finished(pod)
            elif not is_done(pod) and self._is_mine(pod):
                waiting.append(pod)
        ready, early = self._ready(waiting, view({}))
        minimum = self._min_count(group, running + len(ready))
        if not ready or running + len(ready) < minimum:
            few = NotReady("waiting for minCount pods from a gang to appear in scheduling queue")
            return Verdict(refused=[*early, *((pod, few) for pod in ready)])
        verdict = self._place(ready, minimum - running, view)
        if verdict.reason != SCHEDULED:
            placed = running + len(verdict.placed)
            verdict.message = verdict.message or (
                f"minCount ({minimum}) cannot be satisfied: {placed} scheduled"
            )
            self._withdraw(group, ready, running, verdict)
        verdict.refused += early
        return verdict

    def _ready(
        self, waiting: Iterable[Object], view: View
    ) -> tuple[list[Object], list[tuple[Object, Unfit]]]:
        """Return the Pods whose claims are there, and the others with what they lack."""
        ready: list[Object] = []
        early: list[tuple[Object, Unfit]] = []
        for pod in waiting:
            try:
                self._attempt.claims_of(pod, view)
                ready.append(pod)
            except NotReady as lack:
                early.append((pod, lack))
        return ready, early

    def _place(
        self,
        waiting: Sequence[Object],
        needed: int,
        view: Callable[[Mapping[str, Object]], View],
    ) -> Verdict:
        """Place Pods one after the other, until it is certain that there are too few places."""
        verdict = Verdict(reason=UNSCHEDULABLE)
        decided: dict[str, Object] = {}
        for tried, pod in enumerate(waiting):
            if len(verdict.placed) + len(waiting) - tried < needed:
                break
            try:
                placement = self._attempt.place(pod, view(decided))
            except Unfit as unfit:
                verdict.refused.append((pod, unfit))
            except AllocationError as error:
                verdict.reason, verdict.message = FAILED, str(error)
                return verdict
            else:
                self._assume(pod, placement)
                decided.update(placement.allocations)
                verdict.placed.append((pod, placement))
        if verdict.placed and len(verdict.placed) >= needed:
            verdict.reason = SCHEDULED
        return verdict

    def _withdraw(
        self, group: Object, waiting: Sequence[Object], running: int, verdict: Verdict
    ) -> None:
        """Forget the places that were found: they are not enough."""
        failed = verdict.reason == FAILED
        why = "failed to schedule other pod from a pod group:" if failed else _UNSCHEDULABLE
        why = f"{why} {verdict.message}"
        for pod, placement in verdict.placed:
            self._forget(pod, placement)
            if not failed:
                lack = Unfit(why, release=placement.release, unavailable=placement.unavailable)
                verdict.refused.append((pod, lack))
        verdict.placed = []
        # Where a Pod gives back what is its own, the group is tried again before more goes.
        if self._share and not failed and not all(one.helps for _, one in verdict.refused):
            unavailable = [one for _, unfit in verdict.refused for one in unfit.unavailable]
            own = self._own(group)
            verdict.given_up = self._given_up(group, running, unavailable, own)
        tried = {uid_of(pod) for pod, _ in verdict.refused}
        verdict.refused += [(pod, Unfit(why)) for pod in waiting if uid_of(pod) not in tried]

    def _own(self, group: Object) -> list[Object]:
        """Return the claims of the group that there are."""
        found: list[Object] = []
        for entry, name in known_claims(group):
            claim = self._assumed.newest(f"{namespace_of(group)}/{name}")
            if claim is not None and (not from_template(entry) or is_owned_by(group, claim)):
                found.append(claim)
        return found

    def _assume(self, pod: Object, placement: Placement) -> None:
        self._assumed.begin(placement.allocations)
        whole = with_statuses(pod, placement.taken) if placement.taken else pod
        self._assumed.bound(whole, placement.node)

    def _unassume(self, pod: Object, placement: Placement) -> None:
        """Have nobody count on the placement."""
        self._assumed.end(placement.allocations)
        self._assumed.unbound(pod)


def _age(pod: Object) -> tuple[str, str]:
    return pod["metadata"]["creationTimestamp"], pod["metadata"]["name"]

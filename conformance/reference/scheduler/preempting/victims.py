"""Whom to evict for a Pod, and on which node: as few and as unimportant Pods as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs

from conformance.kube.conditions import find
from conformance.kube.objects import Object, name_of
from conformance.reference.podclaims import is_finished, priority_of

#: Why a victim is disrupted.
CONDITION, REASON = "DisruptionTarget", "PreemptionByScheduler"

#: Added to every priority before they are summed up: more Pods are never the lesser loss.
_ABOVE_ZERO = 2**31

#: ``(node, Pods that stay there) -> does the Pod fit beside them``.
Fits = Callable[[Object, Sequence[Object]], bool]

#: ``(Pods of a node, victims) -> the Pods that stay``.
Stay = Callable[[Iterable[Object], Iterable[Object]], list[Object]]


@attrs.frozen(kw_only=True)
class Eviction:
    """What makes room: these Pods, all of one node, must go."""

    node: str
    victims: tuple[Object, ...]

    @property
    def loss(self) -> tuple[int, int, int, str]:
        """Order evictions by what is lost: the most important Pod first of all."""
        priorities = [priority_of(pod) for pod in self.victims]
        total = sum(priority + _ABOVE_ZERO for priority in priorities)
        return max(priorities), total, len(priorities), self.node


def has_lower(pod: Object, present: Iterable[Object]) -> bool:
    """Tell whether any of the Pods of a node has a lower priority than this one."""
    least = priority_of(pod)
    return any(priority_of(one) < least for one in present)


def may_evict(pod: Object, present: Iterable[Object]) -> bool:
    """Tell whether others may be evicted for the Pod.

    ``present`` are the Pods of its nominated node: while one is ending for it, nobody else is
    evicted.
    """
    if pod.get("spec", {}).get("preemptionPolicy") == "Never":
        return False
    least = priority_of(pod)
    return not any(priority_of(one) < least and _is_ending(one) for one in present)


def staying(pods: Iterable[Object], victims: Iterable[Object]) -> list[Object]:
    """Return the Pods of a node without the victims; what their devices take goes with them."""
    gone = [one["metadata"]["uid"] for one in victims]
    return [pod for pod in pods if pod["metadata"]["uid"] not in gone]


def choose(
    pod: Object,
    nodes: Iterable[tuple[Object, Sequence[Object]]],
    fits: Fits,
    stay: Stay = staying,
) -> Eviction | None:
    """Return the eviction by which the Pod fits on one of the nodes, with the least loss.

    ``nodes`` are nodes with the Pods that are there; ``stay`` is ``staying`` or in its place.
    """
    found: list[Eviction] = []
    for node, present in nodes:
        victims = _on_node(pod, node, present, fits, stay)
        if victims:
            found.append(Eviction(node=name_of(node), victims=tuple(victims)))
    return min(found, key=lambda one: one.loss, default=None)


def _on_node(
    pod: Object,
    node: Object,
    present: Sequence[Object],
    fits: Fits,
    stay: Stay,
) -> list[Object]:
    """Return who must go from the node; nobody, if that is of no use."""
    least = priority_of(pod)
    lower = [one for one in present if priority_of(one) < least and not is_finished(one)]
    if not fits(node, stay(present, lower)):
        return []
    victims = list(lower)
    for one in sorted(lower, key=_importance):
        others = [victim for victim in victims if victim is not one]
        if fits(node, stay(present, others)):
            victims = others
    return victims


def _importance(pod: Object) -> tuple[int, str]:
    """Order Pods: those that should rather be kept come first, of equals who started first."""
    started = pod.get("status", {}).get("startTime") or pod["metadata"]["creationTimestamp"]
    return -priority_of(pod), started


def _is_ending(pod: Object) -> bool:
    if not pod["metadata"].get("deletionTimestamp"):
        return False
    said = find(pod.get("status", {}).get("conditions") or [], CONDITION)
    return said is not None and said.get("reason") == REASON

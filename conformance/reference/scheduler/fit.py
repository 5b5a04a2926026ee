"""May a Pod run on a node, devices aside: selectors, taints and ordinary resources.

A sentence is the answer to "why not", spelled as kube-scheduler does; nothing means it fits.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

import attrs

from conformance.kube.objects import Object, namespace_of
from conformance.kube.quantity import parse
from conformance.kube.selectors import label_selector, node_selector_matches
from conformance.reference.footprint import taken_by_devices
from conformance.reference.podclaims import is_finished

#: What a node that is cordoned is treated as being tainted with.
_CORDON: Object = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}

_HOSTNAME = "kubernetes.io/hostname"

#: The effects that keep a Pod away from a node.
_REPELLING = {"NoSchedule", "NoExecute"}


@attrs.frozen(kw_only=True)
class Occupants:
    """The Pods of a node: how many they are, what they request, namespace and labels of each."""

    count: int
    requested: Mapping[str, Decimal]
    labels: Sequence[tuple[str, Mapping[str, str]]] = ()

    @classmethod
    def of(cls, pods: Iterable[Object]) -> Occupants:
        """Return the sum of these Pods; a finished one takes nothing."""
        running = [pod for pod in pods if not is_finished(pod)]
        requested: dict[str, Decimal] = {}
        for pod in running:
            for name, value in requests_of(pod):
                requested[name] = requested.get(name, Decimal(0)) + value
        labels = [(namespace_of(pod), pod["metadata"].get("labels") or {}) for pod in running]
        return cls(count=len(running), requested=requested, labels=labels)


def why_unfit(
    pod: Object,
    node: Object,
    others: Occupants | Iterable[Object],
    elsewhere: Container[str] = (),
) -> str | None:
    """Return why the Pod can't run on the node beside ``others``, or nothing.

    Resources that come from ``elsewhere``, not from what the node has, are not looked at.
    """
    present = others if isinstance(others, Occupants) else Occupants.of(others)
    return (
        cordoned(pod, node)
        or not_selected(pod, node)
        or repelled(pod, node)
        or crowded(pod, present)
        or short_of_resources(pod, node, present, elsewhere)
    )


def cordoned(pod: Object, node: Object) -> str | None:
    """Say that the node takes no new Pods."""
    if node.get("spec", {}).get("unschedulable") and not tolerated(pod, _CORDON):
        return "node(s) were unschedulable"
    return None


def not_selected(pod: Object, node: Object) -> str | None:
    """Say that the Pod's node selector or required affinity does not match."""
    spec = pod.get("spec", {})
    labels = node["metadata"].get("labels") or {}
    wanted = spec.get("nodeSelector") or {}
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    by_labels = all(labels.get(key) == value for key, value in wanted.items())
    if by_labels and (required is None or node_selector_matches(required, node)):
        return None
    return "node(s) didn't match Pod's node affinity/selector"


def crowded(pod: Object, others: Occupants) -> str | None:
    """Say that the Pod wants no node with such Pods of its namespace."""
    affinity = (pod.get("spec", {}).get("affinity") or {}).get("podAntiAffinity") or {}
    selectors = [
        label_selector(term.get("labelSelector"))
        for term in affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or []
        if term.get("topologyKey") == _HOSTNAME
    ]
    if not selectors:
        return None
    for namespace, labels in others.labels:
        if namespace == namespace_of(pod) and any(one.matches(labels) for one in selectors):
            return "node(s) didn't match pod anti-affinity rules"
    return None


def repelled(pod: Object, node: Object) -> str | None:
    """Say that a taint of the node is not tolerated."""
    for taint in node.get("spec", {}).get("taints") or []:
        if taint.get("effect") in _REPELLING and not tolerated(pod, taint):
            return "node(s) had untolerated taint(s)"
    return None


def tolerated(pod: Object, taint: Object) -> bool:
    """Tell whether any toleration of the Pod covers the taint."""
    return any(
        _tolerates(toleration, taint) for toleration in pod.get("spec", {}).get("tolerations") or []
    )


def _tolerates(toleration: Object, taint: Object) -> bool:
    if toleration.get("effect") not in (None, "", taint.get("effect")):
        return False
    if toleration.get("key") not in (None, "", taint.get("key")):
        return False
    if toleration.get("operator", "Equal") == "Exists":
        return True
    return bool(toleration.get("key")) and toleration.get("value", "") == taint.get("value", "")


def short_of_resources(
    pod: Object,
    node: Object,
    others: Occupants,
    elsewhere: Container[str] = (),
) -> str | None:
    """Say which resource the node has too little of."""
    allocatable = node.get("status", {}).get("allocatable") or {}
    limit = allocatable.get("pods")
    if limit is not None and others.count + 1 > amount(limit):
        return "Too many pods"
    for name, value in requests_of(pod):
        free = amount(allocatable.get(name, "0")) - others.requested.get(name, Decimal(0))
        if value > 0 and value > free and name not in elsewhere:
            return f"Insufficient {name}"
    return None


def amount(quantity: str | float) -> Decimal:
    """Return a quantity as a number."""
    return parse(quantity).amount


def requests_of(pod: Object) -> Iterator[tuple[str, Decimal]]:
    """Yield what the Pod requests, as kube-scheduler reckons it.

    That is what its containers request and what its devices take of the node. Requests of the
    Pod itself (``spec.resources``) replace both. ``spec.overhead`` comes on top.
    """
    spec = pod.get("spec", {})
    total = _plus(container_requests(pod), taken_by_devices(pod))
    total.update(_sum([spec]))
    overhead = {name: amount(value) for name, value in (spec.get("overhead") or {}).items()}
    yield from _plus(total, overhead).items()


def container_requests(pod: Object) -> dict[str, Decimal]:
    """Return the sum of containers and sidecars, or more while an init container runs.

    It runs beside the sidecars that were started before it; the peak counts.
    """
    spec = pod.get("spec", {})
    sidecars: dict[str, Decimal] = {}
    peak: dict[str, Decimal] = {}
    for container in spec.get("initContainers") or []:
        asked = _plus(sidecars, _sum([container]))
        if container.get("restartPolicy") == "Always":
            sidecars = asked
        for name, value in asked.items():
            peak[name] = max(peak.get(name, Decimal(0)), value)
    total = _plus(_sum(spec.get("containers") or []), sidecars)
    for name, value in peak.items():
        total[name] = max(total.get(name, Decimal(0)), value)
    return total


def _plus(left: dict[str, Decimal], right: dict[str, Decimal]) -> dict[str, Decimal]:
    total = dict(left)
    for name, value in right.items():
        total[name] = total.get(name, Decimal(0)) + value
    return total


def _sum(holders: Iterable[Object]) -> dict[str, Decimal]:
    total: dict[str, Decimal] = {}
    for holder in holders:
        requests = (holder.get("resources") or {}).get("requests") or {}
        for name, quantity in requests.items():
            total[name] = total.get(name, Decimal(0)) + amount(quantity)
    return total

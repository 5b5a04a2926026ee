"""Which Pods are the scheduler's business, and which events are worth another attempt.

Source: the queueing hints of kube-scheduler 1.37. Erring on the side of one attempt too many
is allowed; missing one is not.
"""

from __future__ import annotations

from conformance.kube.objects import Object, name_of, namespace_of
from conformance.reference.podclaims import (
    allocation_of,
    group_name,
    is_finished,
    is_for_pod,
    known_claim_names,
)

#: Seconds until a Pod is tried again after its first failed attempt, and at most.
FIRST_DELAY = 1.0
LONGEST_DELAY = 10.0


def is_mine(pod: Object, scheduler_name: str) -> bool:
    """Tell whether the Pod waits for this scheduler; one with a node does not."""
    spec = pod.get("spec", {})
    return (
        not spec.get("nodeName")
        and not spec.get("schedulingGates")
        and not pod["metadata"].get("deletionTimestamp")
        and spec.get("schedulerName", "default-scheduler") == scheduler_name
    )


def retry_delay(attempts: int) -> float:
    """Return the delay after so many failed attempts."""
    # The longest is reached long before.
    return min(FIRST_DELAY * 2 ** min(attempts, 32), LONGEST_DELAY)


def changed_for_scheduling(pod: Object, old: Object) -> bool:
    """Tell whether a Pod changed in a way that scheduling looks at; conditions are none."""

    def relevant(obj: Object) -> tuple[object, ...]:
        statuses = obj.get("status", {}).get("resourceClaimStatuses")
        return obj.get("spec"), obj["metadata"].get("labels"), statuses

    return relevant(pod) != relevant(old)


def wakes(pod: Object, plural: str, kind: str, obj: Object, old: Object | None) -> bool:
    """Tell whether the event may make a parked Pod schedulable."""
    if makes_room(plural, kind, obj, old):
        return True
    if plural == "pods":
        return gets_a_node(obj, old) and _is_of_its_group(pod, obj)
    return plural == "resourceclaims" and _concerns(pod, kind, obj, old)


def gets_a_node(pod: Object, old: Object | None) -> bool:
    """Tell whether the Pod has a node since this event."""
    return bool(pod.get("spec", {}).get("nodeName")) and not (
        old is not None and old.get("spec", {}).get("nodeName")
    )


def makes_room(plural: str, kind: str, obj: Object, old: Object | None) -> bool:
    """Tell whether the event may help Pods whatever claims they have."""
    if plural == "resourceclaims":
        was_allocated = old is not None and allocation_of(old) is not None
        return was_allocated and (kind == "DELETED" or allocation_of(obj) is None)
    if plural == "pods":
        # Only a Pod that gives resources back makes room.
        nominated = obj.get("status", {}).get("nominatedNodeName")
        has_node = bool(obj.get("spec", {}).get("nodeName") or nominated)
        return has_node and (kind == "DELETED" or is_finished(obj))
    if plural == "nodes":
        return kind != "DELETED" and (old is None or _node_view(obj) != _node_view(old))
    if plural == "deviceclasses":
        return kind != "DELETED"
    if plural == "podgroups":
        return kind != "DELETED" and (old is None or obj["spec"] != old["spec"])
    return True


def _concerns(pod: Object, kind: str, claim: Object, old: Object | None) -> bool:
    if namespace_of(claim) != namespace_of(pod):
        return False
    used = name_of(claim) in known_claim_names(pod) or is_for_pod(pod, claim)
    return used and (kind == "DELETED" or old is None or claim.get("status") != old.get("status"))


def _is_of_its_group(pod: Object, other: Object) -> bool:
    same = namespace_of(pod) == namespace_of(other) and group_name(pod) == group_name(other)
    return same and bool(group_name(pod))


def _node_view(node: Object) -> tuple[object, ...]:
    allocatable = node.get("status", {}).get("allocatable")
    return node.get("spec"), node["metadata"].get("labels"), allocatable

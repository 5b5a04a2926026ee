"""What the status of a DeviceTaintRule says of the eviction that the rule causes.

Pure. Source: API reference of DeviceTaintRuleStatus and kube-controller-manager 1.37; the
reasons and messages are those of that version, the API promises type and status alone.
"""

from __future__ import annotations

from datetime import datetime

import attrs

from conformance.kube.conditions import find
from conformance.kube.objects import Object, copy_of
from conformance.kube.times import format_time, parse

#: The condition, and the shortest time in seconds between two of its updates.
EVICTION = "EvictionInProgress"
PERIOD = 10.0


@attrs.frozen(kw_only=True)
class Tally:
    """What a rule does, or would do: Pods and their namespaces, devices, Pods evicted so far."""

    pods: int = 0
    namespaces: int = 0
    published: int = 0
    allocated: int = 0
    evicted: int = 0


def eviction_condition(rule: Object, tally: Tally) -> Object:
    """Return the condition, without the time of its transition."""
    effect = rule["spec"]["taint"]["effect"]
    status, reason, message = "False", "OtherEffect", "Eviction happens for NoExecute only."
    if effect == "None":
        reason, message = "NoEffect", _forecast(tally)
    elif effect == "NoExecute" and tally.pods:
        status, reason = "True", "PodsPendingEviction"
        message = f"{_pods(tally)} to be evicted."
    elif effect == "NoExecute":
        reason, message = ("Completed" if tally.evicted else "NotStarted"), ""
    if tally.evicted:
        message = f"{message} {tally.evicted} Pods evicted so far.".strip()
    return {
        "type": EVICTION,
        "status": status,
        "reason": reason,
        "message": message,
        "observedGeneration": rule["metadata"].get("generation", 1),
    }


def seconds_to_wait(rule: Object, now: datetime) -> float:
    """Return how long the condition must be left as it is; nothing for one of an older rule."""
    present = find(rule.get("status", {}).get("conditions"), EVICTION)
    if present is None or present.get("observedGeneration") != rule["metadata"].get("generation"):
        return 0.0
    age = (now - parse(present["lastTransitionTime"])).total_seconds()
    return PERIOD - age


def with_condition(rule: Object, condition: Object, now: datetime) -> Object | None:
    """Return the rule with the condition, or nothing where it says so already."""
    present = find(rule.get("status", {}).get("conditions"), EVICTION) or {}
    if all(present.get(key) == value for key, value in condition.items()):
        return None
    changed = copy_of(rule)
    others = changed.setdefault("status", {}).get("conditions") or []
    kept = [one for one in others if one["type"] != EVICTION]
    # Upstream stamps every change of the condition, not transitions alone: it is its timer.
    stamped = {**condition, "lastTransitionTime": format_time(now)}
    changed["status"]["conditions"] = [*kept, stamped]
    return changed


def _pods(tally: Tally) -> str:
    return f"{tally.pods} Pods in {tally.namespaces} namespaces"


def _forecast(tally: Tally) -> str:
    return (
        f"{tally.published} published devices and {tally.allocated} allocated devices are "
        f"selected; {_pods(tally)} would be evicted by the effect NoExecute."
    )

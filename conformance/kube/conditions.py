"""Conditions: type, status, reason, message, lastTransitionTime."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from conformance.kube.objects import Object
from conformance.kube.times import format_time


def find(conditions: Sequence[Object] | None, type_: str) -> Object | None:
    """Return the condition of a type, if it is there."""
    for condition in conditions or ():
        if condition.get("type") == type_:
            return condition
    return None


def is_true(conditions: Sequence[Object] | None, type_: str) -> bool:
    """Return whether the condition is there with status ``True``."""
    condition = find(conditions, type_)
    return condition is not None and condition.get("status") == "True"


def put(conditions: list[Object], condition: Object, now: datetime) -> bool:
    """Set a condition in place; return whether anything changed.

    lastTransitionTime moves only when the status does (API conventions, "Typical status
    properties").
    """
    present = find(conditions, condition["type"])
    if present is None:
        conditions.append({"lastTransitionTime": format_time(now), **condition})
        return True
    wanted = dict(condition)
    if present.get("status") != condition.get("status"):
        wanted.setdefault("lastTransitionTime", format_time(now))
    changed = any(present.get(key) != value for key, value in wanted.items())
    present.update(wanted)
    return changed

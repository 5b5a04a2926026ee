"""Binding conditions: when a Pod may be bound to the devices of its claims.

Source: KEP-5007. The document speaks of ``status.conditions`` of the claim; the API carries
the conditions per device, in ``status.devices[].conditions``.
"""

from __future__ import annotations

from datetime import datetime

from conformance.kube.conditions import is_true
from conformance.kube.objects import Object
from conformance.kube.times import parse
from conformance.reference.podclaims import allocation_of, results_of


def device_conditions(claim: Object, result: Object) -> list[Object]:
    """Return what was reported about one allocated device."""
    for status in claim.get("status", {}).get("devices") or []:
        keys = ("driver", "pool", "device", "shareID")
        if all(status.get(key) == result.get(key) for key in keys):
            return list(status.get("conditions") or [])
    return []


def has_conditions(claim: Object) -> bool:
    """Tell whether any device of the claim must become ready before a Pod is bound."""
    return any(result.get("bindingConditions") for result in results_of(claim))


def conditions_met(claim: Object) -> bool:
    """Tell whether every binding condition of every allocated device is True."""
    return all(
        is_true(device_conditions(claim, result), wanted)
        for result in results_of(claim)
        for wanted in result.get("bindingConditions") or []
    )


def failed_condition(claim: Object) -> str | None:
    """Return the type of a failure condition that is True, if any.

    A device without binding conditions is not waited for, and so can't fail either.
    """
    for result in results_of(claim):
        if not result.get("bindingConditions"):
            continue
        conditions = device_conditions(claim, result)
        for failure in result.get("bindingFailureConditions") or []:
            if is_true(conditions, failure):
                return failure
    return None


def age(claim: Object, now: datetime) -> float:
    """Return for how many seconds the claim has been waiting for its devices."""
    stamp = (allocation_of(claim) or {}).get("allocationTimestamp")
    if not stamp or not has_conditions(claim):
        return 0.0
    return (now - parse(stamp)).total_seconds()

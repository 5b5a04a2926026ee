"""Taints of devices and their tolerations (KEP-5055)."""

from __future__ import annotations

from collections.abc import Iterable

from conformance.kube.objects import Object

#: Other effects, such as ``None`` and ones still unknown, prevent nothing.
_PREVENTING = frozenset({"NoSchedule", "NoExecute"})


def prevents(device: Object, tolerations: Iterable[Object]) -> bool:
    """Return whether a taint of the device is not tolerated."""
    tolerated = list(tolerations)
    return any(
        taint.get("effect") in _PREVENTING and not any(tolerates(one, taint) for one in tolerated)
        for taint in device.get("taints") or []
    )


def tolerates(toleration: Object, taint: Object) -> bool:
    """Return whether the toleration covers the taint; an empty key or effect covers any."""
    for field in ("effect", "key"):
        if toleration.get(field) and toleration[field] != taint.get(field):
            return False
    operator = toleration.get("operator") or "Equal"
    if operator == "Equal":
        return (toleration.get("value") or "") == (taint.get("value") or "")
    return operator == "Exists"

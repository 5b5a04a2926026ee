"""Capacity that a request asks of a device which is not shared (KEP-5075)."""

from __future__ import annotations

from conformance.kube import quantity
from conformance.kube.objects import Object


def suffices(device: Object, request: Object) -> bool:
    """Return whether the device has as much of everything as the request asks for.

    Names are compared as they stand: one with domain does not find one without.
    """
    present = device.get("capacity") or {}
    asked = (request.get("capacity") or {}).get("requests") or {}
    return all(
        name in present and quantity.parse(amount) <= quantity.parse(present[name]["value"])
        for name, amount in asked.items()
    )

"""Saboteurs of the allocation that change what the scheduler allocates from, or for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur


def slices(change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that allocates from ResourceSlices that were changed so."""

    def saboteur(real: Any, claims: Any, *, slices: Any, **view: Any) -> Any:
        changed = copy.deepcopy(list(slices))
        for one in changed:
            change(one)
        return real(claims, slices=changed, **view)

    return saboteur


def devices(change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that allocates from devices that were changed so."""

    def every(one: Object) -> None:
        for device in one["spec"].get("devices") or []:
            change(device)

    return slices(every)


def claims(change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that allocates for claims that were changed so."""

    def saboteur(real: Any, claims: Any, **view: Any) -> Any:
        changed = copy.deepcopy(list(claims))
        for one in changed:
            change(one)
        return real(changed, **view)

    return saboteur


def requests(change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that allocates for requests that were changed so."""

    def every(claim: Object) -> None:
        for request in claim["spec"]["devices"].get("requests") or []:
            change(request)

    return claims(every)

"""Ways to understand a request otherwise, which several saboteurs of the API share."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur

_CLASSES = "deviceclasses"

#: Changes a query in place; the verb is known by then.
Misreading = Callable[[dict[str, str]], None]


def labels(obj: Object) -> Object:
    """Return the labels of an object, or none."""
    return obj.get("metadata", {}).get("labels") or {}


def misreads(verb: str, change: Misreading, plural: str = _CLASSES) -> Saboteur:
    """Return a saboteur that understands the query of this verb of one resource otherwise."""

    def saboteur(real: Any, asked: str, target: Any, query: dict[str, str]) -> dict[str, str]:
        understood = dict(real(asked, target, query))
        if (asked, target.resource.plural) == (verb, plural):
            change(understood)
        return understood

    return saboteur


def overlooks(*keys: str) -> Misreading:
    """Return the change that leaves these parts of a query out."""

    def change(query: dict[str, str]) -> None:
        for key in keys:
            query.pop(key, None)

    return change


def reads(change: Callable[[Object], None], kind: str = "DeviceClass") -> Saboteur:
    """Return a saboteur that takes what is sent of one kind for something else."""

    def saboteur(real: Any, obj: Object) -> Object:
        if obj["kind"] == kind:
            obj = copy.deepcopy(obj)
            change(obj)
        return real(obj)

    return saboteur


def prepares(change: Callable[[str, Object, Object, Object, str], None]) -> Saboteur:
    """Return a saboteur that stores updates changed so: (plural, new, sent, old, subresource)."""

    def saboteur(real: Any, plural: str, new: Object, old: Object, *rest: Any) -> None:
        sent = copy.deepcopy(new)
        real(plural, new, old, *rest)
        change(plural, new, sent, old, rest[-1])

    return saboteur

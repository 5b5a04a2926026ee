"""Server-side apply without field managers: the applied object is merged into the present one.

What another writer has set stays, also in lists that the API merges by keys (listType=map),
such as one driver's entries in ``status.devices``. Nothing remembers who owns which field, so
a field that is left out of a later apply stays too (see ``SIMPLIFICATIONS``).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from conformance.kube.objects import Object
from conformance.kube.patch import MERGE_KEYS, MERGE_SETS

#: Lists of resource.k8s.io that are merged by more than one key, or by other keys than a
#: strategic merge patch knows.
_KEYS: dict[str, tuple[str, ...]] = {
    "status.devices": ("driver", "pool", "device", "shareID"),
    "status.reservedFor": ("uid",),
    "spec.containers.ports": ("containerPort", "protocol"),
}


def apply(current: Object, applied: Object) -> Object:
    """Return the present object with the applied one merged into it."""
    return _maps(current, applied, "")


def _merge(current: Any, applied: Any, path: str) -> Any:
    if isinstance(applied, dict):
        return _maps(current if isinstance(current, dict) else {}, applied, path)
    if isinstance(applied, list):
        return _lists(current if isinstance(current, list) else [], applied, path)
    return applied


def _maps(current: Object, applied: Object, path: str) -> Object:
    merged = dict(current)
    for key, value in applied.items():
        where = f"{path}.{key}" if path else key
        merged[key] = _merge(merged.get(key), value, where)
    return merged


def _lists(current: list[Any], applied: list[Any], path: str) -> list[Any]:
    name = path.rpartition(".")[2]
    if name in MERGE_SETS:
        return current + [item for item in applied if item not in current]
    keys = _KEYS.get(path) or ((MERGE_KEYS[name],) if name in MERGE_KEYS else ())
    if not keys or not all(isinstance(item, dict) for item in (*current, *applied)):
        return copy.deepcopy(applied)
    merged: list[Object] = list(current)
    for item in applied:
        position = _position(merged, item, keys)
        if position is None:
            merged.append(copy.deepcopy(item))
        else:
            merged[position] = _maps(merged[position], item, path)
    return merged


def _position(items: Sequence[Object], wanted: Object, keys: Sequence[str]) -> int | None:
    for position, item in enumerate(items):
        if all(item.get(key) == wanted.get(key) for key in keys):
            return position
    return None

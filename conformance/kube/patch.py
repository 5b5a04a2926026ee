"""Patches of plain objects: JSON patch, JSON merge patch, strategic merge patch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.kube.objects import Object, copy_of


class PatchError(ValueError):
    """A patch is malformed, or does not apply to this object."""


class DirectiveError(PatchError):
    """A strategic merge patch has a directive, or lacks a key, that makes it meaningless."""


#: Lists that a strategic merge patch merges by a key, by the name of the field that holds
#: them (the ``patchMergeKey`` tags of the API's types). Other lists are replaced.
MERGE_KEYS: Mapping[str, str] = {
    "conditions": "type",
    "containers": "name",
    "initContainers": "name",
    "ephemeralContainers": "name",
    "env": "name",
    "volumes": "name",
    "volumeMounts": "mountPath",
    "ports": "containerPort",
    "imagePullSecrets": "name",
    "ownerReferences": "uid",
    "resourceClaims": "name",
    "resourceClaimStatuses": "name",
    "addresses": "type",
    "allocatedResourcesStatus": "name",
    "hostAliases": "ip",
    "reservedFor": "uid",
    "schedulingGates": "name",
    "topologySpreadConstraints": "topologyKey",
    "volumeDevices": "devicePath",
    "podIPs": "ip",
    "hostIPs": "ip",
}

#: Lists of plain values that a strategic merge patch joins.
MERGE_SETS = frozenset({"finalizers", "podCIDRs"})

_ORDER = "$setElementOrder/"


def merge_patch(target: Any, patch: Any) -> Any:
    """Return the target as a JSON merge patch leaves it (RFC 7386)."""
    if not isinstance(patch, dict):
        return copy_of(patch)
    merged: Object = dict(target) if isinstance(target, dict) else {}
    changes: Object = patch
    for key, value in changes.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged


def json_patch(target: Any, operations: Sequence[Object]) -> Any:
    """Return the target as a JSON patch leaves it (RFC 6902); raises ``PatchError``."""
    holder: Object = {"": copy_of(target)}
    for operation in operations:
        _apply(holder, operation)
    return holder[""]


def _apply(holder: Object, operation: Object) -> None:
    name = operation.get("op")
    path = operation.get("path")
    if not isinstance(path, str) or (path and not path.startswith("/")):
        raise PatchError(f"invalid JSON pointer {path!r}")
    if name in {"add", "replace", "test"} and "value" not in operation:
        raise PatchError(f"operation {name} at {path!r} has no value")
    if name == "add":
        _put(holder, path, copy_of(operation["value"]), insert=True)
    elif name == "replace":
        _get(holder, path)
        _put(holder, path, copy_of(operation["value"]), insert=False)
    elif name == "remove":
        _take(holder, path)
    elif name == "move":
        _put(holder, path, _take(holder, operation.get("from", "")), insert=True)
    elif name == "copy":
        value = copy_of(_get(holder, operation.get("from", "")))
        _put(holder, path, value, insert=True)
    elif name == "test":
        if _get(holder, path) != operation["value"]:
            raise PatchError(f"testing value {path} failed")
    else:
        raise PatchError(f"unexpected operation {name!r}")


def _steps(path: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")]


def _index(items: list[Any], step: str, path: str, *, end: bool = False) -> int:
    if step == "-" and end:
        return len(items)
    if not step.isdigit() or int(step) >= len(items) + (1 if end else 0):
        raise PatchError(f"index {step!r} at {path!r} is out of range")
    return int(step)


def _down(value: Any, step: str, path: str) -> Any:
    if isinstance(value, list):
        items: list[Any] = value
        return items[_index(items, step, path)]
    if isinstance(value, dict) and step in value:
        return value[step]
    raise PatchError(f"path {path!r} does not exist")


def _get(holder: Object, path: str) -> Any:
    value: Any = holder
    for step in _steps(path):
        value = _down(value, step, path)
    return value


def _parent(holder: Object, path: str) -> tuple[Any, str]:
    steps = _steps(path)
    value: Any = holder
    for step in steps[:-1]:
        value = _down(value, step, path)
    return value, steps[-1]


def _put(holder: Object, path: str, value: Any, *, insert: bool) -> None:
    parent, last = _parent(holder, path)
    if isinstance(parent, list):
        items: list[Any] = parent
        index = _index(items, last, path, end=insert)
        items[index : index + (0 if insert else 1)] = [value]
    elif isinstance(parent, dict):
        parent[last] = value
    else:
        raise PatchError(f"path {path!r} does not exist")


def _take(holder: Object, path: str) -> Any:
    value = _get(holder, path)
    parent, last = _parent(holder, path)
    if isinstance(parent, list):
        del parent[int(last)]
    else:
        del parent[last]
    return value


def strategic_merge(target: Any, patch: Any, field: str = "") -> Any:
    """Return the target as a strategic merge patch leaves it.

    Knows the merge keys of ``MERGE_KEYS`` and the directives ``$patch: delete|replace``,
    ``$setElementOrder/…``, ``$retainKeys`` (ignored) and ``$deleteFromPrimitiveList/…``.
    Raises ``DirectiveError``.
    """
    if isinstance(patch, dict):
        return _merge_maps(target, patch)
    if isinstance(patch, list):
        return _merge_lists(target, patch, field, None)
    return copy_of(patch)


def _merge_maps(target: Any, patch: Object) -> Object:
    directive = patch.get("$patch")
    if directive == "replace":
        return {key: copy_of(value) for key, value in patch.items() if key != "$patch"}
    if directive == "delete":
        return {}
    if directive is not None and directive != "merge":
        raise DirectiveError(f"unknown patch type found: {directive}")
    merged: Object = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if key.startswith("$deleteFromPrimitiveList/"):
            name = key.partition("/")[2]
            merged[name] = [one for one in merged.get(name) or [] if one not in value]
        elif key.startswith("$"):
            continue
        elif value is None:
            merged.pop(key, None)
        elif isinstance(value, list):
            merged[key] = _merge_lists(merged.get(key), value, key, patch.get(_ORDER + key))
        else:
            merged[key] = strategic_merge(merged.get(key), value, key)
    return merged


def _merge_lists(target: Any, patch: list[Any], field: str, order: list[Any] | None) -> list[Any]:
    present: list[Any] = list(target) if isinstance(target, list) else []
    if field in MERGE_SETS:
        together = present + [one for one in patch if one not in present]
        return _in_order(together, present, patch if order is None else order, _itself)
    key = MERGE_KEYS.get(field)
    if key is None or any(_is_replace(one) for one in patch):
        return [copy_of(one) for one in patch if not _is_directive(one)]
    merged = list(present)
    for change in patch:
        if not isinstance(change, dict) or key not in change:
            raise DirectiveError(f"map: {change} does not contain declared merge key: {key}")
        _merge_element(merged, change, key)
    wanted = patch if order is None else order
    return _in_order(merged, present, wanted, lambda one: one.get(key))


def _merge_element(merged: list[Any], change: Object, key: str) -> None:
    found = next((i for i, one in enumerate(merged) if one.get(key) == change[key]), None)
    if change.get("$patch") == "delete":
        merged[:] = [one for one in merged if one.get(key) != change[key]]
    elif found is None:
        merged.append(_merge_maps({}, change))
    else:
        merged[found] = _merge_maps(merged[found], change)


def _in_order(
    items: list[Any], before: list[Any], wanted: list[Any], key_of: Callable[[Any], Any]
) -> list[Any]:
    """Return items in the order of the patch.

    What only the server knows stays before those of the patch that it stood before
    (``normalizeElementOrder`` of upstream).
    """
    order = [key_of(one) for one in wanted]
    past = [key_of(one) for one in before]
    named = [one for one in items if key_of(one) in order]
    named.sort(key=lambda one: order.index(key_of(one)))
    others = [one for one in items if key_of(one) not in order]
    result: list[Any] = []
    while others and named:
        left, right = key_of(others[0]), key_of(named[0])
        is_first = left in past and right in past and past.index(left) < past.index(right)
        result.append(others.pop(0) if is_first else named.pop(0))
    return result + others + named


def _itself(one: Any) -> Any:
    return one


def _is_directive(one: Any) -> bool:
    return isinstance(one, dict) and "$patch" in one and len(one) == 1


def _is_replace(one: Any) -> bool:
    return _is_directive(one) and one["$patch"] == "replace"

"""Kubernetes objects are plain JSON mappings; these are small readers of them."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

#: A Kubernetes object, or a part of one, with its camelCase keys.
Object: TypeAlias = dict[str, Any]


def copy_of(value: Any) -> Any:
    """Return a copy that shares nothing which could be changed; for JSON values alone.

    ``copy.deepcopy`` looks for cycles and aliases, which JSON cannot hold, and takes more
    than twice as long.
    """
    if isinstance(value, dict):
        return {key: copy_of(one) for key, one in cast("Object", value).items()}
    if isinstance(value, list):
        return [copy_of(one) for one in cast("list[Any]", value)]
    return value


def meta(obj: Object) -> Object:
    """Return the metadata of an object, which is created where it is missing."""
    return obj.setdefault("metadata", {})


def name_of(obj: Object) -> str:
    """Return the name, empty where there is none."""
    return obj.get("metadata", {}).get("name", "")


def namespace_of(obj: Object) -> str:
    """Return the namespace, empty for objects of cluster scope."""
    return obj.get("metadata", {}).get("namespace", "")


def uid_of(obj: Object) -> str:
    """Return the uid, empty where there is none."""
    return obj.get("metadata", {}).get("uid", "")


def key_of(obj: Object) -> str:
    """Return ``namespace/name``, or the name alone for objects of cluster scope."""
    namespace = namespace_of(obj)
    return f"{namespace}/{name_of(obj)}" if namespace else name_of(obj)


def owner_of(obj: Object) -> Object | None:
    """Return the owner reference that controls the object, if any."""
    for reference in obj.get("metadata", {}).get("ownerReferences") or []:
        if reference.get("controller"):
            return reference
    return None

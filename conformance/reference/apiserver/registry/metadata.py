"""ObjectMeta: what a create fills in, what an update keeps, and what makes it invalid.

Source: k8s.io/apiserver pkg/registry/rest, k8s.io/apimachinery pkg/api/validation/objectmeta.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from conformance.kube import names, times
from conformance.kube.fields import ErrorKind, FieldError
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.identity import Identity

#: Kinds whose names are path segments rather than DNS names.
_PATH_NAMES = ("roles", "clusterroles", "rolebindings", "clusterrolebindings")
_LABEL_NAMES = ("namespaces", "services")

#: Characters of generateName that survive, so that name and suffix stay below 63.
_GENERATED_BASE = 58

_STANDARD_FINALIZERS = ("kubernetes", "foregroundDeletion", "orphan")

_SET_BY_SERVER = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


def prepare_create(obj: Object, namespace: str, identity: Identity, now: datetime) -> None:
    """Fill in what the server sets on a new object."""
    meta: dict[str, Any] = obj.setdefault("metadata", {})
    for key in (*_SET_BY_SERVER, "selfLink", "resourceVersion"):
        meta.pop(key, None)
    if not meta.get("name") and meta.get("generateName"):
        meta["name"] = meta["generateName"][:_GENERATED_BASE] + identity.suffix()
    if namespace:
        meta["namespace"] = namespace
    else:
        meta.pop("namespace", None)
    meta["uid"] = identity.uid()
    meta["creationTimestamp"] = times.format_time(now)


def prepare_update(new: Object, old: Object) -> None:
    """Keep what only the server may set."""
    meta: dict[str, Any] = new.setdefault("metadata", {})
    was = old["metadata"]
    meta.pop("selfLink", None)
    if "namespace" not in was:
        # Nothing of cluster scope has one, whatever is sent.
        meta.pop("namespace", None)
    meta["resourceVersion"] = was["resourceVersion"]
    for key in ("name", "namespace", "uid", "creationTimestamp", "generateName"):
        if key in was:
            meta.setdefault(key, was[key])
    # Rest's BeforeUpdate: a deletion that has begun is never taken back by an update.
    for key in ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"):
        if key in was:
            meta[key] = was[key]
        else:
            meta.pop(key, None)
    if "generation" in was:
        meta["generation"] = was["generation"]


def validate_create(obj: Object, resource: Resource) -> Iterator[FieldError]:
    """Yield what is wrong with the metadata of a new object."""
    meta = obj["metadata"]
    yield from _generate_name(meta, resource)
    yield from _name(meta, resource)
    yield from _labels(meta)
    yield from _annotations(meta)
    yield from _finalizers(meta)
    yield from _owner_references(meta)


def validate_update(new: Object, old: Object) -> Iterator[FieldError]:
    """Yield what is wrong with the metadata of a changed object."""
    meta, was = new["metadata"], old["metadata"]
    for key in ("name", "namespace", "uid"):
        if meta.get(key) != was.get(key):
            yield _error("FieldValueInvalid", key, meta.get(key), "field is immutable")
    yield from _labels(meta)
    yield from _annotations(meta)
    yield from _finalizers(meta)
    yield from _owner_references(meta)
    if "deletionTimestamp" in was:
        kept = was.get("finalizers", [])
        added = [name for name in meta.get("finalizers", []) if name not in kept]
        if added:
            spelled = ", ".join(f'"{name}"' for name in added)
            yield _error(
                "FieldValueForbidden",
                "finalizers",
                None,
                "no new finalizers can be added if the object is being deleted, "
                f"found new finalizers []string{{{spelled}}}",
            )


def _error(kind: str, path: str, value: Any, detail: str) -> FieldError:
    return FieldError(ErrorKind(kind), f"metadata.{path}", value, detail)


def _name(meta: Object, resource: Resource) -> Iterator[FieldError]:
    name = meta.get("name", "")
    if not name:
        yield _error("FieldValueRequired", "name", "", "name or generateName is required")
        return
    for detail in _wrong_name(name, resource):
        yield _error("FieldValueInvalid", "name", name, detail)


def _generate_name(meta: Object, resource: Resource) -> Iterator[FieldError]:
    prefix = meta.get("generateName", "")
    # A prefix may end in what no name may end in.
    whole = f"{prefix[:-1]}a" if prefix.endswith("-") else prefix
    for detail in _wrong_name(whole, resource) if prefix else ():
        yield _error("FieldValueInvalid", "generateName", prefix, detail)


def _wrong_name(name: str, resource: Resource) -> list[str]:
    if resource.plural in _PATH_NAMES:
        return ["may not contain '/'"] if "/" in name or name in (".", "..") else []
    if resource.plural in _LABEL_NAMES:
        return names.dns_label(name)
    return names.dns_subdomain(name)


def _labels(meta: Object) -> Iterator[FieldError]:
    for key, value in meta.get("labels", {}).items():
        for detail in names.qualified_name(key):
            yield _error("FieldValueInvalid", "labels", key, detail)
        for detail in names.label_value(value):
            yield _error("FieldValueInvalid", "labels", value, detail)


def _annotations(meta: Object) -> Iterator[FieldError]:
    for key in meta.get("annotations", {}):
        for detail in names.qualified_name(key.lower()):
            yield _error("FieldValueInvalid", "annotations", key, detail)


def _finalizers(meta: Object) -> Iterator[FieldError]:
    for index, name in enumerate(meta.get("finalizers", [])):
        for detail in names.qualified_name(name):
            yield _error("FieldValueInvalid", "finalizers", name, detail)
        if "/" not in name and name not in _STANDARD_FINALIZERS:
            detail = "name is neither a standard finalizer name nor is it fully qualified"
            yield _error("FieldValueInvalid", f"finalizers[{index}]", name, detail)


def _owner_references(meta: Object) -> Iterator[FieldError]:
    controllers: list[str] = []
    for index, reference in enumerate(meta.get("ownerReferences", [])):
        for key in ("apiVersion", "kind", "name", "uid"):
            if not reference.get(key):
                path = f"ownerReferences[{index}].{key}"
                yield _error("FieldValueRequired", path, "", "must not be empty")
        if reference.get("controller"):
            controllers.append(reference.get("kind", ""))
    if len(controllers) > 1:
        yield _error(
            "FieldValueInvalid",
            "ownerReferences",
            meta["ownerReferences"],
            "Only one reference can have Controller set to true. Found "
            f'"true" in references for {controllers[0]} and {controllers[1]}',
        )

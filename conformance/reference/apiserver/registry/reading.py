"""Get, and which objects a list or watch selects."""

from __future__ import annotations

from collections.abc import Callable

from conformance.kube import selectors, status
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.apiserver.registry import refusals
from conformance.reference.apiserver.registry.context import Registry, Target, storage_of

#: Field labels that a list or watch may select by, beside metadata.name and .namespace.
SELECTABLE: dict[str, tuple[str, ...]] = {
    "pods": (
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "spec.hostNetwork",
        "status.phase",
        "status.podIP",
        "status.nominatedNodeName",
    ),
    "nodes": ("spec.unschedulable",),
    "namespaces": ("status.phase",),
    "resourceslices": ("spec.nodeName", "spec.driver", "spec.pool.name"),
    "secrets": ("type",),
    "events": (
        "involvedObject.kind",
        "involvedObject.namespace",
        "involvedObject.name",
        "involvedObject.uid",
        "involvedObject.apiVersion",
        "involvedObject.resourceVersion",
        "involvedObject.fieldPath",
        "reason",
        "reportingComponent",
        "source",
        "type",
    ),
}

_GENERAL = ("metadata.name", "metadata.namespace")
_BOOLEANS = ("spec.unschedulable", "spec.hostNetwork")

#: Does this object belong to the list or watch?
Selection = Callable[[Object], bool]


def get(registry: Registry, target: Target, version: str = "") -> Object:
    """Return one object, at least as new as ``version``. Raises ``StatusError`` 404 or 504."""
    wanted = revision_of(version)
    if wanted > registry.store.revision:
        raise refusals.too_large_revision(wanted, registry.store.revision)
    obj = registry.store.get(storage_of(target.resource), target.key)
    if obj is None:
        raise refusals.not_found(target)
    return obj


def select(target: Target, label_selector: str, field_selector: str) -> Selection:
    """Return the predicate of a list, watch or collection delete.

    Raises ``StatusError`` 400 for a selector that cannot be read or a field without index.
    """
    try:
        labels = selectors.parse_label_selector(label_selector)
        fields = selectors.parse_field_selector(field_selector)
    except ValueError as error:
        raise status.bad_request(str(error)) from error
    general = _GENERAL if target.resource.namespaced else _GENERAL[:1]
    allowed = (*general, *SELECTABLE.get(target.resource.plural, ()))
    for path, _, _ in fields.terms:
        if path not in allowed:
            raise status.bad_request(f"field label not supported: {path}")

    def is_selected(obj: Object) -> bool:
        meta = obj["metadata"]
        if target.namespace and meta.get("namespace") != target.namespace:
            return False
        if target.name and meta["name"] != target.name:
            return False
        return labels.matches(meta.get("labels", {})) and all(
            (_field(obj, path) == value) is equal for path, equal, value in fields.terms
        )

    return is_selected


def revision_of(version: str) -> int:
    """Return the number that a resource version is; 0 for none. Raises ``StatusError`` 500."""
    if not version:
        return 0
    if not version.isdecimal():
        raise status.unknown(f'resourceVersion: Invalid value: "{version}": invalid syntax')
    return int(version)


def list_kind(resource: Resource) -> str:
    """Return the kind of a list of that resource."""
    return f"{resource.kind}List"


def _field(obj: Object, path: str) -> str:
    text = selectors.read(obj, path)
    return text or "false" if path in _BOOLEANS else text

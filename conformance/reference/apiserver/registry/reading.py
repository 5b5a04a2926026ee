"""Get and list: selectors, pages, resource versions."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

import attrs

from conformance.kube import selectors, status
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError
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
    "resourceslices": ("spec.nodeName", "spec.driver"),
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


@attrs.frozen(kw_only=True)
class Page:
    """One page of a list."""

    items: list[Object]
    revision: str
    #: Token of the next page; empty on the last one.
    token: str = ""
    remaining: int = 0


def get(registry: Registry, target: Target) -> Object:
    """Return one object. Raises ``StatusError`` 404."""
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
    allowed = (*_GENERAL, *SELECTABLE.get(target.resource.plural, ()))
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


def list_page(
    registry: Registry, target: Target, is_selected: Selection, *, limit: int = 0, token: str = ""
) -> Page:
    """Return the selected objects, at most ``limit`` of them after the one in ``token``."""
    items = registry.store.list(storage_of(target.resource), target.namespace)
    items = [obj for obj in items if is_selected(obj)]
    revision = str(registry.store.revision)
    if token:
        start, revision = _read_token(token)
        items = [obj for obj in items if _position(obj) > start]
    if not limit or len(items) <= limit:
        return Page(items=items, revision=revision)
    return Page(
        items=items[:limit],
        revision=revision,
        token=_write_token(items[limit - 1], revision),
        remaining=len(items) - limit,
    )


def list_kind(resource: Resource) -> str:
    """Return the kind of a list of that resource."""
    return f"{resource.kind}List"


def _field(obj: Object, path: str) -> str:
    text = selectors.read(obj, path)
    return text or "false" if path in _BOOLEANS else text


def _position(obj: Object) -> list[str]:
    return [obj["metadata"].get("namespace", ""), obj["metadata"]["name"]]


def _write_token(last: Object, revision: str) -> str:
    text = json.dumps({"rv": revision, "start": _position(last)})
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read_token(token: str) -> tuple[list[str], str]:
    try:
        text = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        return list(text["start"]), str(text["rv"])
    except (ValueError, KeyError, TypeError) as error:
        raise StatusError(
            code=400, reason="BadRequest", message="continue key is not valid"
        ) from error

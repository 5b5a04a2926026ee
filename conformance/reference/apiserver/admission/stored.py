"""Kinds with few rules of their own: namespaces, nodes, workloads, config maps, secrets."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from conformance.kube import fields
from conformance.kube.fields import FieldError
from conformance.kube.objects import Object
from conformance.reference.apiserver.registry.strategy import keep_status

_NAMESPACE_LABEL = "kubernetes.io/metadata.name"

#: Namespaces that NamespaceLifecycle protects from deletion.
PROTECTED_NAMESPACES = ("default", "kube-system", "kube-public")


def prepare_namespace(namespace: Object, now: datetime) -> None:
    """Set the finalizer, the phase and the label that every namespace has."""
    del now
    namespace["spec"] = {"finalizers": ["kubernetes"]}
    namespace["status"] = {"phase": "Active"}
    _label(namespace)


def prepare_namespace_update(new: Object, old: Object, now: datetime, subresource: str) -> None:
    """Keep what only the server and the finalize subresource may change."""
    keep_status(new, old, now, subresource)
    new["spec"] = old["spec"]
    _label(new)


def _label(namespace: Object) -> None:
    meta = namespace["metadata"]
    if meta.get("name"):
        meta["labels"] = {**meta.get("labels", {}), _NAMESPACE_LABEL: meta["name"]}


def prepare_node_update(new: Object, old: Object, now: datetime, subresource: str) -> None:
    """Let the kubelet write labels with the status; everybody else the rest without it."""
    keep_status(new, old, now, subresource)


def prepare_workload(obj: Object, now: datetime) -> None:
    """Start counting generations of a kind whose status a controller would write."""
    del now
    obj["metadata"]["generation"] = 1
    obj["status"] = {}


def prepare_workload_update(new: Object, old: Object, now: datetime, subresource: str) -> None:
    """Count a generation for every change of the spec."""
    keep_status(new, old, now, subresource)
    if new.get("spec") != old.get("spec"):
        new["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1


def validate_config_map_update(new: Object, old: Object, subresource: str) -> Iterator[FieldError]:
    """Yield what may not change in an immutable ConfigMap or Secret."""
    del subresource
    if not old.get("immutable"):
        return
    for key in ("immutable", "data", "binaryData"):
        if new.get(key) != old.get(key):
            yield fields.forbidden(key, "field is immutable when `immutable` is set")

"""What the API server refuses in resource.k8s.io.

``create`` and ``update`` return field errors with the paths and reasons of Kubernetes 1.37.2;
``admin_access`` is the one rule that needs the namespace. One module per kind or part of one
(``claims``, ``status``, ``slices``, ``devices``, ``administration``, ``poolstatus``), and the
parts they share (``lists``, ``naming``, ``requests``, ``configs``, ``capacities``, ``nodes``).

Rules are generators that take a value and its path, and yield what is wrong with it. They see
objects after ``dra.strategy`` has prepared them. Metadata is validated by the API server's
registry, for all kinds alike. Only ``reference`` may import this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from conformance.dra.features import Features
from conformance.dra.validation import administration, claims, poolstatus, slices, status
from conformance.dra.validation.claims import admin_access
from conformance.kube.fields import FieldError
from conformance.kube.objects import Object

__all__ = ["admin_access", "create", "update"]

_CREATE: Mapping[str, Callable[[Object, Features], Iterator[FieldError]]] = {
    "deviceclasses": administration.create_class,
    "devicetaintrules": administration.create_rule,
    "resourceclaims": claims.create,
    "resourceclaimtemplates": claims.create_template,
    "resourceslices": slices.create,
    "resourcepoolstatusrequests": poolstatus.create,
}

_UPDATE: Mapping[tuple[str, str], Callable[[Object, Object, Features], Iterator[FieldError]]] = {
    ("deviceclasses", ""): administration.update_class,
    ("devicetaintrules", ""): administration.update_rule,
    ("devicetaintrules", "status"): administration.update_rule_status,
    ("resourceclaims", ""): claims.update,
    ("resourceclaims", "status"): status.update,
    ("resourceclaimtemplates", ""): claims.update_template,
    ("resourceslices", ""): slices.update,
    ("resourcepoolstatusrequests", ""): poolstatus.update,
    ("resourcepoolstatusrequests", "status"): poolstatus.update_status,
}


def create(resource: str, obj: Object, features: Features) -> list[FieldError]:
    """Return what is wrong with a new object of the resource (its plural)."""
    return list(_CREATE[resource](obj, features))


def update(
    resource: str, new: Object, old: Object, features: Features, subresource: str = ""
) -> list[FieldError]:
    """Return what is wrong with a change of the object, or of its ``subresource``."""
    return list(_UPDATE[resource, subresource](new, old, features))

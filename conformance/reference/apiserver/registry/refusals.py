"""How a refusal is spelled for a target: the messages of a real API server.

Source: k8s.io/apimachinery pkg/api/errors, k8s.io/apiserver pkg/registry.
"""

from __future__ import annotations

from collections.abc import Iterable

from conformance.kube import status
from conformance.kube.fields import FieldError
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError
from conformance.reference.apiserver.registry.context import Target


def not_found(target: Target) -> StatusError:
    """Return 404: no such object."""
    return status.not_found(target.resource.plural, target.resource.group, target.name)


def already_exists(resource: Resource, name: str) -> StatusError:
    """Return 409: a create found the name taken."""
    return status.already_exists(resource.plural, resource.group, name)


def modified(target: Target) -> StatusError:
    """Return 409: the writer had read an older revision."""
    return status.conflict(
        target.resource.plural,
        target.resource.group,
        target.name,
        "the object has been modified; please apply your changes to the latest version "
        "and try again",
    )


def precondition(target: Target, field: str, wanted: str, found: str) -> StatusError:
    """Return 409: a precondition of the request does not hold."""
    label = {"uid": "UID", "resourceVersion": "ResourceVersion"}[field]
    return status.conflict(
        target.resource.plural,
        target.resource.group,
        target.name,
        f"Precondition failed: {label} in precondition: {wanted}, {label} in object meta: {found}",
    )


def invalid(resource: Resource, obj: Object, errors: Iterable[FieldError]) -> StatusError:
    """Return 422: the object breaks rules; every broken one is a cause."""
    meta = obj.get("metadata", {})
    name = meta.get("name") or meta.get("generateName", "")
    return status.invalid(resource.kind, resource.group, name, list(errors))


def not_authorized(target: Target, user: str, verb: str, reason: str = "") -> StatusError:
    """Return 403: this user may not do that; ``reason`` in the words of the authorizer."""
    resource = target.resource
    plural = f"{resource.plural}/{target.subresource}" if target.subresource else resource.plural
    where = f'in the namespace "{target.namespace}"' if target.namespace else "at the cluster scope"
    why = f'User "{user}" cannot {verb} resource "{plural}" in API group "{resource.group}" {where}'
    why = f"{why}: {reason}" if reason else why
    error = status.forbidden(resource.plural, resource.group, target.name, why)
    if not target.name:
        # A collection has no name to be quoted.
        error.message = f"{resource.qualified} is forbidden: {why}"
    return error


def not_authorized_path(path: str, user: str, verb: str) -> StatusError:
    """Return 403: this user may not read that URL."""
    return StatusError(403, "Forbidden", f'forbidden: User "{user}" cannot {verb} path "{path}"')


def terminating(resource: Resource, name: str, namespace: str) -> StatusError:
    """Return 403: nothing may be created in a namespace that is being deleted."""
    error = status.forbidden(
        resource.plural,
        resource.group,
        name,
        f"unable to create new content in namespace {namespace} because it is being terminated",
    )
    error.details["causes"] = [
        {
            "reason": "NamespaceTerminating",
            "message": f"namespace {namespace} is being terminated",
            "field": "metadata.namespace",
        }
    ]
    return error


def too_large_revision(wanted: int, current: int) -> StatusError:
    """Return 504: the client knows a future that this server has not seen."""
    return StatusError(
        code=504,
        reason="Timeout",
        message=f"Too large resource version: {wanted}, current: {current}",
        details={
            "causes": [
                {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
            ],
            "retryAfterSeconds": 1,
        },
    )

"""Trying an act as somebody, to learn whether it is allowed."""

from __future__ import annotations

from typing import Any

from conformance.harness import expect
from conformance.harness.client import MERGE_PATCH, Api, known, path_of
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

_FORBIDDEN = 403

_METHODS = {
    "get": "GET",
    "list": "GET",
    "create": "POST",
    "update": "PUT",
    "patch": "PATCH",
    "delete": "DELETE",
    "deletecollection": "DELETE",
}

#: Verbs that name one object.
_SINGLE = ("get", "update", "patch", "delete")


def attempt(api: Api, verb: str, resource: str, body: Any = None, **place: str) -> int:
    """Do something with resource.k8s.io/v1 and return the code of the answer.

    ``resource`` may name a subresource after a slash; ``place`` has ``namespace`` and, for verbs
    on one object, ``name``; other entries are query parameters.
    """
    plural, _, subresource = resource.partition("/")
    namespace, name = place.pop("namespace", ""), place.pop("name", "")
    row = known("resource.k8s.io", "v1", plural)
    path = path_of(row, namespace, name if verb in _SINGLE else "", subresource)
    if body is None and verb in ("create", "update", "patch"):
        body = {}
    content_type = MERGE_PATCH if verb == "patch" else "application/json"
    try:
        api.ask(_METHODS[verb], path, body, query=place, content_type=content_type)
    except StatusError as error:
        return error.code
    return 200


def allowed(api: Api, verb: str, resource: str, body: Any = None, **place: str) -> None:
    """Expect that the act is done; raises ``Violation``."""
    code = attempt(api, verb, resource, body, **place)
    expect.same(code, 200, path="code", hint=f"whether {verb} {resource} is allowed")


def forbidden(api: Api, verb: str, resource: str, body: Any = None, **place: str) -> None:
    """Expect that the act is not allowed; raises ``Violation``."""
    code = attempt(api, verb, resource, body, **place)
    expect.same(code, _FORBIDDEN, path="code", hint=f"whether {verb} {resource} is forbidden")


def claim_of(device_class: str, name: str) -> Object:
    """Return a claim for one device of a class."""
    request = {"name": "device", "exactly": {"deviceClassName": device_class}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name},
        "spec": {"devices": {"requests": [request]}},
    }


def claim_in(version: str, device_class: str, name: str) -> Object:
    """Return the same claim as a version of resource.k8s.io spells it."""
    claim = claim_of(device_class, name)
    if version == "v1beta1":
        request = {"name": "device", "deviceClassName": device_class}
        claim["spec"] = {"devices": {"requests": [request]}}
    return {**claim, "apiVersion": f"resource.k8s.io/{version}"}


def template_of(device_class: str, name: str) -> Object:
    """Return a template of such claims."""
    claim = claim_of(device_class, name)
    template = {**claim, "kind": "ResourceClaimTemplate"}
    return {**template, "spec": {"spec": claim["spec"]}}


def slice_of(driver: str, name: str, **where: Any) -> Object:
    """Return a slice with one device; ``where`` says which nodes reach it."""
    pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": driver, "pool": pool, "devices": [{"name": "device-1"}], **where}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": spec,
    }

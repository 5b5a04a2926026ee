"""resource.k8s.io/v1beta1: requests are flat, and what a device has stands below ``basic``.

Where v1 has ``exactly``, a request of v1beta1 carries the same fields itself; a device of
v1beta1 has its attributes, capacities and all else in ``basic``. Every further field of v1 has
its place in both, so nothing is lost on the way there and back.

Source: ``pkg/apis/resource/v1beta1/conversion.go`` of Kubernetes 1.37.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.kube.objects import Object

#: What stands in the request itself here, and in ``exactly`` in v1.
_FLAT = (
    "deviceClassName",
    "selectors",
    "allocationMode",
    "count",
    "adminAccess",
    "tolerations",
    "capacity",
    "derivedAttributes",
)


def claim_to_hub(claim: Object) -> None:
    """Give every request of a claim the form of v1, in place."""
    for request in _requests(claim.get("spec")):
        _nest(request)


def claim_from_hub(claim: Object) -> None:
    """Give every request of a claim the form of v1beta1, in place."""
    for request in _requests(claim.get("spec")):
        _flatten(request)


def template_to_hub(template: Object) -> None:
    """Give every request of a template the form of v1, in place."""
    for request in _requests((template.get("spec") or {}).get("spec")):
        _nest(request)


def template_from_hub(template: Object) -> None:
    """Give every request of a template the form of v1beta1, in place."""
    for request in _requests((template.get("spec") or {}).get("spec")):
        _flatten(request)


def slice_to_hub(slice_: Object) -> None:
    """Give every device of a slice the form of v1, in place."""
    for device in _devices(slice_):
        device.update(device.pop("basic", None) or {})


def slice_from_hub(slice_: Object) -> None:
    """Give every device of a slice the form of v1beta1, in place."""
    for device in _devices(slice_):
        basic = {key: device.pop(key) for key in list(device) if key != "name"}
        device["basic"] = basic
    spec: Object = slice_.get("spec") or {}
    # Values and not pointers here: an explicit zero cannot be told from nothing.
    for key in ("nodeName", "allNodes"):
        if key in spec and not spec[key]:
            del spec[key]


def _requests(spec: Object | None) -> Iterator[Object]:
    yield from ((spec or {}).get("devices") or {}).get("requests") or []


def _devices(slice_: Object) -> Iterator[Object]:
    yield from (slice_.get("spec") or {}).get("devices") or []


def _nest(request: Object) -> None:
    found = {key: request.pop(key) for key in _FLAT if key in request}
    # Go has no absent name of a class: an empty one alone makes no request of its own.
    if any(value != "" for value in found.values()):
        if not found.get("deviceClassName"):
            # Defaults are for requests with a class: without one the mode stays empty.
            found = {"deviceClassName": "", "allocationMode": "", **found}
        request["exactly"] = found


def _flatten(request: Object) -> None:
    exactly: Object = request.pop("exactly", None) or {}
    if exactly.get("allocationMode") == "":
        del exactly["allocationMode"]
    request.update({"deviceClassName": "", **exactly})

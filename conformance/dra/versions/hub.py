"""From any version of resource.k8s.io to the stored form, and from there to any version.

Source: ``pkg/apis/resource/*/conversion.go`` of Kubernetes 1.37.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import frozen

from conformance.dra.versions import v1beta1
from conformance.kube.objects import Object, copy_of

GROUP = "resource.k8s.io"

#: The form in which objects are stored, by kind.
_HUBS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "DeviceClass",
            "DeviceTaintRule",
            "ResourceClaim",
            "ResourceClaimTemplate",
            "ResourceSlice",
        ),
        f"{GROUP}/v1",
    ),
    "ResourcePoolStatusRequest": f"{GROUP}/v1alpha3",
}


@frozen(kw_only=True)
class Binding:
    """How one kind of one version differs from the stored form; objects are changed in place."""

    to_hub: Callable[[Object], None]
    from_hub: Callable[[Object], None]


#: Versions of kinds that differ in more than their name.
_BINDINGS: Mapping[tuple[str, str], Binding] = {
    (f"{GROUP}/v1beta1", "ResourceClaim"): Binding(
        to_hub=v1beta1.claim_to_hub, from_hub=v1beta1.claim_from_hub
    ),
    (f"{GROUP}/v1beta1", "ResourceClaimTemplate"): Binding(
        to_hub=v1beta1.template_to_hub, from_hub=v1beta1.template_from_hub
    ),
    (f"{GROUP}/v1beta1", "ResourceSlice"): Binding(
        to_hub=v1beta1.slice_to_hub, from_hub=v1beta1.slice_from_hub
    ),
}


def to_hub(obj: Object) -> Object:
    """Return the stored form of an object; the given one is left as it is.

    An object of another group is its own stored form.
    """
    version, kind = obj["apiVersion"], obj["kind"]
    stored = _HUBS.get(kind, version)
    if stored == version or not version.startswith(f"{GROUP}/"):
        return obj
    converted: Object = {**copy_of(obj), "apiVersion": stored}
    if (version, kind) in _BINDINGS:
        _BINDINGS[version, kind].to_hub(converted)
    return converted


def from_hub(obj: Object, version: str) -> Object:
    """Return a stored object as a version (``resource.k8s.io/v1beta1``) spells it."""
    if obj["apiVersion"] == version:
        return obj
    converted: Object = {**copy_of(obj), "apiVersion": version}
    kind = obj["kind"]
    if (version, kind) in _BINDINGS:
        _BINDINGS[version, kind].from_hub(converted)
    return converted

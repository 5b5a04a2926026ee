"""Slices that take CPU or memory of nodes: only of nodes that say that they know how.

Source: Kubernetes 1.37 plugin/pkg/admission/nodedeclaredfeatures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from conformance.dra.features import Features
from conformance.kube import status
from conformance.kube.fields import FieldError
from conformance.kube.objects import Object, name_of
from conformance.kube.selectors import node_selector_matches
from conformance.kube.status import StatusError

_FEATURE = "DRANodeAllocatableResources"


def check_nodes(
    plural: str, obj: Object, nodes: Callable[[], Sequence[Object]], features: Features
) -> Sequence[FieldError]:
    """Raise ``StatusError`` (403) where a device takes of a node that does not declare it.

    There are no errors of fields: what is wrong is not in the object.
    """
    spec = (obj.get("spec") or {}) if plural == "resourceslices" else {}
    if features.enabled(_FEATURE):
        for device in spec.get("devices") or []:
            if device.get("nodeAllocatableResources"):
                place = device if spec.get("perDeviceNodeSelection") else spec
                _check_place(obj, device, place, nodes())
    return ()


def _check_place(one: Object, device: Object, place: Object, nodes: Sequence[Object]) -> None:
    name, selector = place.get("nodeName"), place.get("nodeSelector")
    if name:
        nodes = [node for node in nodes if name_of(node) == name]
        if not nodes:
            raise _forbidden(one, f'node "{name}" not found for device "{device["name"]}"')
    elif selector:
        nodes = [node for node in nodes if node_selector_matches(selector, node)]
    for node in nodes:
        if _FEATURE not in (node.get("status", {}).get("declaredFeatures") or []):
            raise _forbidden(one, f'node "{name_of(node)}" does not support {_FEATURE} feature')


def _forbidden(one: Object, why: str) -> StatusError:
    return status.forbidden("resourceslices", "resource.k8s.io", name_of(one), why)

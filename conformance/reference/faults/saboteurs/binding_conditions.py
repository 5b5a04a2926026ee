"""How a cluster can be wrong about device binding conditions."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from conformance.kube.fields import ErrorKind, FieldError
from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur

#: The fields of a device that the gate controls.
_FIELDS = ("bindingConditions", "bindingFailureConditions", "bindsToNode")

#: The default timeout of the document, in seconds.
_DEFAULT_TIMEOUT = 600.0


def _no(*_: Any) -> bool:
    return False


def _nothing(*_: Any) -> None:
    return None


def _one_is_enough(real: Any, claim: Object) -> bool:
    """Take any True condition for all of them."""
    status: Object = claim.get("status") or {}
    devices: list[Object] = status.get("devices") or []
    seen = [one for device in devices for one in device.get("conditions") or []]
    return real(claim) or any(one["status"] == "True" for one in seen)


def _half_the_default(real: Any, elapsed: float, timeout: float) -> float:
    return real(elapsed, timeout / 2 if timeout == _DEFAULT_TIMEOUT else timeout)


def _default_whatever_is_configured(real: Any, elapsed: float, _timeout: float) -> float:
    return real(elapsed, _DEFAULT_TIMEOUT)


def _keeps_after_timeout(real: Any, claim: Object, pod: Object, useless: bool) -> Object:
    """Give the reservation back, and the allocation only where a condition says failure."""
    status: Object = claim.get("status") or {}
    devices: list[Object] = status.get("devices") or []
    reported = any(device.get("conditions") for device in devices)
    return real(claim, pod, useless and reported)


def _forgets_the_node(real: Any, claim: Object, allocation: Any, *rest: Any) -> Object:
    kept = copy.deepcopy(allocation)
    if kept:
        kept.pop("nodeSelector", None)
    return real(claim, kept, *rest)


def _selects_for_the_pod(real: Any, resource: str, new: Object, old: Object, *rest: Any) -> None:
    """Write the chosen node into the Pod's own selector when the Pod is bound."""
    real(resource, new, old, *rest)
    node = new.get("spec", {}).get("nodeName")
    if resource == "pods" and node and not old["spec"].get("nodeName"):
        new["spec"]["nodeSelector"] = {"kubernetes.io/hostname": node}


def _keeps_gated_fields(real: Any, resource: str, obj: Object, *rest: Any) -> None:
    devices: list[Object] = obj.get("spec", {}).get("devices") or []
    written = [{name: one[name] for name in _FIELDS if name in one} for one in devices]
    real(resource, obj, *rest)
    if resource == "resourceslices":
        for device, fields in zip(obj["spec"].get("devices") or [], written, strict=True):
            device.update(fields)


def _every_node(real: Any, claims: Any, *, slices: Any, **rest: Any) -> Any:
    """Offer the devices of a slice with a node selector to every node."""
    freed = [copy.deepcopy(one) for one in slices]
    for one in freed:
        if one["spec"].pop("nodeSelector", None):
            one["spec"]["allNodes"] = True
    return real(claims, slices=freed, **rest)


def _wants_a_domain(real: Any, resource: str, obj: Object, *rest: Any) -> list[FieldError]:
    """Refuse failure conditions without a domain."""
    errors: list[FieldError] = list(real(resource, obj, *rest))
    if resource != "resourceslices":
        return errors
    devices: list[Object] = obj["spec"].get("devices") or []
    names = [name for one in devices for name in one.get("bindingFailureConditions") or []]
    path = "spec.devices[0].bindingFailureConditions[0]"
    return errors + [
        FieldError(kind=ErrorKind.INVALID, path=path, value=name, detail="must have a domain")
        for name in names
        if "/" not in name
    ]


def _bound_without_conditions(real: Any, *given: Any) -> list[Object]:
    """Keep bindsToNode of a driver's devices and nothing to wait for."""
    return [
        {
            **spec,
            "devices": [
                {key: value for key, value in one.items() if key not in _FIELDS[:2]}
                for one in spec.get("devices", [])
            ],
        }
        for spec in real(*given)
    ]


def _stamps_every_write(_real: Any, wanted: Object, _before: Object | None, now: str) -> Object:
    return {**wanted, "lastTransitionTime": now}


def _never_stamps_again(_real: Any, wanted: Object, before: Object | None, now: str) -> Object:
    return {**wanted, "lastTransitionTime": (before or {}).get("lastTransitionTime", now)}


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "binding-does-not-wait": _no,
    "binding-one-condition-is-enough": _one_is_enough,
    "binding-ignores-failure": _nothing,
    "binding-waits-half-the-default": _half_the_default,
    "binding-keeps-allocation-at-timeout": _keeps_after_timeout,
    "binding-ignores-configured-timeout": _default_whatever_is_configured,
    "binding-forgets-the-chosen-node": _forgets_the_node,
    "binding-selects-for-the-pod": _selects_for_the_pod,
    "binding-fields-without-gate": _keeps_gated_fields,
    "slice-selector-ignored": _every_node,
    "binding-conditions-want-a-domain": _wants_a_domain,
    "binding-driver-publishes-no-conditions": _bound_without_conditions,
    "binding-driver-stamps-every-write": _stamps_every_write,
    "binding-driver-never-stamps-again": _never_stamps_again,
}

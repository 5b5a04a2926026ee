"""How a cluster can be wrong about the versions of resource.k8s.io."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.faults.saboteurs import altering
from conformance.reference.faults.seams import Saboteur

_OLDEST = ("resource.k8s.io/v1beta1",)
_OLD = (*_OLDEST, "resource.k8s.io/v1beta2")


def _shows(change: Callable[[Object], None], versions: tuple[str, ...] = _OLDEST) -> Saboteur:
    """Return a saboteur that shows objects of these versions changed so."""

    def saboteur(real: Any, obj: Object, version: str) -> Object:
        shown = real(obj, version)
        if version in versions:
            shown = copy.deepcopy(shown)
            change(shown)
        return shown

    return saboteur


def _reads(change: Callable[[Object], None], versions: tuple[str, ...] = _OLD) -> Saboteur:
    """Return a saboteur that takes objects of these versions for something else."""

    def saboteur(real: Any, obj: Object) -> Object:
        if obj["apiVersion"] not in versions:
            return real(obj)
        altered = copy.deepcopy(obj)
        change(altered)
        return real(altered)

    return saboteur


def _without(*keys: str) -> Callable[[Object], None]:
    """Return a change that takes these keys away wherever they stand in a spec."""

    def change(obj: Object) -> None:
        for one in _mappings(obj.get("spec")):
            for key in keys:
                one.pop(key, None)

    return change


def _mappings(value: Any) -> Iterator[Object]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _mappings(part)


def _unlabels_templates(obj: Object) -> None:
    if obj["kind"] == "ResourceClaimTemplate":
        obj.get("spec", {}).pop("metadata", None)


def _reverses(obj: Object) -> None:
    for one in _mappings(obj.get("spec")):
        if one.get("firstAvailable"):
            one["firstAvailable"].reverse()


def _empties_allocations(obj: Object) -> None:
    (obj.get("status") or {}).get("allocation", {}).pop("devices", None)


def _wants_all(obj: Object) -> None:
    if obj["kind"] != "ResourceClaim":
        return
    devices = obj.get("spec", {}).get("devices", {})
    for one in devices.get("requests") or []:
        if one.get("deviceClassName"):
            one.setdefault("allocationMode", "All")


def _forgets_attributes(obj: Object) -> None:
    # What was stored already has an identity: this is no new object.
    if obj["metadata"].get("uid"):
        _without("attributes")(obj)


def _unconditional(obj: Object) -> None:
    obj["metadata"].pop("resourceVersion", None)


def _stored_form(_real: Any, obj: Object, _version: str) -> Object:
    return obj


def _renames_old_kinds(real: Any, resource: Any) -> Any:
    described = real(resource)
    if described.version == "v1beta1" and described.plural == "deviceclasses":
        return attrs.evolve(described, kind="Class")
    return described


def _mistakes_the_trouble(real: Any, error: StatusError, verb: str, target: Any) -> StatusError:
    told = real(error, verb, target)
    if verb == "create" and told.code == 400:
        return StatusError(422, "Invalid", told.message)
    return told


def _selects_everything(real: Any, verb: str, target: Any, query: Any) -> Any:
    understood = dict(real(verb, target, query))
    if target.resource.version in ("v1beta1", "v1beta2"):
        understood.pop("fieldSelector", None)
    return understood


def _says_nothing(*_: Any) -> str:
    return ""


def _newest_last(real: Any, versions: list[str]) -> list[str]:
    return real(versions)[::-1]


def _allows(*_: Any) -> list[Any]:
    return []


def _sees_no_devices(one: Object) -> None:
    one["spec"]["devices"] = []


def _aggregates_backwards(real: Any, group: Object) -> Object:
    told = real(group)
    return {**told, "versions": told["versions"][::-1]}


def _aggregates_no_subresources(real: Any, group: Object) -> Object:
    told = copy.deepcopy(real(group))
    for version in told["versions"]:
        for resource in version["resources"]:
            resource.pop("subresources", None)
    return told


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "versions-lose-the-labels-of-templates": _shows(_unlabels_templates),
    "versions-reverse-alternatives": _shows(_reverses),
    "versions-lose-binding-conditions": _shows(
        _without("bindsToNode", "bindingConditions", "bindingFailureConditions")
    ),
    "versions-lose-shared-devices": _shows(_without("allowMultipleAllocations")),
    "versions-lose-taints": _shows(_without("taints", "tolerations")),
    "versions-lose-counters": _shows(_without("sharedCounters", "consumesCounters")),
    "versions-lose-derived-attributes": _shows(_without("derivedAttributes")),
    "versions-lose-lists": _shows(_without("strings", "ints")),
    "versions-lose-the-device-of-a-rule": _shows(_without("device"), ("resource.k8s.io/v1alpha3",)),
    "versions-lose-allocated-devices": _shows(_empties_allocations),
    "versions-want-all-devices": _reads(_wants_all),
    "lists-are-of-the-stored-version": _stored_form,
    "watches-are-of-the-stored-version": _stored_form,
    "versions-forget-on-update": _reads(_forgets_attributes),
    "versions-write-without-looking": _reads(_unconditional),
    "discovery-prefers-the-oldest": _newest_last,
    "aggregated-discovery-prefers-the-oldest": _aggregates_backwards,
    "aggregated-discovery-forgets-statuses": _aggregates_no_subresources,
    "openapi-misnames-an-old-kind": _renames_old_kinds,
    "deprecation-is-kept-quiet": _says_nothing,
    "a-wrong-version-is-a-wrong-value": _mistakes_the_trouble,
    "old-versions-are-not-validated": _allows,
    "old-versions-ignore-field-selectors": _selects_everything,
    "scheduler-sees-no-devices": altering.slices(_sees_no_devices),
}

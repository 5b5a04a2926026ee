"""How a cluster can be wrong about the general workflow of Pods with claims."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.saboteurs import altering
from conformance.reference.faults.seams import Saboteur

#: Kinds of device that a scheduler with a special case for each would know.
_KNOWN_KINDS = {"gpu", "nic", "fpga", "none"}


def _renames_the_request(real: Any, *arguments: Any) -> Object:
    claim = real(*arguments)
    for request in claim["spec"]["devices"]["requests"]:
        request["name"] = f"{request['name']}-of-template"
    return claim


def _shares_generated(real: Any, pod: Object, pod_claim: Object, claims: Any) -> Object | None:
    """Take any claim that was generated for an entry of this name."""
    known = list(claims)
    found = real(pod, pod_claim, known)
    if found is not None:
        return found
    made = [
        claim
        for claim in known
        if claim["metadata"]["namespace"] == pod["metadata"]["namespace"]
        and claim["metadata"].get("ownerReferences")
    ]
    return made[0] if made else None


async def _deletes_released(real: Any, client: Any, claim: Object) -> None:
    await real(client, claim)
    if not (claim.get("status") or {}).get("reservedFor"):
        metadata = claim["metadata"]
        await client.delete("resourceclaims", metadata["name"], metadata["namespace"])


async def _leaves_orphans(*_: Any) -> None:
    """Collect nothing."""


def _goes_without(real: Any, pod: Object, find: Any) -> Any:
    """Overlook the claims that a Pod names and that are not there."""
    bare = copy.deepcopy(pod)
    namespace = pod["metadata"]["namespace"]
    bare["spec"]["resourceClaims"] = [
        entry
        for entry in pod["spec"].get("resourceClaims") or []
        if "resourceClaimName" not in entry or find(namespace, entry["resourceClaimName"])
    ]
    return real(bare, find)


def _forgets_use(real: Any, *_: Any) -> Any:
    return real([], [])


def _forgets_the_node(real: Any, claim: Object, allocation: Any, *rest: Any) -> Object:
    blind = copy.deepcopy(allocation)
    if blind:
        blind.pop("nodeSelector", None)
    return real(claim, blind, *rest)


def _wants_a_kubelet(real: Any, claims: Any, *, node: Object, **view: Any) -> Any:
    endpoints = (node.get("status") or {}).get("daemonEndpoints") or {}
    return real(claims, node=node, **view) if endpoints else None


def _reaches_everything(*_: Any) -> bool:
    return True


def _backwards(one: Object) -> None:
    one["spec"]["devices"] = list(reversed(one["spec"].get("devices") or []))


def _mirrored(one: Object) -> None:
    """Give the slice a name that sorts where the real one would sort from behind."""
    one["metadata"]["name"] = "".join(chr(0x7F - ord(c)) for c in one["metadata"]["name"])


def _without_units(device: Object) -> None:
    for capacity in (device.get("capacity") or {}).values():
        capacity["value"] = capacity["value"].rstrip("GMKi")


def _without_flags(device: Object) -> None:
    attributes = device.get("attributes") or {}
    device["attributes"] = {k: v for k, v in attributes.items() if "bool" not in v}


def _of_known_kinds(one: Object) -> None:
    def known(device: Object) -> bool:
        kind = (device.get("attributes") or {}).get("d.example/type") or {}
        return kind.get("string", "none") in _KNOWN_KINDS

    one["spec"]["devices"] = list(filter(known, one["spec"].get("devices") or []))


def _without_constraints(claim: Object) -> None:
    claim["spec"]["devices"].pop("constraints", None)


def _forgets_configuration(real: Any, claims: Any, *, classes: Any, **view: Any) -> Any:
    bare = copy.deepcopy(dict(classes))
    for one in bare.values():
        one["spec"].pop("config", None)
    return real(claims, classes=bare, **view)


async def _starts_unprepared(real: Any, pod: Object) -> None:
    """Go on when a driver refused; a claim that is not there yet is still waited for."""
    try:
        await real(pod)
    except RuntimeError as error:
        if "not yet" not in str(error):
            raise


def _is_last_at_once(*_: Any) -> bool:
    return True


def _loses_devices(*_: Any) -> list[Any]:
    return []


def _skips_nothing(real: Any, claim: Object, **_: Any) -> Any:
    return real(claim, optional_operations=False)


def _mistakes_the_scope(real: Any, resource: Any) -> Any:
    told = real(resource)
    return attrs.evolve(told, namespaced=False) if told.plural == "resourceclaims" else told


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "controller-renames-the-request": _renames_the_request,
    "controller-shares-generated-claims": _shares_generated,
    "controller-deletes-released-claims": _deletes_released,
    "controller-leaves-orphans": _leaves_orphans,
    "scheduler-goes-without-missing-claims": _goes_without,
    "scheduler-forgets-what-is-in-use": _forgets_use,
    "scheduler-forgets-the-node-of-a-device": _forgets_the_node,
    "scheduler-wants-a-kubelet": _wants_a_kubelet,
    "scheduler-takes-the-last-device": altering.slices(_backwards),
    "scheduler-sorts-backwards": altering.slices(_mirrored),
    "scheduler-reaches-everything": _reaches_everything,
    "scheduler-ignores-units": altering.devices(_without_units),
    "scheduler-ignores-flags": altering.devices(_without_flags),
    "scheduler-ignores-constraints": altering.claims(_without_constraints),
    "scheduler-knows-two-kinds": altering.slices(_of_known_kinds),
    "scheduler-forgets-the-classs-configuration": _forgets_configuration,
    "kubelet-starts-unprepared": _starts_unprepared,
    "kubelet-unprepares-at-the-first-end": _is_last_at_once,
    "kubelet-loses-the-devices": _loses_devices,
    "kubelet-calls-where-nothing-is-to-do": _skips_nothing,
    "discovery-mistakes-the-scope": _mistakes_the_scope,
}

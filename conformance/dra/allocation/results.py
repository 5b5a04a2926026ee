"""How an allocation is written into ``status.allocation``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import attrs

from conformance.dra.allocation.candidates import Asked
from conformance.dra.allocation.capacity import Amounts
from conformance.dra.allocation.pools import Candidate
from conformance.dra.features import Features
from conformance.kube.objects import Object, name_of, uid_of


@attrs.frozen
class Chosen:
    """A device that a request got."""

    asked: Asked
    candidate: Candidate
    #: What it takes of a shared device; nothing for a device of its own.
    consumed: Amounts | None = None


def allocation(
    claim: Object,
    picked: Sequence[Asked],
    chosen: Sequence[Chosen],
    node: Object,
    features: Features,
) -> Object:
    """Return the allocation: ``picked`` is what each request of the claim came to ask for."""
    results = [_result(one, features) for one in chosen]
    for index, (one, result) in enumerate(zip(chosen, results, strict=True)):
        if one.consumed is not None:
            _share(claim, index, one.consumed, result)
    devices: Object = {"results": results}
    configs = [*_class_configs(picked), *_claim_configs(claim, picked)]
    names = {asked.name for asked in picked}
    for config in configs:
        if config.get("requests") and _covers(config["requests"], names):
            del config["requests"]
    if configs:
        devices["config"] = configs
    result: Object = {"devices": devices}
    selector = _node_selector(chosen, node)
    if selector:
        result["nodeSelector"] = selector
    return result


def _result(one: Chosen, features: Features) -> Object:
    candidate, request = one.candidate, one.asked.request
    result: Object = {
        "request": one.asked.name,
        "driver": candidate.driver,
        "pool": candidate.pool,
        "device": candidate.device["name"],
    }
    if one.asked.admin_access:
        result["adminAccess"] = True
    if request.get("tolerations"):
        result["tolerations"] = [dict(toleration) for toleration in request["tolerations"]]
    if features.enabled("DRADeviceBindingConditions"):
        for field in ("bindingConditions", "bindingFailureConditions"):
            if candidate.device.get(field):
                result[field] = list(candidate.device[field])
    skipped = candidate.slice["spec"].get("skipNodeOperations")
    if skipped and features.enabled("DRAOptionalNodeOperations"):
        result["skipNodeOperations"] = list(skipped)
    return result


def _share(claim: Object, index: int, consumed: Amounts, result: Object) -> None:
    """Note the part of a shared device; its id follows from the claim, so runs are alike."""
    name = "/".join((uid_of(claim), str(index), *map(str, result.values())))
    result["shareID"] = str(uuid5(NAMESPACE_OID, name))
    if consumed:
        result["consumedCapacity"] = {key: str(amount) for key, amount in consumed.items()}


def _class_configs(picked: Sequence[Asked]) -> list[Object]:
    """Return the configuration of each class once, with the requests that use the class."""
    users: dict[str, list[Asked]] = {}
    for asked in picked:
        users.setdefault(name_of(asked.device_class), []).append(asked)
    return [
        {**config, "source": "FromClass", "requests": [asked.name for asked in group]}
        for group in users.values()
        for config in group[0].device_class["spec"].get("config") or []
    ]


def _claim_configs(claim: Object, picked: Sequence[Asked]) -> list[Object]:
    """Return the configurations of the claim that concern what was picked."""
    names = {asked.name for asked in picked} | {_parent(asked.name) for asked in picked}
    return [
        {**config, "source": "FromClaim"}
        for config in claim["spec"].get("devices", {}).get("config") or []
        if not config.get("requests") or names.intersection(config["requests"])
    ]


def _parent(name: str) -> str:
    return name.partition("/")[0]


def _covers(requests: Sequence[str], names: set[str]) -> bool:
    """Return whether the requests are all there are; then the list is left out."""
    return all(name in requests or _parent(name) in requests for name in names)


def _node_selector(chosen: Sequence[Chosen], node: Object) -> Object | None:
    """Return where the devices can be reached: one node, nodes with some labels, or any.

    A device that is local to a node or binds to it ties the whole claim to the chosen node.
    """
    term: dict[str, list[Any]] = {}
    for one in chosen:
        device, spec = one.candidate.device, one.candidate.slice["spec"]
        selection = device if spec.get("perDeviceNodeSelection") else spec
        if selection.get("nodeName") or device.get("bindsToNode"):
            local = {"key": "metadata.name", "operator": "In", "values": [name_of(node)]}
            return {"nodeSelectorTerms": [{"matchFields": [local]}]}
        for present in (selection.get("nodeSelector") or {}).get("nodeSelectorTerms") or []:
            _merge(term, present)
    return {"nodeSelectorTerms": [term]} if term else None


def _merge(term: dict[str, list[Any]], present: Object) -> None:
    for field in ("matchFields", "matchExpressions"):
        for requirement in present.get(field) or []:
            if not any(_same(requirement, other) for other in term.get(field) or []):
                term.setdefault(field, []).append(requirement)


def _same(one: Object, other: Object) -> bool:
    if (one.get("key"), one.get("operator")) != (other.get("key"), other.get("operator")):
        return False
    return set(one.get("values") or []) == set(other.get("values") or [])

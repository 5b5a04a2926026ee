"""How a cluster can be wrong about extended resources that devices provide."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur

_MARK = "resource.kubernetes.io/extended-resource-claim"
_IMPLICIT = "deviceclass.resource.kubernetes.io/"
_STATUS = "extendedResourceClaimStatus"


def _is_marked(claim: Object) -> bool:
    return _MARK in (claim["metadata"].get("annotations") or {})


def _requests(pod: Object) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for container in pod["spec"]["containers"]:
        found.update((container.get("resources") or {}).get("requests") or {})
    return found


def _one_each(real: Any, *arguments: Any) -> Any:
    asked = copy.deepcopy(real(*arguments))
    for request in asked.requests:
        request["exactly"]["count"] = 1
    return asked


def _renamed(real: Any, *arguments: Any) -> Any:
    asked = copy.deepcopy(real(*arguments))
    for request in asked.requests:
        request["name"] = request["name"].replace("container-", "c")
    for row in asked.mappings:
        row["requestName"] = row["requestName"].replace("container-", "c")
    return asked


def _never_lent(real: Any, pod: Object, *rest: Any) -> Any:
    lasting = copy.deepcopy(pod)
    for container in lasting["spec"].get("initContainers") or []:
        container["restartPolicy"] = "Always"
    return real(lasting, *rest)


def _explicit_only(real: Any, classes: Any) -> Any:
    return {name: one for name, one in real(classes).items() if not name.startswith(_IMPLICIT)}


def _by(key: Callable[[Object], Any]) -> Saboteur:
    """Return a saboteur that has the class serve a resource for which ``key`` is smallest."""

    def saboteur(real: Any, classes: Any) -> Any:
        explicit: dict[str, str] = {}
        for one in sorted(classes, key=key, reverse=True):
            explicit[one["spec"].get("extendedResourceName", "")] = one["metadata"]["name"]
        return {**real(classes), **explicit}

    return saboteur


def _created_then_name(one: Object) -> Any:
    return one["metadata"]["creationTimestamp"], one["metadata"]["name"]


def _newest_then_last_name(one: Object) -> Any:
    stamp = one["metadata"]["creationTimestamp"]
    reverse = tuple(-ord(letter) for letter in stamp)
    return reverse, tuple(-ord(letter) for letter in one["metadata"]["name"])


def _unmarked(real: Any, *arguments: Any) -> Object:
    claim = real(*arguments)
    del claim["metadata"]["annotations"]
    return claim


async def _notes_one(real: Any, client: Any, pod: Object, claim: Object, mappings: Any) -> None:
    await real(client, pod, claim, mappings[:1])


def _unreserved(real: Any, claim: Object, *rest: Any) -> Object:
    changed = real(claim, *rest)
    if _is_marked(claim):
        changed["status"].pop("reservedFor", None)
    return changed


def _counts_zero(real: Any, pod: Object, serving: Mapping[str, str]) -> Any:
    return {**real(pod, serving), **{n: serving[n] for n in _requests(pod) if n in serving}}


def _everywhere(_real: Any, resources: Any, _node: Object) -> Any:
    return frozenset(resources)


def _only_unmentioned(real: Any, resources: Any, node: Object) -> Any:
    return real(resources, node) - set(node["status"].get("allocatable") or {})


def _unmoved_by_classes(real: Any, pod: Object, plural: str, *rest: Any) -> bool:
    return plural != "deviceclasses" and real(pod, plural, *rest)


def _forgets_marked(real: Any, claims: Any, in_flight: Any) -> Any:
    return real([claim for claim in claims if not _is_marked(claim)], in_flight)


@attrs.frozen
class _Lenient:
    """The API server overlooks errors of one resource whose sentence holds one of these."""

    plural: str
    sentences: tuple[str, ...]

    def __call__(self, real: Any, plural: str, *rest: Any) -> Any:
        found = real(plural, *rest)
        if plural != self.plural:
            return found
        return [one for one in found if not any(said in str(one) for said in self.sentences)]


async def _keeps_marked(real: Any, *arguments: Any) -> None:
    if not _is_marked(arguments[-1]):
        await real(*arguments)


def _overlooks(*_: Any) -> None:
    """Find nothing."""


async def _keeps_its_own(real: Any, client: Any, claim: Object) -> None:
    """Remove only what somebody else has made: the scheduler has its claims named for it."""
    if not claim["metadata"].get("generateName"):
        await real(client, claim)


def _entries_alone(_real: Any, pod: Object) -> list[Object]:
    return list(pod["spec"].get("resourceClaims") or [])


def _all_devices(real: Any, pod: Object, _container: Object) -> list[str]:
    spec = pod["spec"]
    containers = [*(spec.get("initContainers") or []), *spec["containers"]]
    return list(dict.fromkeys(cdi for one in containers for cdi in real(pod, one)))


def _one_kind(real: Any, pod: Object, find: Any) -> Any:
    return [] if any("/" in name for name in _requests(pod)) else real(pod, find)


def _lets_go(real: Any, plural: str, new: Object, *rest: Any) -> None:
    left_out = plural == "pods" and _STATUS not in (new.get("status") or {})
    real(plural, new, *rest)
    if left_out:
        new["status"].pop(_STATUS, None)


def _has_what_it_lacks(real: Any, pod: Object, node: Object, others: Any, elsewhere: Any) -> Any:
    lacking = {name for name in _requests(pod) if "/" in name} - set(node["status"]["allocatable"])
    return real(pod, node, others, {*elsewhere, *lacking})


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-gives-one-device-whatever-is-requested": _one_each,
    "scheduler-knows-explicit-names-only": _explicit_only,
    "scheduler-leaves-extended-claims-unmarked": _unmarked,
    "scheduler-names-extended-requests-otherwise": _renamed,
    "scheduler-notes-the-first-user-only": _notes_one,
    "scheduler-does-not-reserve-extended-claims": _unreserved,
    "scheduler-wants-devices-for-init-containers-alone": _never_lent,
    "scheduler-claims-for-nothing": _counts_zero,
    "scheduler-prefers-devices-to-what-nodes-have": _everywhere,
    "scheduler-takes-zero-for-something": _only_unmentioned,
    "scheduler-prefers-the-oldest-class": _by(_created_then_name),
    "scheduler-prefers-the-last-name": _by(_newest_then_last_name),
    "scheduler-overlooks-new-classes": _unmoved_by_classes,
    "scheduler-forgets-extended-claims": _forgets_marked,
    "apiserver-takes-any-extended-resource-name": _Lenient(
        "deviceclasses", ("spec.extendedResourceName",)
    ),
    "apiserver-takes-any-resource-name": _Lenient("pods", ("standard resource",)),
    "apiserver-takes-parts-of-extended-resources": _Lenient("pods", ("must be an integer",)),
    "apiserver-lets-extended-resources-be-overcommitted": _Lenient(
        "pods", ("must be equal to", "non overcommitable")
    ),
    "controller-keeps-extended-claims-of-ended-pods": _keeps_marked,
    "controller-keeps-extended-claims-of-deleted-pods": _keeps_marked,
    "scheduler-overlooks-earlier-extended-claims": _overlooks,
    "scheduler-leaves-claims-of-failed-bindings": _keeps_its_own,
    "kubelet-overlooks-extended-claims": _entries_alone,
    "kubelet-gives-every-container-all-devices": _all_devices,
    "scheduler-knows-one-kind-of-request-at-a-time": _one_kind,
    "apiserver-takes-any-extended-claim-status": _Lenient("pods", (_STATUS,)),
    "apiserver-lets-the-extended-claim-status-go": _lets_go,
    "scheduler-ignores-unknown-resources": _has_what_it_lacks,
}

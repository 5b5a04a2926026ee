"""How a cluster can be wrong about what devices take of their nodes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import attrs

from conformance.kube.fields import FieldError, required
from conformance.kube.objects import Object
from conformance.kube.quantity import Quantity, parse
from conformance.reference.faults.seams import Saboteur

_FIELD = "nodeAllocatableResources"


def _rows(change: Callable[[Object], bool]) -> Saboteur:
    """Return a saboteur that changes what a claim takes; ``change`` says whether it is kept."""

    def saboteur(real: Any, *arguments: Any) -> list[Object]:
        return [one for one in copy.deepcopy(real(*arguments)) if change(one)]

    return saboteur


def _without_hugepages(row: Object) -> bool:
    mapping = row.get("mapping") or []
    row["mapping"] = [one for one in mapping if not one["name"].startswith("hugepages-")]
    return bool(row["mapping"] or row.get("overhead"))


def _pod_for_each(row: Object) -> bool:
    for one in row.get("overhead") or []:
        amount = parse(one.get("perPod", "0"))
        times = Decimal(len(row.get("containers") or []))
        one["perPod"] = str(Quantity(amount.amount * times, amount.format))
    return True


def _containers_once(row: Object) -> bool:
    for one in row.get("overhead") or []:
        one["perPod"] = str(parse(one.get("perPod", "0")) + parse(one.pop("perContainer", "0")))
    return True


def _in_use(row: Object) -> bool:
    return bool(row.get("containers"))


def _requests_pay(real: Any, pod: Object, *rest: Any) -> list[Object]:
    rows = copy.deepcopy(real(pod, *rest))
    own = (pod["spec"]["containers"][0].get("resources") or {}).get("requests") or {}
    for one in (one for row in rows for one in row.get("mapping") or []):
        left = parse(one["quantity"]) - parse(own.get(one["name"], "0"))
        one["quantity"] = str(max(left, parse("0")))
    return rows


def _unscaled(real: Any, pod: Object, allocations: Any, taken: Any) -> list[Object]:
    changed = copy.deepcopy(dict(taken))
    for one in (one for device in changed.values() for one in device.values()):
        if "capacityMultiplier" in (one.get("mapping") or {}):
            one["mapping"]["capacityMultiplier"] = "1"
    return real(pod, allocations, changed)


def _one_device(real: Any, pod: Object, allocations: Any, taken: Any) -> list[Object]:
    fewer = copy.deepcopy(list(allocations))
    for _, allocation in fewer:
        devices = allocation.get("devices") or {}
        devices["results"] = (devices.get("results") or [])[:1]
    return real(pod, fewer, taken)


def _first_of_pool(real: Any, pod: Object, allocations: Any, taken: Any) -> list[Object]:
    first: dict[Any, Any] = {}
    for key in sorted(taken):
        first.setdefault(key[:2], key)
    return real(pod, allocations, {key: taken[key] for key in first.values()})


@attrs.define
class _Dies:
    """The scheduler: alive until it meets a claim that has no entry in its Pod.

    It is dead for one namespace: a cluster is shared by checks that do not ask for its death.
    """

    namespaces: set[str] = attrs.field(factory=set[str])

    def __call__(self, real: Any, pod: Object, allocations: Any, taken: Any) -> list[Object]:
        every = list(allocations)
        rows = real(pod, every, taken)
        namespace = pod["metadata"]["namespace"]
        if rows and any(claim["metadata"].get("generateName") for claim, _ in every):
            self.namespaces.add(namespace)
        if namespace in self.namespaces:
            raise RuntimeError("the scheduler has ended")
        return rows


def _without(field: str) -> Saboteur:
    """Return a saboteur that overlooks requests or limits of the Pod as a whole."""

    def saboteur(real: Any, pod: Object) -> Any:
        changed = copy.deepcopy(pod)
        (changed["spec"].get("resources") or {}).pop(field, None)
        return real(changed)

    return saboteur


async def _names_nobody(real: Any, client: Any, pod: Object, rows: list[Object]) -> None:
    bare = [{key: one for key, one in row.items() if key != "containers"} for row in rows]
    await real(client, pod, bare)


def _takes_anything(real: Any, *arguments: Any) -> list[FieldError]:
    said = "node allocatable resource name"
    return [one for one in real(*arguments) if said not in str(one)]


def _wants_mapping(real: Any, plural: str, obj: Object, *rest: Any) -> list[FieldError]:
    devices = (obj.get("spec") or {}).get("devices") or [] if plural == "resourceslices" else []
    every = (one for device in devices for one in (device.get(_FIELD) or {}).values())
    missing = required("spec.devices.nodeAllocatableResources.mapping")
    return [*real(plural, obj, *rest), *(missing for one in every if not one.get("mapping"))]


def _keeps(real: Any, plural: str, obj: Object, *rest: Any) -> None:
    wanted = copy.deepcopy((obj.get("spec") or {}).get("devices"))
    real(plural, obj, *rest)
    if plural == "resourceslices":
        obj["spec"]["devices"] = wanted


def _as_without_claims(field: str) -> Saboteur:
    """Return a saboteur that reckons one thing as if devices took nothing."""

    def saboteur(real: Any, pod: Object, *rest: Any) -> Any:
        bare = {**pod, "status": {**pod["status"], "nodeAllocatableResourceClaimStatuses": []}}
        wrong = getattr(real(bare, *rest), field)
        return attrs.evolve(real(pod, *rest), **{field: wrong})

    return saboteur


def _nobody_minds(*_: Any) -> list[FieldError]:
    """Check nothing."""
    return []


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-does-not-count-hugepages-of-devices": _rows(_without_hugepages),
    "scheduler-overlooks-pod-level-requests": _without("requests"),
    "scheduler-overlooks-pod-level-limits": _without("limits"),
    "scheduler-lets-requests-pay-for-devices": _requests_pay,
    "apiserver-lets-devices-take-anything": _takes_anything,
    "scheduler-does-not-multiply-capacity": _unscaled,
    "scheduler-counts-one-device-of-a-claim": _one_device,
    "scheduler-counts-pod-overhead-for-each-container": _rows(_pod_for_each),
    "scheduler-counts-container-overhead-once": _rows(_containers_once),
    "scheduler-does-not-tell-which-containers-take": _names_nobody,
    "apiserver-stores-what-devices-take-without-the-gate": _keeps,
    "scheduler-accounts-one-device-of-a-pool": _first_of_pool,
    "apiserver-wants-a-mapping": _wants_mapping,
    "apiserver-trusts-every-node": _nobody_minds,
    "scheduler-shares-mapped-claims": _nobody_minds,
    "scheduler-counts-claims-in-use-alone": _rows(_in_use),
    "scheduler-dies-of-extended-resources-that-take": _Dies(),
    "kubelet-limits-containers-to-their-own": _as_without_claims("limits"),
    "kubelet-scores-what-containers-request-themselves": _as_without_claims("oom"),
}

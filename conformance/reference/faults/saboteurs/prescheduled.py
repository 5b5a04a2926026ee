"""How a cluster can be wrong about Pods that are on a node before their claims are ready."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from conformance.kube.objects import Object, uid_of
from conformance.kube.status import StatusError
from conformance.reference.faults.seams import Saboteur

#: An allocation that no driver has to be asked about.
_NO_DEVICES: Object = {"devices": {"results": []}}


def _is_allocated(claim: Object) -> bool:
    return (claim.get("status") or {}).get("allocation") is not None


def _only_for_scheduled(real: Any, kind: str, pod: Object, *rest: Any) -> Any:
    """Overlook Pods of schedulers that are not the default one."""
    if pod["spec"].get("schedulerName", "default-scheduler") != "default-scheduler":
        return None
    return real(kind, pod, *rest)


def _takes_placed_pods(real: Any, pod: Object, scheduler_name: str) -> bool:
    """Schedule Pods that have a node already, too."""
    unplaced = copy.deepcopy(pod)
    unplaced["spec"].pop("nodeName", None)
    return real(unplaced, scheduler_name)


async def _starts_without_claim(real: Any, pod: Object) -> None:
    """Start a Pod all the same when a claim is not there."""
    try:
        await real(pod)
    except RuntimeError as error:
        if not (isinstance(error.__cause__, StatusError) and error.__cause__.code == 404):
            raise


def _takes_unallocated(real: Any, pod: Object, claim: Object) -> None:
    """Take a claim that is not allocated for one without devices."""
    if _is_allocated(claim):
        real(pod, claim)
        return
    claim.setdefault("status", {})["allocation"] = copy.deepcopy(_NO_DEVICES)


def _takes_unreserved(real: Any, pod: Object, claim: Object) -> None:
    """Let a Pod use a claim that is allocated, whoever it is reserved for."""
    if not _is_allocated(claim):
        real(pod, claim)


class _LooksOnce:
    """Never look again at the claims of a Pod that had to wait once."""

    def __init__(self) -> None:
        self._refused: dict[str, Exception] = {}

    async def __call__(self, real: Any, pod: Object) -> None:
        """Prepare the Pod's claims, or repeat why that was impossible before."""
        if uid_of(pod) in self._refused:
            raise self._refused[uid_of(pod)]
        try:
            await real(pod)
        except Exception as error:
            self._refused[uid_of(pod)] = error
            raise


def _reserves_nothing(*_: Any) -> bool:
    return False


def _reserves_for_its_scheduler(real: Any, pod: Object, claim: Object) -> bool:
    """Reserve for Pods of the default scheduler alone."""
    own = pod["spec"].get("schedulerName", "default-scheduler") == "default-scheduler"
    return own and real(pod, claim)


def _allocates(real: Any, pod: Object, claim: Object) -> bool:
    """Allocate a claim that nobody has allocated, without devices."""
    if not _is_allocated(claim):
        claim.setdefault("status", {})["allocation"] = copy.deepcopy(_NO_DEVICES)
    return real(pod, claim)


def _ignores_node_selector(real: Any, pod: Object, *rest: Any) -> Any:
    free = copy.deepcopy(pod)
    free["spec"].pop("nodeSelector", None)
    return real(free, *rest)


def _keeps_node(real: Any, policy: Object, write: Any, namespace: Any) -> Object:
    asked = write.object.get("spec", {}).get("nodeName")
    made = real(policy, write, namespace)
    return {**made, "spec": {**made["spec"], "nodeName": asked}} if asked else made


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "kubelet-wants-a-scheduler": _only_for_scheduled,
    "scheduler-takes-placed-pods": _takes_placed_pods,
    "kubelet-starts-without-claim": _starts_without_claim,
    "kubelet-takes-unallocated-claims": _takes_unallocated,
    "kubelet-takes-unreserved-claims": _takes_unreserved,
    "kubelet-looks-once": _LooksOnce(),
    "controller-reserves-nothing": _reserves_nothing,
    "controller-reserves-for-its-scheduler": _reserves_for_its_scheduler,
    "controller-allocates": _allocates,
    "apiserver-keeps-pods-on-their-node": _keeps_node,
    "scheduler-ignores-node-selector": _ignores_node_selector,
}

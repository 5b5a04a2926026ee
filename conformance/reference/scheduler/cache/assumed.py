"""What the scheduler decided or wrote and does not see in its caches yet.

Without this memory two Pods that are scheduled in quick succession could get one device.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from conformance.kube.objects import Object, key_of, uid_of
from conformance.reference.scheduler.cache.ledger import Ledger
from conformance.reference.scheduler.cache.nominated import Nominated
from conformance.reference.scheduler.cache.occupancy import Occupancy
from conformance.reference.scheduler.resources.allocatable import with_statuses


class Assumed:
    """What the informers of claims and Pods say, and on top of it what they do not say yet."""

    def __init__(self) -> None:
        #: Allocations that are about to be written, by uid of the claim.
        self.in_flight: dict[str, Object] = {}
        #: The newest state of every claim, and every Pod on the node that it has or will have.
        self.claims = Ledger()
        self.occupancy = Occupancy()
        self.nominated = Nominated()
        self._written: dict[str, Object] = {}
        #: Nodes of Pods that are not bound yet, and what their devices take there, by uid.
        self._nodes: dict[str, str] = {}
        self._taken: dict[str, list[Object]] = {}

    # Claims.

    def begin(self, allocations: Mapping[str, Object]) -> None:
        """Take devices: nobody else may get them from now on."""
        self.in_flight.update(allocations)

    def end(self, claim_uids: Iterable[str]) -> None:
        """Forget allocations that were written, or given up."""
        for uid in claim_uids:
            self.in_flight.pop(uid, None)

    def wrote(self, claim: Object) -> None:
        """Remember the answer to a write until the informer has seen it."""
        key = key_of(claim)
        self._written[key] = claim
        if self.claims.find(key) is not None:
            self.claims.put(key, claim)

    def created(self, claim: Object) -> None:
        """Know a claim that was created here before the informer does."""
        self._written[key_of(claim)] = claim
        self.claims.put(key_of(claim), claim)

    def saw_claim(self, kind: str, claim: Object) -> None:
        """Take note of an event from the informer."""
        key = key_of(claim)
        written = self._written.get(key)
        if written is not None:
            caught_up = _version(claim) >= _version(written)
            if kind == "DELETED" or caught_up or uid_of(claim) != uid_of(written):
                del self._written[key]
                written = None
        if kind == "DELETED":
            self.claims.drop(key)
        else:
            self.claims.put(key, claim if written is None else written)

    def newest(self, key: str) -> Object | None:
        """Return the newest state that is known of a claim, nothing where it is gone."""
        return self.claims.find(key)

    # Pods.

    def saw_pod(self, kind: str, pod: Object) -> None:
        """Take note of an event from the informer."""
        own = pod.get("spec", {}).get("nodeName")
        if own or kind == "DELETED" or pod["metadata"].get("deletionTimestamp"):
            self._nodes.pop(uid_of(pod), None)
            self._taken.pop(uid_of(pod), None)
        nominated = pod.get("status", {}).get("nominatedNodeName")
        if own or kind == "DELETED":
            self.nominated.drop(pod)
        elif nominated:
            self.nominated.put(pod, nominated)
        node = own or self._nodes.get(uid_of(pod))
        if node and kind != "DELETED":
            taken = self._taken.get(uid_of(pod))
            self.occupancy.put(with_statuses(pod, taken) if taken else pod, node)
        else:
            self.occupancy.drop(pod)

    def bound(self, pod: Object, node: str) -> None:
        """Count the Pod's ordinary resources on the node, those of its devices included.

        What the devices take stands in the status of ``pod``, and not yet in the API.
        """
        self._nodes[uid_of(pod)] = node
        self.nominated.drop(pod)
        status = pod.get("status", {})
        self._taken[uid_of(pod)] = status.get("nodeAllocatableResourceClaimStatuses") or []
        self.occupancy.put(pod, node)

    def unbound(self, pod: Object) -> None:
        """Stop counting them: binding failed. What the informer says of the Pod stays."""
        self._taken.pop(uid_of(pod), None)
        if self._nodes.pop(uid_of(pod), None) is not None:
            self.occupancy.drop(pod)

    def has_node(self, pod: Object) -> bool:
        """Tell whether the Pod is on its way to a node."""
        return uid_of(pod) in self._nodes


def _version(obj: Object) -> int:
    return int(obj["metadata"]["resourceVersion"])

"""What the scheduler decided or wrote and does not see in its caches yet.

Without this memory two Pods that are scheduled in quick succession could get one device.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from conformance.kube.objects import Object, key_of, uid_of


class Assumed:
    """An overlay over the informers of claims and Pods."""

    def __init__(self) -> None:
        #: Allocations that are about to be written, by uid of the claim.
        self.in_flight: dict[str, Object] = {}
        self._claims: dict[str, Object] = {}
        self._nodes: dict[str, str] = {}

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
        self._claims[key_of(claim)] = claim

    def saw_claim(self, kind: str, claim: Object) -> None:
        """Take note of an event from the informer."""
        known = self._claims.get(key_of(claim))
        if known is None:
            return
        caught_up = _version(claim) >= _version(known)
        if kind == "DELETED" or caught_up or uid_of(claim) != uid_of(known):
            del self._claims[key_of(claim)]

    def newest(self, key: str, cached: Object | None) -> Object | None:
        """Return the newest state that is known of a claim."""
        known = self._claims.get(key)
        return cached if known is None or cached is None else known

    def claims(self, cached: Iterable[Object]) -> dict[str, Object]:
        """Return the newest state of every claim, by key."""
        return {key_of(claim): self._claims.get(key_of(claim), claim) for claim in cached}

    # Pods.

    def bound(self, pod: Object, node: str) -> None:
        """Count the Pod's ordinary resources on the node."""
        self._nodes[uid_of(pod)] = node

    def unbound(self, pod: Object) -> None:
        """Stop counting them: binding failed, or the informer shows the node by itself."""
        self._nodes.pop(uid_of(pod), None)

    def has_node(self, pod: Object) -> bool:
        """Tell whether the Pod is on its way to a node, or there already."""
        return uid_of(pod) in self._nodes

    def pods(self, cached: Iterable[Object]) -> list[Object]:
        """Return every Pod with the node that it has or is going to have."""
        return [self._with_node(pod) for pod in cached]

    def _with_node(self, pod: Object) -> Object:
        node = self._nodes.get(uid_of(pod))
        if node is None or pod.get("spec", {}).get("nodeName"):
            return pod
        return {**pod, "spec": {**pod["spec"], "nodeName": node}}


def _version(obj: Object) -> int:
    return int(obj["metadata"]["resourceVersion"])

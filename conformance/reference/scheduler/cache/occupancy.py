"""Which Pods are on which node, and what they take of its ordinary resources."""

from __future__ import annotations

from conformance.kube.objects import Object, uid_of
from conformance.reference.scheduler.fit import Occupants


class Occupancy:
    """Pods by node; only the sums of nodes whose Pods changed are made anew."""

    def __init__(self) -> None:
        self._nodes: dict[str, str] = {}
        self._pods: dict[str, dict[str, Object]] = {}
        self._sums: dict[str, Occupants] = {}

    def put(self, pod: Object, node: str) -> None:
        """Count the Pod, or its new state, on the node."""
        self.drop(pod)
        self._nodes[uid_of(pod)] = node
        self._pods.setdefault(node, {})[uid_of(pod)] = pod
        self._sums.pop(node, None)

    def drop(self, pod: Object) -> None:
        """Count the Pod nowhere."""
        node = self._nodes.pop(uid_of(pod), None)
        if node is not None:
            del self._pods[node][uid_of(pod)]
            self._sums.pop(node, None)

    def pods_on(self, node: str) -> list[Object]:
        """Return the Pods of the node."""
        return list(self._pods.get(node, {}).values())

    def on(self, node: str) -> Occupants:
        """Return who takes resources of the node."""
        known = self._sums.get(node)
        if known is None:
            known = self._sums[node] = Occupants.of(self._pods.get(node, {}).values())
        return known

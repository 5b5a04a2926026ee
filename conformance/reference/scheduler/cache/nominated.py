"""Pods that wait on a node for others to end, and count there as if they had it."""

from __future__ import annotations

from conformance.kube.objects import Object, uid_of
from conformance.reference.podclaims import priority_of


class Nominated:
    """The nominated nodes that the scheduler knows of, by Pod."""

    def __init__(self) -> None:
        self._nodes: dict[str, str] = {}
        self._pods: dict[str, dict[str, Object]] = {}

    def put(self, pod: Object, node: str) -> None:
        """Nominate a node for a Pod, in place of another one."""
        self.drop(pod)
        self._nodes[uid_of(pod)] = node
        self._pods.setdefault(node, {})[uid_of(pod)] = pod

    def drop(self, pod: Object) -> None:
        """Know of no nominated node of the Pod."""
        node = self._nodes.pop(uid_of(pod), None)
        if node is not None:
            del self._pods[node][uid_of(pod)]

    def node_of(self, pod: Object) -> str | None:
        """Return the nominated node of a Pod, if it has one."""
        return self._nodes.get(uid_of(pod))

    def beside(self, pod: Object, node: str) -> list[Object]:
        """Return the Pods that keep their place on a node from another Pod: as urgent as it is."""
        others = self._pods.get(node, {}).values()
        least = priority_of(pod)
        return [one for one in others if priority_of(one) >= least and uid_of(one) != uid_of(pod)]

    def below(self, pod: Object, node: str) -> list[Object]:
        """Return the Pods of lower priority for which a node is nominated."""
        others = self._pods.get(node, {}).values()
        return [one for one in others if priority_of(one) < priority_of(pod)]

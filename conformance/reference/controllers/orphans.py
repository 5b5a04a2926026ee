"""Pods of nodes that are gone: they are deleted, for no kubelet is left to do it.

Source: kube-controller-manager's Pod garbage collector.
"""

from __future__ import annotations

from conformance.kube.objects import Object, key_of, name_of, namespace_of, uid_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers.watching import SharedInformers

#: Seconds that a node may be missing before its Pods are given up.
QUARANTINE = 40.0


class OrphanedPods:
    """Deletes Pods whose node does not exist."""

    def __init__(self, client: ApiClient, informers: SharedInformers, *, clock: Clock) -> None:
        self._client = client
        self._pods = informers["pods"]
        self._nodes = informers["nodes"]
        self.queue = WorkQueue(clock)
        informers.listen("pods", self._on_pod)
        informers.listen("nodes", self._on_node)

    async def run(self) -> None:
        """Work until the queue is closed."""
        await self.queue.run(self.reconcile)

    def _on_pod(self, kind: str, pod: Object, old: Object | None) -> None:
        node = pod.get("spec", {}).get("nodeName")
        known = old is not None and old.get("spec", {}).get("nodeName") == node
        if kind != "DELETED" and node and not known and self._nodes.get(node) is None:
            self.queue.add_after(key_of(pod), QUARANTINE)

    def _on_node(self, kind: str, node: Object, _: Object | None) -> None:
        if kind != "DELETED":
            return
        for pod in self._pods.values():
            if pod.get("spec", {}).get("nodeName") == name_of(node):
                self.queue.add_after(key_of(pod), QUARANTINE)

    async def reconcile(self, key: str) -> None:
        """Delete the Pod if the API does not know its node either."""
        pod = self._pods.get(key)
        if pod is None or not await self._node_is_gone(pod["spec"].get("nodeName")):
            return
        await self._client.delete(
            "pods", name_of(pod), namespace_of(pod), uid=uid_of(pod), grace_period_seconds=0
        )

    async def _node_is_gone(self, name: str | None) -> bool:
        if not name or self._nodes.get(name) is not None:
            return False
        try:
            await self._client.get("nodes", name)
        except StatusError as error:
            return error.code == 404
        return False

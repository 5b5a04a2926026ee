"""The Pods of the node: one worker each, woken by the API, by health and by time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from conformance.kube.objects import Object, namespace_of, uid_of
from conformance.reference.client.informer import Informer
from conformance.reference.kubelet.pods.worker import Parts, PodWorker
from conformance.reference.kubelet.registration.plugin import cancelled


class PodLoop:
    """Watches the Pods with ``spec.nodeName`` of this node, however they got it."""

    def __init__(self, node: str, parts: Parts) -> None:
        self._parts = parts
        self._workers: dict[str, PodWorker] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._informer = Informer(
            parts.client,
            "pods",
            field_selector=f"spec.nodeName={node}",
            on_event=parts.faults.wrap("kubelet.pod_event", self._on_event),
        )

    async def start(self) -> None:
        """Begin; cleans up first after Pods that vanished while no kubelet ran."""
        await self._informer.synced()
        for uid in sorted({*self._parts.claims.pod_uids(), *self._parts.runtime.pods()}):
            if uid not in self._workers:
                orphan: Object = {"metadata": {"uid": uid, "name": "", "namespace": ""}}
                self._begin(orphan, gone=True)

    async def stop(self) -> None:
        """End every worker where it stands."""
        await self._informer.stop()
        for task in list(self._tasks.values()):
            await cancelled(task)

    def pods(self) -> list[Object]:
        """Return the Pods that are on the node now, by namespace and name."""
        pods = [worker.pod for worker in self._workers.values() if not worker.gone]
        return sorted(pods, key=lambda pod: (namespace_of(pod), pod["metadata"]["name"]))

    def wake(self, uids: Iterable[str]) -> None:
        """Let these Pods' workers look again."""
        for uid in sorted(uids):
            if uid in self._workers:
                self._workers[uid].wake()

    def _on_event(self, kind: str, pod: Object, _old: Object | None) -> None:
        gone = kind == "DELETED"
        worker = self._workers.get(uid_of(pod))
        if worker is not None:
            worker.take(pod, gone=gone)
        else:
            self._begin(pod, gone=gone)

    def _begin(self, pod: Object, *, gone: bool) -> None:
        uid = uid_of(pod)
        worker = PodWorker(pod, self._parts, gone=gone)
        self._workers[uid] = worker
        task = asyncio.ensure_future(worker.run())
        self._tasks[uid] = task
        task.add_done_callback(lambda _: self._forget(uid))

    def _forget(self, uid: str) -> None:
        self._workers.pop(uid, None)
        self._tasks.pop(uid, None)

"""ReplicaSets: as many Pods of a template as are asked for.

Source: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/. Upstream's own
tests of DRA deploy their drivers this way.
"""

from __future__ import annotations

from conformance.kube import conditions
from conformance.kube.objects import (
    Object,
    copy_of,
    key_of,
    name_of,
    namespace_of,
    owner_of,
    uid_of,
)
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers.watching import SharedInformers
from conformance.reference.podclaims import is_finished


class ReplicaSetController:
    """Creates and deletes Pods until their number is right, and tells how many are ready."""

    def __init__(self, client: ApiClient, informers: SharedInformers, *, clock: Clock) -> None:
        self._client = client
        self._sets = informers["replicasets"]
        self.queue = WorkQueue(clock)
        informers.listen("replicasets", self._on_set)
        informers.listen("pods", self._on_pod)

    async def run(self) -> None:
        """Work until the queue is closed."""
        await self.queue.run(self.reconcile)

    def _on_set(self, kind: str, replica_set: Object, _: Object | None) -> None:
        if kind != "DELETED":
            self.queue.add(key_of(replica_set))

    def _on_pod(self, _kind: str, pod: Object, _old: Object | None) -> None:
        owner = owner_of(pod)
        if owner is not None and owner["kind"] == "ReplicaSet":
            self.queue.add(f"{namespace_of(pod)}/{owner['name']}")

    async def reconcile(self, key: str) -> None:
        """Bring one ReplicaSet to its number of Pods."""
        replica_set = self._sets.get(key)
        if replica_set is None or replica_set["metadata"].get("deletionTimestamp"):
            return
        # Asked of the API, so that a Pod that was created a moment ago is not created again.
        pods, _ = await self._client.list("pods", namespace_of(replica_set))
        active = [pod for pod in pods if is_active(pod, replica_set)]
        wanted = replica_set["spec"].get("replicas", 1)
        missing = range(wanted - len(active))
        active += [await self._client.create("pods", pod_of(replica_set)) for _ in missing]
        for pod in active[wanted:]:
            await self._client.delete("pods", name_of(pod), namespace_of(pod), uid=uid_of(pod))
        await self._tell(replica_set, active[:wanted])

    async def _tell(self, replica_set: Object, pods: list[Object]) -> None:
        status = status_of(replica_set, pods)
        if status == replica_set.get("status"):
            return
        try:
            await self._client.update_status("replicasets", {**replica_set, "status": status})
        except StatusError as error:
            # Deleted, or changed meanwhile: then another event is on its way.
            if error.code not in (404, 409):
                raise


def is_active(pod: Object, replica_set: Object) -> bool:
    """Tell whether the Pod counts for the ReplicaSet: its own, not done and not going."""
    owner = owner_of(pod)
    is_own = owner is not None and owner["uid"] == uid_of(replica_set)
    return is_own and not is_finished(pod) and not pod["metadata"].get("deletionTimestamp")


def pod_of(replica_set: Object) -> Object:
    """Return the next Pod to create."""
    template = copy_of(replica_set["spec"].get("template") or {})
    owner = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "name": name_of(replica_set),
        "uid": uid_of(replica_set),
        "controller": True,
        "blockOwnerDeletion": True,
    }
    metadata = {
        **template.get("metadata", {}),
        "generateName": f"{name_of(replica_set)}-",
        "namespace": namespace_of(replica_set),
        "ownerReferences": [owner],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}


def status_of(replica_set: Object, pods: list[Object]) -> Object:
    """Return the whole status; counters that are zero are left out, as Kubernetes does."""
    told = [pod.get("status", {}).get("conditions") for pod in pods]
    ready = sum(conditions.is_true(one, "Ready") for one in told)
    counted = {
        "fullyLabeledReplicas": len(pods),
        "readyReplicas": ready,
        "availableReplicas": ready,
        "observedGeneration": replica_set["metadata"].get("generation", 0),
    }
    return {"replicas": len(pods), **{name: value for name, value in counted.items() if value}}

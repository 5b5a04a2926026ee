"""The PodGroup protection controller: a deleted group stays while a Pod of it may run.

Source: kube-controller-manager 1.37 (podgroup-protection-controller). The finalizer is set by
the API server when the group is created.
"""

from __future__ import annotations

from conformance.kube.objects import Object, copy_of, key_of, namespace_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers.watching import SharedInformers
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import group_name, is_finished

PROTECTION = "scheduling.k8s.io/podgroup-protection"

#: The index of Pods by the key of their group.
BY_GROUP = "group"


def group_keys(pod: Object) -> list[str]:
    """Return the key of the Pod's group, if it names one."""
    name = group_name(pod)
    return [f"{namespace_of(pod)}/{name}"] if name else []


def is_protected(group: Object) -> bool:
    """Tell whether a deleted group waits for its Pods."""
    metadata = group["metadata"]
    return bool(metadata.get("deletionTimestamp")) and PROTECTION in metadata.get("finalizers", [])


def may_run(pod: Object) -> bool:
    """Tell whether a Pod keeps its group: one that has finished does not."""
    return not is_finished(pod)


async def let_go(client: ApiClient, group: Object) -> None:
    """Take the finalizer away."""
    changed = copy_of(group)
    changed["metadata"]["finalizers"].remove(PROTECTION)
    try:
        await client.update("podgroups", changed)
    except StatusError as error:
        if error.code != 404:
            raise


class PodGroupProtection:
    """Follows PodGroups that are deleted, and the Pods that name them."""

    def __init__(
        self, client: ApiClient, informers: SharedInformers, *, clock: Clock, faults: Faults
    ) -> None:
        self._client = client
        self._groups = informers["podgroups"]
        self._pods = informers["pods"]
        self.queue = WorkQueue(clock)
        informers.listen("podgroups", self._on_group)
        informers.listen("pods", self._on_pod)
        self._may_run = faults.wrap("controllers.keeps_group", may_run)
        self._let_go = faults.wrap("controllers.let_group_go", let_go)

    async def run(self) -> None:
        """Work until the queue is closed."""
        await self.queue.run(self.reconcile)

    def _on_group(self, kind: str, group: Object, _: Object | None) -> None:
        if kind != "DELETED" and is_protected(group):
            self.queue.add(key_of(group))

    def _on_pod(self, kind: str, pod: Object, _: Object | None) -> None:
        if kind == "DELETED" or is_finished(pod):
            for key in group_keys(pod):
                self.queue.add(key)

    async def reconcile(self, key: str) -> None:
        """Let one deleted group go, unless a Pod keeps it."""
        group = self._groups.get(key)
        if group is None or not is_protected(group):
            return
        if not any(map(self._may_run, self._pods.find(BY_GROUP, key))):
            await self._let_go(self._client, group)

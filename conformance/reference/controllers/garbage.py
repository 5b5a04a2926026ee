"""The garbage collector: what has lost all its owners is deleted, in the background.

Source: the Kubernetes documentation of garbage collection (owner references, by uid).
"""

from __future__ import annotations

from collections.abc import Sequence

from conformance.kube.objects import Object, key_of, name_of, namespace_of, uid_of
from conformance.kube.resources import RESOURCES, Resource, preferred
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers.watching import BY_OWNER, SharedInformers
from conformance.reference.faults.seams import Faults

#: What is collected; the deletion of one of these, or of a Node, is noticed at once.
DEPENDENTS = ("pods", "resourceclaims", "resourceclaimtemplates", "resourceslices")
OWNERS = (*DEPENDENTS, "nodes", "replicasets")


def owner_references(obj: Object) -> list[Object]:
    """Return ``metadata.ownerReferences``."""
    return list(obj["metadata"].get("ownerReferences") or [])


def is_orphan(obj: Object, found: Sequence[bool]) -> bool:
    """Tell whether the object had owners and none of them exists any more."""
    return bool(owner_references(obj)) and not any(found)


def resource_of(reference: Object) -> Resource | None:
    """Return the resource behind an owner reference, in its preferred version."""
    group, _, version = reference["apiVersion"].rpartition("/")
    for row in RESOURCES:
        if (row.group, row.version, row.kind) == (group, version, reference["kind"]):
            return preferred(row)
    return None


async def collect(client: ApiClient, plural: str, obj: Object) -> None:
    """Delete an object without owners, if it is still the same one."""
    try:
        await client.delete(plural, name_of(obj), namespace_of(obj) or None, uid=uid_of(obj))
    except StatusError as error:
        if error.code != 404:
            raise


class GarbageCollector:
    """Follows owner references by uid."""

    def __init__(
        self, client: ApiClient, informers: SharedInformers, *, clock: Clock, faults: Faults
    ) -> None:
        self._client = client
        self._informers = informers
        self.queue = WorkQueue(clock)
        for plural in OWNERS:
            informers.listen(plural, self._listener(plural))
        self._is_orphan = faults.wrap("controllers.is_orphan", is_orphan)
        self._collect = faults.wrap("controllers.collect", collect)

    async def run(self) -> None:
        """Work until the queue is closed."""
        await self.queue.run(self.reconcile)

    def _listener(self, plural: str):  # noqa: ANN202 - a Listener
        def on_event(kind: str, obj: Object, _: Object | None) -> None:
            if kind == "DELETED":
                self._owner_is_gone(obj)
            elif owner_references(obj):
                self.queue.add(f"{plural}:{key_of(obj)}")

        return on_event

    def _owner_is_gone(self, owner: Object) -> None:
        for plural in DEPENDENTS:
            for obj in self._informers[plural].find(BY_OWNER, uid_of(owner)):
                self.queue.add(f"{plural}:{key_of(obj)}")

    async def reconcile(self, key: str) -> None:
        """Delete one object if all its owners are gone."""
        plural, _, name = key.partition(":")
        obj = self._informers[plural].get(name)
        if obj is None or obj["metadata"].get("deletionTimestamp"):
            return
        found = [await self._exists(obj, reference) for reference in owner_references(obj)]
        if self._is_orphan(obj, found):
            await self._collect(self._client, plural, obj)

    async def _exists(self, dependent: Object, reference: Object) -> bool:
        """Tell whether the owner is there; the API has the last word."""
        row = resource_of(reference)
        if row is None:
            # A kind that is not served here can't be judged: it counts as being there.
            return True
        namespace = namespace_of(dependent) if row.namespaced else ""
        key = f"{namespace}/{reference['name']}" if namespace else reference["name"]
        if row.plural in self._informers:
            cached = self._informers[row.plural].get(key)
            if cached is not None and uid_of(cached) == reference["uid"]:
                return True
        try:
            live = await self._client.get(row, reference["name"], namespace or None)
        except StatusError as error:
            if error.code == 404:
                return False
            raise
        return uid_of(live) == reference["uid"]

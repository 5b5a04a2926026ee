"""The garbage collector: what has lost all its owners is deleted; deletions wait, or orphan.

An owner that is deleted in the foreground stays until the dependents that block it are gone;
one that orphans stays until no dependent names it any more.

Source: the Kubernetes documentation of garbage collection (owner references, by uid).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from conformance.kube.objects import Object, key_of, name_of, namespace_of, uid_of
from conformance.kube.resources import RESOURCES, Resource, preferred
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.client.paths import path_of
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers.watching import BY_OWNER, SharedInformers
from conformance.reference.faults.seams import Faults

#: What is collected; the deletion of one of these, or of a Node, is noticed at once.
DEPENDENTS = ("pods", "resourceclaims", "resourceclaimtemplates", "resourceslices")
OWNERS = (*DEPENDENTS, "nodes", "replicasets")

_FOREGROUND = "foregroundDeletion"
_ORPHAN = "orphan"


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


def waits_for_dependents(obj: Object) -> bool:
    """Tell whether the object is being deleted in the foreground."""
    meta = obj["metadata"]
    return bool(meta.get("deletionTimestamp")) and _FOREGROUND in meta.get("finalizers", [])


def blocks(dependent: Object, owner: Object) -> bool:
    """Tell whether the owner's foreground deletion has to wait for the dependent."""
    return any(
        reference["uid"] == uid_of(owner) and reference.get("blockOwnerDeletion")
        for reference in owner_references(dependent)
    )


async def release(client: ApiClient, plural: str, dependent: Object, uids: Collection[str]) -> None:
    """Let a dependent name these owners no more."""
    kept = [one for one in owner_references(dependent) if one["uid"] not in uids]
    meta = {
        "ownerReferences": kept or None,
        "resourceVersion": dependent["metadata"]["resourceVersion"],
    }
    await _patch(client, plural, dependent, {"metadata": meta})


async def finish(client: ApiClient, plural: str, owner: Object, finalizer: str) -> None:
    """Take away a finalizer of the collector."""
    kept = [one for one in owner["metadata"]["finalizers"] if one != finalizer]
    meta = {
        "finalizers": kept or None,
        "resourceVersion": owner["metadata"]["resourceVersion"],
    }
    await _patch(client, plural, owner, {"metadata": meta})


async def _patch(client: ApiClient, plural: str, obj: Object, body: Object) -> None:
    try:
        await client.patch(plural, name_of(obj), body, namespace_of(obj) or None)
    except StatusError as error:
        # One that was changed meanwhile is looked at again.
        if error.code != 404:
            raise


async def collect_in_foreground(client: ApiClient, plural: str, obj: Object) -> None:
    """Delete a dependent whose owner waits for it, and let it wait for its own."""
    options = {
        "apiVersion": "v1",
        "kind": "DeleteOptions",
        "propagationPolicy": "Foreground",
        "preconditions": {"uid": uid_of(obj)},
    }
    path = path_of(plural, namespace_of(obj) or None, name_of(obj))
    try:
        await client.request("DELETE", path, body=options)
    except StatusError as error:
        if error.code not in (404, 409):
            raise


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
        #: The kinds whose deletion is noticed at once.
        self._owners = [*OWNERS, *(("podgroups",) if "podgroups" in informers else ())]
        for plural in self._owners:
            informers.listen(plural, self._listener(plural))
        self._is_orphan = faults.wrap("controllers.is_orphan", is_orphan)
        self._collect = faults.wrap("controllers.collect", collect)
        self._blocks = faults.wrap("controllers.blocks", blocks)
        self._release = faults.wrap("controllers.release_dependent", release)

    async def run(self) -> None:
        """Work until the queue is closed."""
        await self.queue.run(self.reconcile)

    def _listener(self, plural: str):  # noqa: ANN202 - a Listener
        def on_event(kind: str, obj: Object, _: Object | None) -> None:
            if kind == "DELETED":
                self._look_at_dependents(obj)
                self._look_at_owners(obj)
            elif obj["metadata"].get("deletionTimestamp"):
                self.queue.add(f"{plural}:{key_of(obj)}")
                self._look_at_dependents(obj)
            elif owner_references(obj):
                self.queue.add(f"{plural}:{key_of(obj)}")

        return on_event

    def _look_at_dependents(self, owner: Object) -> None:
        for plural, obj in self._dependents(owner):
            self.queue.add(f"{plural}:{key_of(obj)}")

    def _look_at_owners(self, dependent: Object) -> None:
        for reference in owner_references(dependent):
            row = resource_of(reference)
            if row is not None and row.plural in self._owners:
                self.queue.add(f"{row.plural}:{_key(dependent, reference, row)}")

    def _dependents(self, owner: Object) -> list[tuple[str, Object]]:
        return [
            (plural, obj)
            for plural in DEPENDENTS
            for obj in self._informers[plural].find(BY_OWNER, uid_of(owner))
        ]

    async def reconcile(self, key: str) -> None:
        """Do for one object what its owners, or its own deletion, ask for."""
        plural, _, name = key.partition(":")
        obj = self._informers[plural].get(name)
        if obj is None:
            return
        if obj["metadata"].get("deletionTimestamp"):
            await self._finish_deletion(plural, obj)
            return
        owners = [await self._owner(obj, reference) for reference in owner_references(obj)]
        found = [owner is not None and not waits_for_dependents(owner) for owner in owners]
        if self._is_orphan(obj, found):
            is_awaited = any(owner is not None for owner in owners)
            if is_awaited and self._dependents(obj):
                await collect_in_foreground(self._client, plural, obj)
            else:
                await self._collect(self._client, plural, obj)
        elif not all(found):
            rows = zip(owner_references(obj), found, strict=True)
            gone = [reference["uid"] for reference, is_there in rows if not is_there]
            await self._release(self._client, plural, obj, gone)

    async def _finish_deletion(self, plural: str, owner: Object) -> None:
        """Orphan the dependents, or wait for those that block."""
        finalizers = owner["metadata"].get("finalizers", [])
        dependents = self._dependents(owner)
        if _ORPHAN in finalizers:
            for kind, one in dependents:
                await self._release(self._client, kind, one, [uid_of(owner)])
            await finish(self._client, plural, owner, _ORPHAN)
        elif _FOREGROUND in finalizers and not any(
            self._blocks(one, owner) for _, one in dependents
        ):
            await finish(self._client, plural, owner, _FOREGROUND)

    async def _owner(self, dependent: Object, reference: Object) -> Object | None:
        """Return the owner if it is there; the API has the last word."""
        row = resource_of(reference)
        if row is None:
            # A kind that is not served here can't be judged: it counts as being there.
            return {"metadata": {"name": reference["name"], "uid": reference["uid"]}}
        namespace = namespace_of(dependent) if row.namespaced else ""
        key = _key(dependent, reference, row)
        if row.plural in self._informers:
            cached = self._informers[row.plural].get(key)
            if cached is not None and uid_of(cached) == reference["uid"]:
                return cached
        try:
            live = await self._client.get(row, reference["name"], namespace or None)
        except StatusError as error:
            if error.code == 404:
                return None
            raise
        return live if uid_of(live) == reference["uid"] else None


def _key(dependent: Object, reference: Object, row: Resource) -> str:
    namespace = namespace_of(dependent) if row.namespaced else ""
    return f"{namespace}/{reference['name']}" if namespace else reference["name"]

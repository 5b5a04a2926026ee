"""The store: objects in memory, one revision counter, one history per resource."""

from __future__ import annotations

from collections import defaultdict

from conformance.kube.objects import Object
from conformance.reference.store.history import WINDOW, Event, History, Subscription

#: Namespace (empty for cluster-scoped objects) and name.
Key = tuple[str, str]


class Missing(LookupError):
    """No object has that key."""


class Exists(LookupError):
    """An object with that key is there already."""


class Outdated(LookupError):
    """The object has changed since the revision that the caller knows."""


class Store:
    """Every object of a cluster.

    Objects that were given to the store or came out of it are never changed in place:
    events, lists and callers share them. ``resource`` is any string that names a kind of
    object, such as ``resource.k8s.io/resourceclaims``.
    """

    def __init__(self, *, window: int = WINDOW) -> None:
        self.revision = 1
        self._objects: defaultdict[str, dict[Key, Object]] = defaultdict(dict)
        self._changed: dict[str, int] = {}
        self._histories: defaultdict[str, History] = defaultdict(lambda: History(window))

    def get(self, resource: str, key: Key) -> Object | None:
        """Return one object, if it is there."""
        return self._objects[resource].get(key)

    def changed(self, resource: str) -> int:
        """Return the revision at which an object of a resource changed last, 0 for never."""
        return self._changed.get(resource, 0)

    def list(self, resource: str, namespace: str = "") -> list[Object]:
        """Return the objects of a namespace, or of all of them, in the order of their keys."""
        objects = self._objects[resource]
        return [objects[key] for key in sorted(objects) if not namespace or key[0] == namespace]

    def list_at(self, resource: str, revision: int, namespace: str = "") -> list[Object]:
        """Return what ``list`` returned at a past revision. Raises ``Compacted``."""
        objects = dict(self._objects[resource])
        for event in self._histories[resource].since(revision):
            meta = event.object["metadata"]
            key = (meta.get("namespace", ""), meta["name"])
            if event.old is None:
                objects.pop(key, None)
            else:
                objects[key] = event.old
        return [objects[key] for key in sorted(objects) if not namespace or key[0] == namespace]

    def create(self, resource: str, key: Key, obj: Object) -> Object:
        """Keep a new object and return it with its revision. Raises ``Exists``."""
        if key in self._objects[resource]:
            raise Exists(key)
        return self._put("ADDED", resource, key, obj)

    def update(self, resource: str, key: Key, obj: Object, expected: str) -> Object:
        """Replace an object whose resourceVersion is still ``expected``.

        Raises ``Missing`` or ``Outdated``.
        """
        current = self._objects[resource].get(key)
        if current is None:
            raise Missing(key)
        if current["metadata"]["resourceVersion"] != expected:
            raise Outdated(key)
        return self._put("MODIFIED", resource, key, obj)

    def delete(self, resource: str, key: Key) -> Object:
        """Remove an object and return its last state. Raises ``Missing``."""
        current = self._objects[resource].pop(key, None)
        if current is None:
            raise Missing(key)
        self.revision += 1
        self._changed[resource] = self.revision
        last = _stamped(current, self.revision)
        self._histories[resource].append(
            Event(type="DELETED", revision=self.revision, object=last, old=current)
        )
        return last

    def subscribe(self, resource: str, since: int) -> Subscription:
        """Return what happens to a resource after a revision. Raises ``Compacted``."""
        return self._histories[resource].subscribe(since)

    def compact(self) -> None:
        """Forget all events up to now; what is subscribed already goes on."""
        for resource in self._objects:
            self._histories[resource].compact(self.revision)

    def end(self) -> None:
        """End every subscription: the server stops."""
        for history in self._histories.values():
            history.end()

    def _put(self, kind: str, resource: str, key: Key, obj: Object) -> Object:
        self.revision += 1
        self._changed[resource] = self.revision
        kept = _stamped(obj, self.revision)
        old = self._objects[resource].get(key)
        self._objects[resource][key] = kept
        self._histories[resource].append(
            Event(type=kind, revision=self.revision, object=kept, old=old)
        )
        return kept


def _stamped(obj: Object, revision: int) -> Object:
    return {**obj, "metadata": {**obj["metadata"], "resourceVersion": str(revision)}}

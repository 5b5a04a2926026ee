"""What an API server would say of an object, without storing it."""

from __future__ import annotations

from conformance.harness.apply import resource_for
from conformance.harness.client import path_of
from conformance.harness.propose.changes import Changes, changed
from conformance.harness.targets import ages
from conformance.harness.world import World
from conformance.kube.objects import Object

_DRY_RUN = {"dryRun": "All"}


class Proposals:
    """Objects of the manifests, changed, and proposed to the API server of a world.

    Each method returns what would have been stored and raises ``StatusError`` for what is
    refused. The topic names a manifest of one valid object.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._stored: dict[str, Object] = {}

    def creation(self, topic: str, changes: Changes) -> Object:
        """Propose to create the object."""
        obj = changed(self._world.document(topic), changes)
        ages.must_have(self._world.cluster.version, obj)
        resource = resource_for(obj)
        path = path_of(resource, self._namespace(obj))
        return self._world.api.ask("POST", path, obj, query=_DRY_RUN)

    def update(self, topic: str, changes: Changes) -> Object:
        """Propose the changes to the object, once it is created."""
        return self._put(self._created(topic), changes)

    def status(self, topic: str, changes: Changes) -> Object:
        """Propose the status with the changes to the object, once it is created without."""
        status = self._world.document(topic)["status"]
        return self._put({**self._created(topic), "status": status}, changes, "status")

    def later_status(self, topic: str, changes: Changes) -> Object:
        """Propose the changes to the status of the object, once it is created with it."""
        status, stored = self._world.document(topic)["status"], self._created(topic)
        whole = self._world.api.update(
            resource_for(stored),
            {**stored, "status": status},
            self._namespace(stored),
            subresource="status",
        )
        return self._put(whole, changes, "status")

    def _created(self, topic: str) -> Object:
        """Return the object without a status; it is created when it is first wanted."""
        if topic not in self._stored:
            document = self._world.document(topic)
            document.pop("status", None)
            self._stored[topic] = self._world.create(document)
        return self._stored[topic]

    def _put(self, stored: Object, changes: Changes, subresource: str = "") -> Object:
        path = path_of(
            resource_for(stored),
            self._namespace(stored),
            stored["metadata"]["name"],
            subresource,
        )
        return self._world.api.ask("PUT", path, changed(stored, changes), query=_DRY_RUN)

    def _namespace(self, obj: Object) -> str | None:
        return self._world.namespace if resource_for(obj).namespaced else None

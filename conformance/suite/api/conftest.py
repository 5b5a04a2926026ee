"""Objects of one kind, and where they are."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.apply import resource_for
from conformance.harness.client import path_of
from conformance.harness.world import World
from conformance.kube.objects import Object


class Kind:
    """What a check says to the cluster about objects of one kind."""

    def __init__(self, world: World, topic: str) -> None:
        self.world = world
        self.api = world.api
        self._topic = f"api/{topic}"
        self.resource = resource_for(self.document())
        self.collection = path_of(
            self.resource, world.namespace if self.resource.namespaced else None
        )

    def document(self, name: str = "a") -> Object:
        """Return an object of this kind without creating it; its names are the world's own."""
        name = f"{self.world.name}-{name}"
        return self.world.document(self._topic, object=name, team=self.world.name)

    def create(self, name: str = "a") -> Object:
        """Create an object of this kind; raises ``StatusError``."""
        return self.world.create(self.document(name))

    def path(self, obj: Object) -> str:
        """Return where an object is."""
        return f"{self.collection}/{obj['metadata']['name']}"

    def read(self, obj: Object) -> Object:
        """Return an object as it is now; raises ``StatusError``."""
        return self.api.ask("GET", self.path(obj))

    def list(self, **query: str) -> list[str]:
        """Return the names of this world's objects of this kind."""
        query.setdefault("labelSelector", f"team={self.world.name}")
        found = self.api.ask("GET", self.collection, query=query)
        return [one["metadata"]["name"] for one in found["items"]]

    def events(self, count: int, since: Object, **query: str) -> list[Object]:
        """Return what happened to objects of this world after one was written."""
        wanted = {
            "labelSelector": f"team={self.world.name}",
            "resourceVersion": since["metadata"]["resourceVersion"],
            **query,
        }
        seconds = self.world.options.bounds.reach("object-served")
        return list(self.api.events(self.collection, count, query=wanted, seconds=seconds))


@pytest.fixture(
    params=[
        pytest.param("class", id="DeviceClass"),
        pytest.param("claim", id="ResourceClaim"),
        pytest.param("template", id="ResourceClaimTemplate"),
        pytest.param("slice", id="ResourceSlice"),
    ]
)
def kind(world: World, request: Any) -> Any:
    """Return each kind of resource.k8s.io in turn."""
    return Kind(world, request.param)


@pytest.fixture
def claims(world: World) -> Any:
    """Return the kind ResourceClaim."""
    return Kind(world, "claim")


@pytest.fixture
def slices(world: World) -> Any:
    """Return the kind ResourceSlice."""
    return Kind(world, "slice")

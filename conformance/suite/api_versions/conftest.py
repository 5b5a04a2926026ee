"""One object as every version spells it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.apply import render, resource_for
from conformance.harness.client import path_of
from conformance.harness.world import World
from conformance.kube.objects import Object

GROUP = "resource.k8s.io"


class Versions:
    """What a check of versions says to the cluster."""

    def __init__(self, world: World) -> None:
        self.world = world

    def document(self, topic: str, version: str) -> Object:
        """Return the object of a manifest as a version spells it; v1beta2 spells it as v1."""
        documents = render(f"api_versions/{topic}", self.world.values)
        by_version = {one["apiVersion"]: one for one in documents}
        found = by_version.get(f"{GROUP}/{version}", by_version[f"{GROUP}/v1"])
        return {**found, "apiVersion": f"{GROUP}/{version}"}

    def write(self, topic: str, version: str) -> Object:
        """Create the object of a manifest in a version; raises ``StatusError``."""
        return self.world.create(self.document(topic, version))

    def path(self, obj: Object, version: str, *, collection: bool = False) -> str:
        """Return where a version has an object, or all objects of its kind."""
        row = resource_for({**obj, "apiVersion": f"{GROUP}/{version}"})
        name = "" if collection else obj["metadata"]["name"]
        return path_of(row, self.world.namespace if row.namespaced else None, name)

    def read(self, obj: Object, version: str) -> Object:
        """Return an object as a version shows it; raises ``StatusError``."""
        return self.world.api.ask("GET", self.path(obj, version))


@pytest.fixture
def versions(world: World) -> Any:
    """Return the versions of one world."""
    return Versions(world)

"""Subjects for the tests of facts."""

from __future__ import annotations

from typing import Any

from conformance.policy.model import Place
from conformance.policy.world import Manifest, Subject, World


def subject(first: dict[str, Any], *others: dict[str, Any]) -> Subject:
    """Return the first object among all of them."""
    place = Place(file="here.yaml")
    world = World.of_manifests(Manifest(object=one, place=place) for one in (first, *others))
    return Subject(object=first, world=world)


def pod(spec: dict[str, Any], name: str = "app") -> dict[str, Any]:
    """Return a Pod with this spec."""
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def node(name: str = "node-a", **more: Any) -> dict[str, Any]:
    """Return a Node with these fields."""
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, **more}

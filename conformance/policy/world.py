"""All objects at hand: those that are judged, and what is known about them from the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

import yaml
from attrs import define, field, frozen

from conformance.kube.objects import Object
from conformance.policy.model import Place
from conformance.policy.paths import Steps

#: Where an object without a file came from.
CLUSTER = "cluster"


@frozen(kw_only=True, eq=False)
class Manifest:
    """An object, and where it stands."""

    object: Object
    place: Place
    #: The YAML that the object was read from; None for objects of a cluster.
    node: yaml.Node | None = field(default=None, repr=False)
    #: False for what is only known: policies are not held against it.
    judged: bool = True

    @property
    def kind(self) -> str:
        """The kind, empty where it is no text."""
        return text(self.object.get("kind"))

    @property
    def group(self) -> str:
        """The API group, empty for the core."""
        group, slash, _ = text(self.object.get("apiVersion")).partition("/")
        return group if slash else ""

    @property
    def name(self) -> str:
        """The name; what is only generated is told by its prefix."""
        meta = part(self.object, "metadata")
        return text(meta.get("name")) or text(meta.get("generateName"))

    @property
    def namespace(self) -> str:
        """The namespace, empty where none is given."""
        return text(part(self.object, "metadata").get("namespace"))

    def __str__(self) -> str:
        """Return ``Kind namespace/name``."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else self._short()

    def _short(self) -> str:
        return f"{self.kind} {self.name}".rstrip()

    def where(self, steps: Steps) -> Place:
        """Return where a field stands, or the nearest field around it that exists."""
        node = self.node
        if node is None:
            return self.place
        mark = node.start_mark
        for step in steps:
            found = _below(node, step)
            if found is None:
                break
            mark, node = found
        return Place(file=self.place.file, line=mark.line + 1, column=mark.column + 1)


@define(eq=False)
class World:
    """The objects at hand, by kind; nothing changes it once it is built."""

    manifests: tuple[Manifest, ...]
    _kinds: dict[str, list[Manifest]] = field(init=False, factory=dict)
    #: What functions said about this world and its objects.
    known: dict[Any, Any] = field(init=False, factory=dict, repr=False)

    @classmethod
    def of_manifests(cls, manifests: Iterable[Manifest]) -> World:
        """Return the world of these objects, in their order."""
        world = cls(tuple(manifests))
        for one in world.manifests:
            world._kinds.setdefault(one.kind, []).append(one)
        return world

    @property
    def kinds(self) -> dict[str, list[Manifest]]:
        """Every kind at hand, with its objects."""
        return self._kinds

    def of(self, *kinds: str) -> list[Object]:
        """Return the objects of these kinds."""
        return [one.object for kind in kinds for one in self._kinds.get(kind, ())]

    def in_namespace(self, kind: str, namespace: str) -> list[Object]:
        """Return objects of a kind; one without a namespace may be in any."""
        return [
            one.object
            for one in self._kinds.get(kind, ())
            if not one.namespace or not namespace or one.namespace == namespace
        ]

    def get(self, kind: str, namespace: str, name: str) -> Object | None:
        """Return an object by name, or None."""
        for one in self.once(_by_name).get((kind, name), ()):
            if not one.namespace or not namespace or one.namespace == namespace:
                return one.object
        return None

    def once(self, compute: Callable[[World], Any]) -> Any:
        """Return what a function says about this world; it is asked once."""
        if compute not in self.known:
            self.known[compute] = compute(self)
        return self.known[compute]


@frozen(kw_only=True)
class Subject:
    """What a fact is about: one object, among the others."""

    object: Object
    world: World

    @property
    def kind(self) -> str:
        """The kind of the object."""
        return text(self.object.get("kind"))

    @property
    def namespace(self) -> str:
        """The namespace of the object, empty where none is given."""
        return text(part(self.object, "metadata").get("namespace"))

    @property
    def name(self) -> str:
        """The name of the object."""
        return text(part(self.object, "metadata").get("name"))

    def once(self, fact: Callable[[Subject], Any]) -> Any:
        """Return a fact about this object; it is asked once for each object of a world."""
        known = self.world.known
        key = (fact, id(self.object))
        if key not in known:
            known[key] = fact(self)
        return known[key]


def _by_name(world: World) -> dict[tuple[str, str], list[Manifest]]:
    found: dict[tuple[str, str], list[Manifest]] = {}
    for one in world.manifests:
        found.setdefault((one.kind, one.name), []).append(one)
    return found


def text(value: Any) -> str:
    """Return a text, empty for anything else."""
    return value if isinstance(value, str) else ""


def part(value: Any, *steps: str) -> Object:
    """Return the mapping at these keys, empty where something else or nothing stands there."""
    for step in steps:
        if not isinstance(value, dict):
            return {}
        value = cast("Object", value).get(step)
    return cast("Object", value) if isinstance(value, dict) else {}


def items(value: Any) -> list[Object]:
    """Return the mappings of a list; anything else is left out."""
    if not isinstance(value, list):
        return []
    return [cast("Object", one) for one in cast("list[Any]", value) if isinstance(one, dict)]


def texts(value: Any) -> list[str]:
    """Return the texts of a list; anything else is left out."""
    if not isinstance(value, list):
        return []
    return [one for one in cast("list[Any]", value) if isinstance(one, str)]


def _below(node: yaml.Node, step: str | int) -> tuple[yaml.Mark, yaml.Node] | None:
    """Return where a field begins (its key, or the item) and its value."""
    if isinstance(node, yaml.MappingNode):
        for key, value in reversed(node.value):
            if key.value == step:
                return key.start_mark, value
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step].start_mark, node.value[step]
    return None

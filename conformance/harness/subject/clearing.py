"""Taking a check's Pods away before its driver goes, whatever the driver does."""

from __future__ import annotations

from collections.abc import Iterable

from conformance.harness.errors import Violation
from conformance.harness.expect import NOT_FOUND
from conformance.harness.pods import PODS
from conformance.harness.world import World
from conformance.kube.status import StatusError


def clear(world: World, broken: Iterable[str]) -> None:
    """Delete every Pod of a world, by force where the driver does not let go of their claims.

    With a driver of which something is ``broken`` already nothing is waited for.
    """
    if not list(broken):
        _politely(world)
    for name in _names(world):
        _delete(world, name, grace=0)


def _politely(world: World) -> None:
    names = _names(world)
    for name in names:
        _delete(world, name, grace=1)
    try:
        for name in names:
            world.pods.gone(name, bound="driver-answers")
    except Violation:
        return


def _names(world: World) -> list[str]:
    return [pod["metadata"]["name"] for pod in world.api.list(PODS, world.namespace)]


def _delete(world: World, name: str, *, grace: int) -> None:
    try:
        world.pods.delete(name, grace=grace)
    except StatusError as error:
        if error.code != NOT_FOUND:
            raise

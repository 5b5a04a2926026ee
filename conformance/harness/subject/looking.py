"""What can be seen of a Pod on its way: each look finds it, or raises ``Violation``."""

from __future__ import annotations

from conformance.harness import expect
from conformance.harness.pods import PODS
from conformance.harness.world import World
from conformance.kube.objects import Object

#: Why a container waits as long as its Pod's claims are not prepared.
_UNPREPARED = ("", "ContainerCreating", "PodInitializing")


def runs(world: World, pod: str) -> Object:
    """Find the Pod running."""
    found = world.pods.get(pod)
    phase = found["status"].get("phase")
    observed = f"{phase} {waiting(found)}".strip()
    expect.that(phase == "Running", "Running", path="status.phase", observed=observed)
    return found


def beyond_preparation(world: World, pod: str) -> Object:
    """Find a container of the Pod created, or failing to be: a kubelet prepares claims first."""
    found = world.pods.get(pod)
    phase, why = found["status"].get("phase"), waiting(found)
    expect.that(
        phase == "Running" or why not in _UNPREPARED,
        "a container that is created",
        path="status.containerStatuses[].state",
        observed=f"{phase} {why}".strip(),
    )
    return found


def gone(world: World, pod: str) -> bool:
    """Find the Pod gone."""
    names = [one["metadata"]["name"] for one in world.api.list(PODS, world.namespace)]
    expect.that(pod not in names, f"no Pod {pod}", path="items[].metadata.name", observed=names)
    return True


def waiting(pod: Object) -> str:
    """Return why the container waits, empty where it does not."""
    for row in pod["status"].get("containerStatuses") or []:
        return str(((row.get("state") or {}).get("waiting") or {}).get("reason", ""))
    return ""

"""What can be seen of a Pod on its way: each look finds it, or raises ``Violation``.

What a kubelet would find on the node is looked at where this process reaches it.
"""

from __future__ import annotations

from conformance.harness import expect
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.observe import files
from conformance.harness.pods import PODS
from conformance.harness.subject.protocol import Driver
from conformance.harness.target import NodeAccess
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


def accesses(world: World, driver: Driver) -> list[NodeAccess]:
    """Return the reachable nodes on which the driver may be."""
    found = world.cluster.node_access()
    return [access for access in found if driver.node in (None, access.name)]


def resolved(world: World, driver: Driver, answer: Answer | None) -> None:
    """Find every CDI device of an answer described on the node, where that is reached."""
    folders = [access.cdi_dir for access in accesses(world, driver)]
    if answer is None or not folders:
        return
    known = files.cdi_names(folders[0])
    missing = [one for device in answer.devices for one in device.cdi_ids if one not in known]
    expect.same(missing, [], path="devices[].cdi_device_ids", hint="a CDI spec for each")


def waiting(pod: Object) -> str:
    """Return why the container waits, empty where it does not."""
    for row in pod["status"].get("containerStatuses") or []:
        return str(((row.get("state") or {}).get("waiting") or {}).get("reason", ""))
    return ""

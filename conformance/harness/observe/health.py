"""The health of devices as a Pod's status shows it."""

from __future__ import annotations

from typing import Any

from conformance.harness import expect
from conformance.harness.errors import Violation
from conformance.harness.world import World
from conformance.kube.objects import Object

_PATH = "status.containerStatuses[].allocatedResourcesStatus"


def entries(pod: Object, container: str = "c") -> list[Object]:
    """Return allocatedResourcesStatus of a container, empty where it is absent."""
    for status in pod["status"].get("containerStatuses") or []:
        if status["name"] == container:
            return status.get("allocatedResourcesStatus") or []
    return []


def resources(pod: Object, container: str = "c") -> list[Object]:
    """Return every resource of every entry of a container."""
    return [one for entry in entries(pod, container) for one in entry.get("resources") or []]


def of_device(pod: Object, device: str, container: str = "c") -> Object:
    """Return the resource whose id ends in a device's name; raises ``Violation``.

    A kubelet takes the first CDI id of the device, or driver/pool/device: both end so for
    the devices of the driver double.
    """
    found = [one for one in resources(pod, container) if one["resourceID"].endswith(device)]
    if len(found) != 1:
        raise Violation(f"one resource for {device}", path=_PATH, observed=entries(pod, container))
    return found[0]


def await_health(
    world: World,
    pod: str,
    device: str,
    *,
    container: str = "c",
    bound: str = "health-update",
    **fields: Any,
) -> Object:
    """Wait until a Pod shows fields of a device's health, and return the resource.

    ``fields`` are those of the resource, such as ``health`` and ``message``; None stands for
    a field that is not there.
    """

    def shown() -> Object:
        resource = of_device(world.pods.get(pod), device, container)
        for field, value in fields.items():
            expect.same(resource.get(field), value, path=f"{_PATH}.resources[].{field}")
        return resource

    spelled = ", ".join(f"{field} {value}" for field, value in fields.items())
    return world.until(f"Pod {pod} shows {device} with {spelled}", shown, bound=bound)


def keeps_health(world: World, pod: str, device: str, health: str, *, for_: str) -> None:
    """Watch that a Pod goes on showing a device with one health."""
    world.stays(
        f"Pod {pod} shows {device} as {health}",
        lambda: expect.same(
            of_device(world.pods.get(pod), device)["health"],
            health,
            path=f"{_PATH}.resources[].health",
        ),
        for_=for_,
    )

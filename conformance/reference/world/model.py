"""What a world consists of."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from conformance.kube.objects import Object


@attrs.frozen(kw_only=True)
class WorldNode:
    """One node: its labels beyond the usual ones, and what it offers."""

    name: str
    labels: Mapping[str, str] = attrs.field(factory=dict[str, str])
    allocatable: Mapping[str, str] = attrs.field(factory=dict[str, str])


@attrs.frozen(kw_only=True)
class WorldDriver:
    """One bundled driver, installed on some nodes, with the same inventory on each.

    ``device_class`` is created for it and selects all of its devices. No ``nodes`` means all.
    """

    name: str
    device_class: str
    devices: tuple[Object, ...]
    nodes: tuple[str, ...] = ()
    metadata: bool = False
    health: bool = True

    def runs_on(self, node: str) -> bool:
        """Tell whether the driver is installed on the node."""
        return not self.nodes or node in self.nodes


@attrs.frozen(kw_only=True)
class World:
    """Everything that a cluster starts with."""

    nodes: tuple[WorldNode, ...] = ()
    drivers: tuple[WorldDriver, ...] = ()
    classes: tuple[Object, ...] = ()
    objects: tuple[Object, ...] = ()


def numbered_nodes(count: int) -> tuple[WorldNode, ...]:
    """Return the nodes of a world that names none: ``node-1`` and so on."""
    return tuple(WorldNode(name=f"node-{number}") for number in range(1, count + 1))


def device_class_of(driver: WorldDriver) -> Object:
    """Return the DeviceClass that selects every device of a driver."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": driver.device_class},
        "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{driver.name}"'}}]},
    }

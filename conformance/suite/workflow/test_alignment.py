"""Devices of several drivers in one claim, aligned by an attribute that they share."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

PCIE = "resource.kubernetes.io/pcieRoot"
NUMA = "resource.kubernetes.io/numaNode"


def placed(name: str, attribute: str, value: dict[str, Any]) -> dict[str, Any]:
    """Return a device with one attribute."""
    return {"name": name, "attributes": {attribute: value}}


@pytest.mark.requirement("DRA-WF-19", "DRA-FEA-07")
@pytest.mark.parametrize(
    ("attribute", "near", "far"),
    [
        pytest.param(PCIE, {"string": "pci0000:01"}, {"string": "pci0000:02"}, id="PCIe root"),
        pytest.param(NUMA, {"int": 1}, {"int": 0}, id="NUMA node"),
    ],
)
def test_devices_of_two_drivers_are_aligned(
    world: World, flow: Any, attribute: str, near: dict[str, Any], far: dict[str, Any]
) -> None:
    """The first NIC is on the wrong side of the machine; the one beside the GPU is taken."""
    second = f"second.{world.driver}"
    world.apply("workflow/class", **{"class": f"{world.device_class}-nic", "driver": second})
    flow.publish(placed("gpu", attribute, near))
    nics = {"slice": "nics", "driver": second, "pool": f"{world.pool}-nics"}
    flow.publish(placed("nic-far", attribute, far), placed("nic-near", attribute, near), **nics)
    nic = {"name": "nic", "exactly": {"deviceClassName": f"{world.device_class}-nic"}}

    flow.claim(nic, flow.exactly(), constraints=[{"matchAttribute": attribute}])
    flow.pod()

    expect.same(flow.devices(), ["nic-near", "gpu"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-WF-19")
def test_devices_that_cannot_be_aligned_are_not_given(world: World, flow: Any) -> None:
    """No two devices share the attribute: the claim stays unallocated."""
    flow.publish(placed("one", PCIE, {"string": "pci0000:01"}), "without")
    both = flow.exactly(count=2)
    flow.claim(both, constraints=[{"matchAttribute": PCIE}])
    flow.pod()

    world.pods.unschedulable("pod")

    world.claims.stays_unallocated("claim")

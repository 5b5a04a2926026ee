"""List reports the devices of claims."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.attach import attached, reachable_node
from conformance.harness.observe import podresources
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

pytestmark = pytest.mark.needs(KUBELET, NODE_ACCESS)


@pytest.mark.requirement("DRA-POR-01")
def test_the_devices_of_a_running_pod_are_listed(world: World, flow: Any) -> None:
    """Each device stands there with its claim, the claim's namespace, driver and pool."""
    access = reachable_node(world)
    with attached(world, health_version=None):
        flow.publish_on(access.name, "device-1", "device-2")
        flow.claim(flow.exactly(count=2))
        flow.pod()
        world.pods.running("pod")

        listed = podresources.devices(access, world.namespace, "pod")

    wanted = [
        podresources.Device(
            claim="claim",
            namespace=world.namespace,
            driver=world.driver,
            pool=access.name,
            device=device,
        )
        for device in ("device-1", "device-2")
    ]
    expect.same(sorted(listed, key=str), wanted, path="dynamic_resources")


@pytest.mark.requirement("DRA-POR-01")
def test_the_devices_of_a_pod_that_is_gone_are_not_listed(world: World, flow: Any) -> None:
    """After the Pod nothing of it is reported as in use."""
    access = reachable_node(world)
    with attached(world, health_version=None):
        flow.publish_on(access.name, "device-1")
        flow.claim()
        flow.pod()
        world.pods.running("pod")
        before = podresources.devices(access, world.namespace, "pod")

        world.pods.delete("pod", grace=1)
        world.pods.gone("pod")

        after = podresources.devices(access, world.namespace, "pod")

    expect.same(len(before), 1, path="dynamic_resources while the Pod runs")
    expect.same(after, [], path="dynamic_resources when the Pod is gone")

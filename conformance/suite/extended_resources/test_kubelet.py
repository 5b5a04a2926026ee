"""What the kubelet does with the claim for extended resources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.attach import attached, await_call, reachable_node
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.observe import probe
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

pytestmark = pytest.mark.needs(KUBELET, NODE_ACCESS)

#: What the double sets in a container for each request whose devices are given to it.
VARIABLE = "DRA_CONFORMANCE_"


@pytest.fixture
def driver(world: World, extended: Any) -> Iterator[DriverDouble]:
    """Run a driver double with three devices, which a class serves as a resource."""
    with attached(world, health_version=None) as double:
        node = reachable_node(world).name
        extended.flow.publish_on(node, "device-1", "device-2", "device-3")
        extended.serve()
        yield double


def given(world: World, container: str) -> set[str]:
    """Return the requests whose devices a container sees."""
    report = probe.first(world, "pod", container)
    found = {name for name in report.environment if name.startswith(VARIABLE)}
    return {name.removeprefix(VARIABLE).lower().replace("_", "-") for name in found}


@pytest.mark.requirement("DRA-EXT-23")
def test_the_driver_prepares_the_claim_before_containers_start(
    world: World, extended: Any, driver: DriverDouble
) -> None:
    """While the driver refuses, the Pod waits; once it has prepared the claim, the Pod runs."""
    driver.plan.fail("NodePrepareResources", error="not yet")
    extended.pod()
    await_call(world, driver, "NodePrepareResources", bound="pod-running", error="not yet")
    world.pods.stays_pending("pod")

    driver.plan.obey("NodePrepareResources")

    world.pods.running("pod", bound="kubelet-retry")
    uid = extended.claim()["metadata"]["uid"]
    calls = driver.calls.of("NodePrepareResources", uid)
    expect.that(bool(calls), f"a call for {uid}", observed=driver.calls.transcript())


@pytest.mark.requirement("DRA-EXT-24")
def test_each_container_gets_the_devices_of_its_own_requests(
    world: World, extended: Any, driver: DriverDouble
) -> None:
    """An init container uses a device of a later one; a container that requests none has none."""
    world.apply(
        "extended_resources/probing_pod",
        resource=extended.resource,
        implicit=extended.implicit,
        probe=probe.command(),
    )

    seen = {name: given(world, name) for name in ("before", "with", "without")}

    explicit = sorted([extended.resource, extended.implicit]).index(extended.resource)
    expect.same(seen["before"], {f"container-1-request-{explicit}"}, path="container before")
    expect.same(seen["with"], {"container-1-request-0", "container-1-request-1"}, path="with")
    expect.same(seen["without"], set(), path="container without")

"""Devices that are in use, for those who monitor them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.client import known
from conformance.harness.world import World

#: The label of a namespace where admin access may be asked for.
LABEL = "resource.kubernetes.io/admin-access"

NAMESPACES = known("", "v1", "namespaces")


def label(world: World, **labels: str) -> None:
    """Label the world's own namespace."""
    world.api.patch(NAMESPACES, world.namespace, {"metadata": {"labels": labels}})


@pytest.mark.requirement("DRA-FEA-02a")
def test_admin_access_reaches_a_device_in_use(world: World, flow: Any) -> None:
    """The one device is in use, and is given to the monitor all the same, marked as such."""
    label(world, **{LABEL: "true"})
    flow.publish("device-1")
    flow.claim()
    flow.pod()
    world.pods.scheduled("pod")

    flow.claim(flow.exactly(adminAccess=True), claim="monitor")
    flow.pod("monitor", claim="monitor")

    world.pods.scheduled("monitor")
    (result,) = world.claims.get("monitor")["status"]["allocation"]["devices"]["results"]
    expect.field(result, "device", "device-1")
    expect.field(result, "adminAccess", True)


@pytest.mark.requirement("DRA-FEA-02a")
def test_a_device_under_admin_access_is_still_free(world: World, flow: Any) -> None:
    """What a monitor looks at can be allocated to a workload."""
    label(world, **{LABEL: "true"})
    flow.publish("device-1")
    flow.claim(flow.exactly(adminAccess=True), claim="monitor")
    flow.pod("monitor", claim="monitor")
    world.pods.scheduled("monitor")

    flow.claim()
    flow.pod()

    expect.same(flow.devices(), ["device-1"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-FEA-02b")
@pytest.mark.parametrize(
    "labels", [pytest.param({}, id="no label"), pytest.param({LABEL: "false"}, id="another value")]
)
@pytest.mark.parametrize("kind", ["claim", "template"])
def test_admin_access_needs_a_labelled_namespace(
    world: World, flow: Any, labels: dict[str, str], kind: str
) -> None:
    """Without the label set to true the API server refuses claim and template."""
    label(world, **labels)
    wanted = {"requests": [flow.exactly(adminAccess=True)]}
    body = {
        "claim": {"kind": "ResourceClaim", "spec": {"devices": wanted}},
        "template": {"kind": "ResourceClaimTemplate", "spec": {"spec": {"devices": wanted}}},
    }[kind]
    named = {"apiVersion": "resource.k8s.io/v1", "metadata": {"name": "monitor"}, **body}

    with expect.refused(422):
        world.create(named)

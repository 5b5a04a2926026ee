"""Nodes that have an extended resource themselves, beside nodes with devices for it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

STATUS = "status.extendedResourceClaimStatus"
HOST = "kubernetes.io/hostname"


@pytest.mark.requirement("DRA-EXT-09")
def test_what_a_node_has_itself_is_used_instead_of_devices(world: World, extended: Any) -> None:
    """On a node with resource and devices the Pod is placed without a claim."""
    node = world.own_node("has", room={extended.resource: "2"})
    extended.flow.publish_on(node, "device-1", "device-2")
    extended.serve()

    extended.pod(amount="2", place={HOST: node})

    expect.absent(world.pods.scheduled("pod"), STATUS)
    expect.same(extended.claims(), [], path="claims of the namespace")


@pytest.mark.requirement("DRA-EXT-09")
def test_devices_do_not_make_up_for_what_a_node_lacks(world: World, extended: Any) -> None:
    """A node that has one does not serve a request for two, whatever devices are there."""
    node = world.own_node("has", room={extended.resource: "1"})
    extended.flow.publish_on(node, "device-1", "device-2")
    extended.serve()

    extended.pod(amount="2", place={HOST: node})

    world.pods.unschedulable("pod")
    world.pods.stays_unscheduled("pod")


@pytest.mark.requirement("DRA-EXT-09")
def test_a_node_that_has_none_left_for_good_uses_devices(world: World, extended: Any) -> None:
    """A node whose allocatable says zero, as after a device plugin went, is served by devices."""
    node = world.own_node("had", room={extended.resource: "0"})
    extended.flow.publish_on(node, "device-1")
    extended.serve()

    extended.pod(place={HOST: node})

    expect.field(extended.claim(), "status.allocation.devices.results[0].device", "device-1")


@pytest.mark.requirement("DRA-EXT-10")
def test_both_kinds_of_nodes_serve_one_resource(world: World, extended: Any) -> None:
    """One node has one itself, another one device: two Pods are placed, a third is not."""
    nodes = {world.own_node("has", room={extended.resource: "1"}), world.own_node("devices")}
    extended.flow.publish_on(f"{world.name}-devices", "device-1")
    extended.serve()
    extended.pod("first")
    extended.pod("second")
    placed = {world.pods.scheduled(name)["spec"]["nodeName"] for name in ("first", "second")}

    extended.pod("third")

    expect.same(placed, nodes, path="spec.nodeName")
    world.pods.unschedulable("third")


@pytest.mark.requirement("DRA-EXT-14")
def test_devices_in_use_are_not_given_again(world: World, extended: Any) -> None:
    """Of two devices one Pod has both: neither another Pod nor a claim gets one meanwhile."""
    extended.flow.publish("device-1", "device-2")
    extended.serve()
    extended.pod("first", amount="2")
    world.pods.scheduled("first")

    extended.pod("second")
    extended.flow.claim()
    extended.flow.pod("third")

    world.pods.unschedulable("second")
    world.pods.unschedulable("third")
    world.claims.stays_unallocated("claim")
    world.pods.stays_unscheduled("second")


@pytest.mark.requirement("DRA-EXT-28")
def test_a_resource_that_nobody_provides_is_waited_for(world: World, extended: Any) -> None:
    """Devices are there, but no class serves the resource: no claim is made for the Pod."""
    extended.flow.publish("device-1")

    extended.pod()

    world.pods.unschedulable("pod")
    world.pods.stays_unscheduled("pod")
    expect.same(extended.claims(), [], path="claims of the namespace")

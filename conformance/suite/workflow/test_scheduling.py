"""Where a Pod with claims goes, and what it is given there."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

LABEL = "dra-conformance/side"


@pytest.mark.requirement("DRA-WF-04")
def test_a_pod_waits_for_the_claim_that_it_names(world: World, flow: Any) -> None:
    """While the claim is not there the Pod is not scheduled; once it is, it is."""
    flow.publish("device-1")
    flow.pod()
    world.pods.stays_unscheduled("pod")

    flow.claim()

    world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-WF-05")
def test_the_pod_goes_where_the_device_is(world: World, flow: Any) -> None:
    """Of three nodes that are free for the Pod the one with the device is taken."""
    _, middle, _ = (world.own_node(side) for side in ("a", "b", "c"))
    flow.publish_on(middle, "device-1")
    flow.claim()
    flow.pod()

    expect.field(world.pods.scheduled("pod"), "spec.nodeName", middle)


@pytest.mark.requirement("DRA-WF-05")
def test_a_device_on_a_node_that_the_pod_may_not_use_is_no_help(world: World, flow: Any) -> None:
    """The device's node is excluded by the Pod's node selector: nothing is allocated."""
    world.own_node("a", {LABEL: "left"})
    flow.publish_on(world.own_node("b", {LABEL: "right"}), "device-1")
    flow.claim()
    flow.pod(place={LABEL: "left"})

    world.pods.unschedulable("pod")

    world.claims.stays_unallocated("claim")


@pytest.mark.requirement("DRA-WF-06")
def test_no_device_is_given_twice(world: World, flow: Any) -> None:
    """Two devices serve two claims, each its own; the third claim gets none."""
    flow.publish("device-1", "device-2")
    for number in ("one", "two", "three"):
        flow.claim(claim=number)
    flow.pod("first", claim="one")
    flow.pod("second", claim="two")
    given = sorted([*flow.devices("one"), *flow.devices("two")])

    flow.pod("third", claim="three")

    expect.same(given, ["device-1", "device-2"], path="status.allocation.devices.results")
    world.pods.unschedulable("third")
    world.claims.stays_unallocated("three")


@pytest.mark.requirement("DRA-WF-06")
def test_a_device_that_does_not_match_is_not_given(world: World, flow: Any) -> None:
    """No device meets the selector: the claim stays unallocated although devices are free."""
    flow.publish({"name": "small", "attributes": {"size": {"string": "small"}}})
    flow.claim(flow.selecting(f'device.attributes["{world.driver}"].size == "large"'))
    flow.pod()

    world.pods.unschedulable("pod")

    world.claims.stays_unallocated("claim")


@pytest.mark.requirement("DRA-WF-07", "DRA-WF-13")
def test_the_allocation_says_what_was_given_to_whom(world: World, flow: Any) -> None:
    """Request, driver, pool, device, node and consumer stand in status; no driver runs."""
    node = world.own_node("a")
    flow.publish_on(node, "device-1")
    flow.claim()
    flow.pod()

    pod = world.pods.scheduled("pod")
    status = world.claims.get("claim")["status"]

    wanted = {"request": "device", "driver": world.driver, "pool": node, "device": "device-1"}
    (result,) = expect.present(status, "allocation.devices.results")
    expect.same({key: result.get(key) for key in wanted}, wanted, path="results[0]")
    terms = expect.present(status, "allocation.nodeSelector.nodeSelectorTerms")
    expect.field(terms, "[0].matchFields[0].values", [node])
    expect.field(status, "reservedFor[0].uid", pod["metadata"]["uid"])


@pytest.mark.requirement("DRA-WF-10")
def test_a_second_pod_follows_its_claim(world: World, flow: Any) -> None:
    """A Pod whose claim is allocated already goes to the node that reaches the device."""
    _, middle, _ = (world.own_node(side) for side in ("a", "b", "c"))
    flow.publish_on(middle, "device-1")
    flow.claim()
    flow.pod("first")
    world.pods.scheduled("first")

    flow.pod("second")

    expect.field(world.pods.scheduled("second"), "spec.nodeName", middle)

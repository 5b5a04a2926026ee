"""What keeps a Pod waiting although there is a device, and what the scheduler takes back."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

HOST = "kubernetes.io/hostname"
KEEP = "dra-conformance/keep"


def allocated_on(world: World, flow: Any, node: str, claim: str) -> None:
    """Let a claim be allocated on a node, as for a Pod that was given up."""
    flow.claim(claim=claim)
    where = {"key": "metadata.name", "operator": "In", "values": [node]}
    result = {"request": "device", "driver": world.driver, "pool": node, "device": "device-1"}
    allocation = {
        "devices": {"results": [result]},
        "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [where]}]},
    }
    world.claims.write_status(claim, allocation=allocation)


@pytest.mark.requirement("DRA-WAI-07")
def test_a_pod_waits_while_its_claim_is_being_deleted(world: World, flow: Any) -> None:
    """The claim was deleted, and a finalizer keeps it for the moment."""
    flow.publish("device-1")
    flow.claim()
    claim = world.claims.get("claim")
    world.patch(claim, [{"op": "add", "path": "/metadata/finalizers", "value": [KEEP]}])
    world.withdraw(claim)
    flow.pod()

    world.pods.stays_unscheduled("pod", for_="claim-refused")

    world.patch(claim, [{"op": "remove", "path": "/metadata/finalizers"}])


@pytest.mark.requirement("DRA-WAI-08")
def test_an_allocation_that_nobody_uses_is_taken_back_where_it_is_in_the_way(
    world: World, flow: Any
) -> None:
    """The claim is allocated on one node, and the Pod must go to another one."""
    nodes = [world.own_node(name) for name in ("one", "two")]
    for node in nodes:
        flow.publish_on(node, "device-1")
    allocated_on(world, flow, nodes[0], "claim")
    flow.pod(place={HOST: nodes[1]})

    expect.field(world.pods.scheduled("pod"), "spec.nodeName", nodes[1])


@pytest.mark.requirement("DRA-WAI-09")
def test_an_allocation_that_a_pod_uses_is_not_taken_back(world: World, flow: Any) -> None:
    """The claim is in use on one node, and a second Pod must go to another one."""
    nodes = [world.own_node(name) for name in ("one", "two")]
    for node in nodes:
        flow.publish_on(node, "device-1")
    flow.claim()
    flow.pod("holder", place={HOST: nodes[0]})
    world.pods.scheduled("holder")
    flow.pod(place={HOST: nodes[1]})

    world.pods.unschedulable("pod")

    world.claims.stays_allocated("claim", for_="claim-refused")


@pytest.mark.requirement("DRA-WAI-10")
def test_a_selector_that_fails_on_a_device_of_any_node_keeps_the_pod_waiting(
    world: World, flow: Any
) -> None:
    """On the second of two nodes the device lacks the attribute that the selector reads."""
    label = {f"{world.driver}/mine": "yes"}
    nodes = [world.own_node(name, label) for name in ("one", "two")]
    sized = {"name": "device-1", "attributes": {"d.example/size": {"string": "large"}}}
    world.apply("workflow/local_slice", node=nodes[0], devices=[sized])
    world.apply("workflow/local_slice", node=nodes[1], devices=[{"name": "device-1"}])
    flow.claim(flow.selecting('device.attributes["d.example"].size == "large"'))
    flow.pod(place=label)

    flow.refused()


@pytest.mark.requirement("DRA-WAI-11")
def test_a_pod_waits_while_its_claim_has_256_consumers(world: World, flow: Any) -> None:
    """So many can hold a claim; the Pod that uses it, too, is not bound."""
    flow.publish("device-1")
    flow.claim()
    result = {"driver": world.driver, "pool": world.pool, "device": "device-1"}
    allocation = {"devices": {"results": [{"request": "device", **result}]}}
    holders = [
        {"apiGroup": "d.example", "resource": "jobs", "name": f"job-{one}", "uid": f"uid-{one}"}
        for one in range(256)
    ]
    world.claims.write_status("claim", allocation=allocation, reservedFor=holders)
    flow.pod()

    world.pods.stays_unscheduled("pod", for_="claim-refused")

    expect.same(len(world.claims.get("claim")["status"]["reservedFor"]), 256, path="reservedFor")
    world.claims.write_status("claim", reservedFor=[])

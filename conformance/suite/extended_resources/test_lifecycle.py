"""How long the claim for extended resources lives."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

NODE = "kubernetes.io/hostname"


def placed(world: World, extended: Any) -> dict[str, Any]:
    """Place a Pod with a device on a node of the world's own, and return the Pod."""
    node = world.own_node("node")
    extended.flow.publish_on(node, "device-1")
    extended.serve()
    extended.pod(place={NODE: node})
    return world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-EXT-19")
@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_the_claim_goes_when_the_pod_has_ended(world: World, extended: Any, phase: str) -> None:
    """The Pod is still there, but its claim is gone and the device is free again."""
    pod = placed(world, extended)

    ended = {"op": "add", "path": "/status/phase", "value": phase}
    world.patch(pod, [ended], subresource="status")

    extended.no_claim_is_left()
    extended.pod("next")
    expect.present(extended.claim("next"), "status.allocation")


@pytest.mark.requirement("DRA-EXT-20")
def test_the_claim_goes_with_its_pod(world: World, extended: Any) -> None:
    """A Pod that is deleted takes the claim along."""
    placed(world, extended)

    world.pods.delete("pod", grace=0)

    world.pods.gone("pod")
    extended.no_claim_is_left()


@pytest.mark.requirement("DRA-EXT-21")
def test_what_an_earlier_attempt_left_is_replaced(world: World, extended: Any) -> None:
    """A claim that holds the only device for a Pod that is not bound gives way to a new one."""
    extended.flow.publish("device-1")
    pod = extended.pod()
    world.pods.unschedulable("pod")
    uid = pod["metadata"]["uid"]
    world.apply("extended_resources/left_claim", uid=uid)
    device = {"driver": world.driver, "pool": world.pool, "device": "device-1"}
    results = [{"request": "container-0-request-0", **device}]
    world.claims.write_status(
        "left-behind",
        allocation={"devices": {"results": results}},
        reservedFor=[{"resource": "pods", "name": "pod", "uid": uid}],
    )

    extended.serve()

    name = extended.claim()["metadata"]["name"]
    expect.that(name != "left-behind", "a new claim", path="metadata.name", observed=name)
    expect.same(extended.claims(), [name], path="claims of the namespace")


@pytest.mark.requirement("DRA-EXT-22")
def test_the_claim_goes_when_binding_fails(world: World, extended: Any) -> None:
    """A device that can not be made ready: the Pod is not bound, and nothing is left behind."""
    conditions = {"bindingConditions": ["d.example/ready"]}
    failures = {"bindingFailureConditions": ["d.example/failed"]}
    extended.flow.publish({"name": "device-1", **conditions, **failures})
    extended.serve()
    extended.pod()
    claim = extended.noted()
    world.withdraw({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", **named(world)})

    world.claims.condition(claim["metadata"]["name"], "d.example/failed", "True")

    extended.no_claim_is_left()
    expect.absent(world.pods.get("pod"), "spec.nodeName")


def named(world: World) -> dict[str, Any]:
    """Return the metadata of the slice that the world publishes."""
    return {"metadata": {"name": f"{world.name}-slice"}}

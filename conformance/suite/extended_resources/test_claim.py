"""The claim that the scheduler makes for the extended resources of a Pod."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

RESULTS = "status.allocation.devices.results"
STATUS = "status.extendedResourceClaimStatus"


def devices(claim: dict[str, Any]) -> list[str]:
    """Return the names of the devices of a claim, sorted."""
    return sorted(result["device"] for result in expect.present(claim, RESULTS))


def request(index: int, place: int, device_class: str, count: int) -> dict[str, Any]:
    """Return the request of a container for so many devices."""
    exactly = {"deviceClassName": device_class, "allocationMode": "ExactCount", "count": count}
    return {"name": f"container-{index}-request-{place}", "exactly": exactly}


@pytest.mark.requirement("DRA-EXT-01")
@pytest.mark.parametrize("amount", [1, 2])
def test_the_class_with_the_name_serves_the_resource(
    world: World, extended: Any, amount: int
) -> None:
    """A Pod that requests some of the resource gets as many devices of the class."""
    extended.flow.publish("device-1", "device-2")
    extended.serve()

    extended.pod(amount=str(amount))

    found = devices(extended.claim())
    expect.same(len(found), amount, path=RESULTS)
    expect.that(set(found) <= {"device-1", "device-2"}, "devices of the class", observed=found)


@pytest.mark.requirement("DRA-EXT-02")
def test_every_class_serves_the_resource_of_its_name(world: World, extended: Any) -> None:
    """The class has no extendedResourceName; its own name stands behind the common prefix."""
    extended.flow.publish("device-1")

    extended.pod(resource=extended.implicit)

    expect.same(devices(extended.claim()), ["device-1"], path=RESULTS)


@pytest.mark.requirement("DRA-EXT-03")
def test_one_claim_that_the_pod_owns_holds_everything(world: World, extended: Any) -> None:
    """Two containers with two resources lead to one claim, controlled by the Pod and marked."""
    extended.flow.publish("device-1", "device-2")
    extended.serve()
    limits = {"first": {extended.resource: "1"}, "second": {extended.implicit: "1"}}
    pod = world.apply("extended_resources/two_containers", **limits).of("Pod")

    claim = extended.claim()

    expect.same(devices(claim), ["device-1", "device-2"], path=RESULTS)
    expect.same(extended.claims(), [claim["metadata"]["name"]], path="claims of the namespace")
    owner = expect.present(claim, "metadata.ownerReferences[0]")
    wanted = {"kind": "Pod", "uid": pod["metadata"]["uid"], "controller": True}
    expect.same({key: owner.get(key) for key in wanted}, wanted, path="metadata.ownerReferences[0]")
    mark = "metadata.annotations[resource.kubernetes.io/extended-resource-claim]"
    expect.field(claim, mark, "true")


@pytest.mark.requirement("DRA-EXT-04")
def test_each_container_and_resource_has_a_request(world: World, extended: Any) -> None:
    """Requests are named after the places of container and resource, CPU counted as well."""
    extended.flow.publish("device-1", "device-2", "device-3", "device-4")
    extended.serve()
    world.apply(
        "extended_resources/two_containers",
        first={extended.resource: "1", extended.implicit: "1"},
        second={"cpu": "10m", extended.resource: "2"},
    )

    claim = extended.claim()

    first = [extended.resource, extended.implicit]
    wanted = [
        request(0, sorted(first).index(extended.resource), extended.device_class, 1),
        request(0, sorted(first).index(extended.implicit), world.device_class, 1),
        request(1, 1, extended.device_class, 2),
    ]
    found = sorted(claim["spec"]["devices"]["requests"], key=lambda one: one["name"])
    expect.same(found, sorted(wanted, key=lambda one: one["name"]), path="spec.devices.requests")


@pytest.mark.requirement("DRA-EXT-05")
def test_the_pods_status_says_who_uses_which_request(world: World, extended: Any) -> None:
    """The status names the claim, and for each container and resource the request."""
    extended.flow.publish("device-1", "device-2", "device-3")
    extended.serve()
    limits = {"first": {extended.resource: "2"}, "second": {"cpu": "10m", extended.implicit: "1"}}
    world.apply("extended_resources/two_containers", **limits)

    pod = world.pods.scheduled("pod")

    expect.field(pod, f"{STATUS}.resourceClaimName", extended.claims()[0])
    rows = [
        ("first", extended.resource, "container-0-request-0"),
        ("second", extended.implicit, "container-1-request-1"),
    ]
    keys = ("containerName", "resourceName", "requestName")
    found = sorted(expect.present(pod, f"{STATUS}.requestMappings"), key=lambda row: row[keys[0]])
    wanted = [dict(zip(keys, row, strict=True)) for row in rows]
    expect.same(found, wanted, path=f"{STATUS}.requestMappings")


@pytest.mark.requirement("DRA-EXT-06")
def test_the_claim_is_allocated_and_reserved_before_the_pod_is_bound(
    world: World, extended: Any
) -> None:
    """While a binding condition is awaited, the claim is allocated and reserved already."""
    ready = {"bindingConditions": ["d.example/ready"], "bindingFailureConditions": ["d.example/no"]}
    extended.flow.publish({"name": "device-1", **ready})
    extended.serve()
    pod = extended.pod()

    claim = extended.noted()

    expect.absent(world.pods.get("pod"), "spec.nodeName")
    expect.same(devices(claim), ["device-1"], path=RESULTS)
    reserved = {"resource": "pods", "name": "pod", "uid": pod["metadata"]["uid"]}
    expect.field(claim, "status.reservedFor", [reserved])
    world.claims.condition(claim["metadata"]["name"], "d.example/ready", "True")
    world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-EXT-07")
def test_init_containers_use_devices_of_later_containers_first(world: World, extended: Any) -> None:
    """With four devices a Pod runs whose init containers need four and three of them in turn."""
    extended.flow.publish("device-1", "device-2", "device-3", "device-4")
    extended.serve()

    world.apply("extended_resources/init_containers", resource=extended.resource)

    wanted = [
        request(0, 0, extended.device_class, 2),
        request(2, 0, extended.device_class, 1),
        request(3, 0, extended.device_class, 1),
    ]
    found = sorted(extended.claim()["spec"]["devices"]["requests"], key=lambda one: one["name"])
    expect.same(found, wanted, path="spec.devices.requests")
    rows = expect.present(world.pods.get("pod"), f"{STATUS}.requestMappings")
    used = sorted((row["containerName"], row["requestName"][len("container-")]) for row in rows)
    brief = [(name, index) for name in ("greedy", "modest") for index in "023"]
    expect.same(
        used, sorted([*brief, ("main", "3"), ("sidecar", "2")]), path=f"{STATUS}.requestMappings"
    )


@pytest.mark.requirement("DRA-EXT-08")
def test_nothing_requested_needs_no_claim(world: World, extended: Any) -> None:
    """A Pod that requests zero is scheduled although there is no device, and has no claim."""
    extended.serve()

    extended.pod(amount="0")

    pod = world.pods.scheduled("pod")
    expect.absent(pod, STATUS)
    expect.same(extended.claims(), [], path="claims of the namespace")


@pytest.mark.requirement("DRA-EXT-25")
def test_claims_and_extended_resources_go_together(world: World, extended: Any) -> None:
    """A Pod with both gets two devices, one through each."""
    extended.flow.publish("device-1", "device-2")
    extended.serve()
    extended.flow.claim()
    world.apply("extended_resources/pod_and_claim", limits={extended.resource: "1"})

    both = [extended.claim(), world.claims.allocated("claim")]

    found = sorted(name for claim in both for name in devices(claim))
    expect.same(found, ["device-1", "device-2"], path=RESULTS)

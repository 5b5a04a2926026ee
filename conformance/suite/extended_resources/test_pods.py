"""What the API server takes in a Pod: requests, and the status that the scheduler writes."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.pods import PODS
from conformance.harness.world import World

STATUS = "status.extendedResourceClaimStatus"
CONTAINER = "spec.containers[0].resources"


def requesting(world: World, **resources: Any) -> None:
    """Create a Pod whose container has these limits and requests."""
    pod = world.document("extended_resources/pod", pod="pod", limits={}, place={})
    pod["spec"]["containers"][0]["resources"] = resources
    world.create(pod)


@pytest.mark.requirement("DRA-EXT-16")
@pytest.mark.parametrize("name", ["device", "invalid_resource_name"])
def test_a_resource_of_nobody_is_refused(world: World, name: str) -> None:
    """A name without a domain is one of Kubernetes' own, or none."""
    with expect.refused(422, f"{CONTAINER}.limits"):
        requesting(world, limits={name: "1"})


@pytest.mark.requirement("DRA-EXT-17")
@pytest.mark.parametrize("amount", ["0.5", "1500m"])
def test_part_of_an_extended_resource_is_refused(world: World, extended: Any, amount: str) -> None:
    """Extended resources are requested in whole numbers."""
    with expect.refused(422, f"{CONTAINER}.limits"):
        requesting(world, limits={extended.resource: amount})


@pytest.mark.requirement("DRA-EXT-17")
@pytest.mark.parametrize("amount", ["3000m", "3Ki"])
def test_whole_numbers_may_be_spelled_as_one_likes(
    world: World, extended: Any, amount: str
) -> None:
    """A quantity that is a whole number is accepted, however it is written."""
    with expect.accepted(f"{amount} of an extended resource"):
        requesting(world, limits={extended.resource: amount})


@pytest.mark.requirement("DRA-EXT-18")
@pytest.mark.parametrize(
    ("amounts", "field"),
    [
        pytest.param(["2"], "requests", id="another limit"),
        pytest.param([], "limits", id="no limit"),
    ],
)
def test_requests_of_extended_resources_equal_their_limits(
    world: World, extended: Any, amounts: list[str], field: str
) -> None:
    """What cannot be shared out twice is limited to what is requested."""
    limits = dict(zip([extended.resource], amounts, strict=False))

    with expect.refused(422, f"{CONTAINER}.{field}"):
        requesting(world, limits=limits, requests={extended.resource: "1"})


@pytest.mark.requirement("DRA-EXT-26")
@pytest.mark.parametrize(
    ("row", "field"),
    [
        pytest.param({"containerName": "other"}, "containerName", id="another container"),
        pytest.param({"resourceName": "other.example/r"}, "resourceName", id="another resource"),
    ],
)
def test_a_status_about_what_the_pod_lacks_is_refused(
    world: World, extended: Any, row: dict[str, str], field: str
) -> None:
    """Mappings speak of containers of the Pod and of resources that those request."""
    pod = extended.pod()
    good = {"containerName": "c", "resourceName": extended.resource, "requestName": "r"}
    status = {"resourceClaimName": "some-claim", "requestMappings": [{**good, **row}]}

    with expect.refused(422, f"{STATUS}.requestMappings[0].{field}"):
        world.patch(
            pod,
            [{"op": "add", "path": "/status/extendedResourceClaimStatus", "value": status}],
            subresource="status",
        )


@pytest.mark.requirement("DRA-EXT-27")
def test_a_client_that_leaves_the_status_out_takes_nothing_away(
    world: World, extended: Any
) -> None:
    """A whole write of the status without the field leaves the field as it was."""
    node = world.own_node("node")
    extended.flow.publish_on(node, "device-1")
    extended.serve()
    extended.pod()
    pod = world.pods.scheduled("pod")
    before = expect.present(pod, STATUS)

    del pod["status"]["extendedResourceClaimStatus"]
    world.api.update(PODS, pod, world.namespace, subresource="status")

    expect.field(world.pods.get("pod"), STATUS, before)

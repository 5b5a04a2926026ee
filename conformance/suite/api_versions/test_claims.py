"""Claims of old versions: defaults, allocations, validation."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

pytestmark = pytest.mark.variant(serves=["resource.k8s.io/v1beta1", "resource.k8s.io/v1beta2"])

OLD = pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])


def flat(world: World, *requests: Any) -> dict[str, Any]:
    """Return a claim of v1beta1 with these requests."""
    head = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaim"}
    spec = {"devices": {"requests": list(requests)}}
    return {**head, "metadata": {"name": "claim"}, "spec": spec}


@pytest.mark.requirement("DRA-VER-04")
def test_a_flat_request_has_the_defaults_of_v1(world: World, versions: Any) -> None:
    """A name and a class are enough; the rest is what v1 would take."""
    made = world.create(flat(world, {"name": "one", "deviceClassName": world.device_class}))

    exactly = versions.read(made, "v1")["spec"]["devices"]["requests"][0]["exactly"]

    filled = {"allocationMode": "ExactCount", "count": 1}
    expect.same(exactly, {"deviceClassName": world.device_class, **filled}, path="exactly")


@pytest.mark.requirement("DRA-VER-12")
@pytest.mark.parametrize(
    "request_",
    [
        pytest.param({}, id="nothing is asked for"),
        pytest.param({"deviceClassName": "Not_A_Name"}, id="no name of a class"),
        pytest.param({"deviceClassName": "x", "count": -1}, id="less than no device"),
        pytest.param(
            {"deviceClassName": "x", "firstAvailable": [{"name": "a", "deviceClassName": "x"}]},
            id="one thing and alternatives",
        ),
    ],
)
def test_what_v1_refuses_is_refused_in_v1beta1(world: World, request_: dict[str, Any]) -> None:
    """The rules are those of the stored form; a cause leads to the requests."""
    claim = flat(world, {"name": "one", **request_})

    with expect.refused(422, "spec.devices.requests[0]"):
        world.create(claim)


@pytest.mark.requirement("DRA-VER-03")
@OLD
def test_an_allocation_is_the_same_in_an_old_version(
    world: World, flow: Any, versions: Any, version: str
) -> None:
    """What the scheduler wrote in its version is read in the old one."""
    flow.publish("device-1")
    flow.claim()
    flow.pod()
    allocated = world.claims.allocated("claim")

    status = versions.read(allocated, version)["status"]

    expect.same(status["allocation"], allocated["status"]["allocation"], path="status.allocation")


@pytest.mark.requirement("DRA-VER-14")
@pytest.mark.parametrize(
    ("topic", "devices"),
    [
        pytest.param("claim_of_two", ["device-1", "device-2"], id="an exact request"),
        pytest.param("claim_of_any", ["device-1"], id="alternatives"),
    ],
)
@OLD
def test_a_claim_of_an_old_version_is_allocated(
    flow: Any, versions: Any, version: str, topic: str, devices: list[str]
) -> None:
    """Nobody asks the scheduler which version a claim was written in."""
    flow.publish("device-1", "device-2")
    versions.write(topic, version)

    flow.pod()

    found = flow.devices()
    expect.same(len(found), len(devices), path="devices of the claim")

"""The request as an object: what it must hold, and what may never change."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.observe import pools
from conformance.harness.world import World

pytestmark = pytest.mark.variant(gates={"DRAResourcePoolStatus": True})


@pytest.mark.requirement("DRA-PST-01a")
@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({}, id="an empty spec"),
        pytest.param({"poolName": "pool", "limit": 1}, id="everything but the driver"),
        pytest.param({"driver": ""}, id="an empty driver"),
    ],
)
def test_a_request_without_a_driver_is_refused(world: World, spec: dict[str, Any]) -> None:
    """spec.driver is required."""
    with expect.refused(422, "spec.driver"):
        world.apply("pool_status/request", suffix="request", spec=spec)


@pytest.mark.requirement("DRA-PST-01b")
@pytest.mark.parametrize(
    "optional",
    [
        pytest.param({}, id="neither poolName nor limit"),
        pytest.param({"poolName": "some-pool"}, id="poolName alone"),
        pytest.param({"limit": 5}, id="limit alone"),
    ],
)
def test_pool_name_and_limit_are_optional(world: World, optional: dict[str, Any]) -> None:
    """A request with a driver is accepted with and without each of the others."""
    with expect.accepted("a request with a driver"):
        request = pools.ask(world, **optional)

    expect.field(world.read(request), "spec.driver", world.driver)


@pytest.mark.requirement("DRA-PST-09")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param("/spec/driver", "other.example", id="driver"),
        pytest.param("/spec/poolName", "other-pool", id="poolName"),
        pytest.param("/spec/limit", 7, id="limit"),
    ],
)
def test_the_spec_is_immutable(world: World, path: str, value: Any) -> None:
    """No field of spec can be changed once the request is created."""
    request = pools.ask(world, poolName="some-pool", limit=5)

    with expect.refused(422, "spec"):
        world.patch(request, [{"op": "replace", "path": path, "value": value}])

    expect.field(world.read(request), "spec", request["spec"])


@pytest.mark.requirement("DRA-PST-10")
def test_a_processed_request_keeps_its_status(world: World) -> None:
    """A status that is set can be changed by nobody."""
    world.apply("pool_status/one_pool")
    request = pools.ask(world)
    status = pools.processed(world, request)

    with expect.refused(422, "status"):
        world.patch(request, [{"op": "replace", "path": "/status/poolCount", "value": 9}], "status")

    expect.field(world.read(request), "status", status)


@pytest.mark.requirement("DRA-PST-10")
def test_a_processed_request_keeps_its_spec(world: World) -> None:
    """Once status is set, spec can't be changed to have it computed again."""
    world.apply("pool_status/one_pool")
    request = pools.ask(world)
    status = pools.processed(world, request)

    with expect.refused(422, "spec"):
        world.patch(request, [{"op": "add", "path": "/spec/poolName", "value": world.pool}])

    expect.field(world.read(request), "status", status)


@pytest.mark.requirement("DRA-PST-13")
@pytest.mark.variant(gates={"DRAResourcePoolStatus": False})
def test_the_api_is_not_served_without_the_gate(world: World) -> None:
    """With the gate off, the resource can be neither listed nor created."""
    with expect.refused(404):
        world.api.list(pools.REQUESTS)

    with expect.refused(404):
        pools.ask(world)


@pytest.mark.requirement("DRA-PST-25")
@pytest.mark.variant(gates={"DRAPartitionableDevicesType": True})
def test_the_documents_example_is_accepted(world: World) -> None:
    """check-gpu-partitions is a ResourcePoolStatusRequest of resource.k8s.io/v1alpha3."""
    with expect.accepted("the document's example"):
        objects = world.apply("pool_status/document_example")

    stored = world.read(objects.of("ResourcePoolStatusRequest"))

    expect.field(stored, "apiVersion", "resource.k8s.io/v1alpha3")
    expect.field(stored, "spec.defaultPartitionTypeAttribute", f"{world.driver}/profile")

"""What the API server's OpenAPI document says of lists that several writers share."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

_KEYS = ["driver", "device", "pool", "shareID"]


@pytest.mark.requirement("DRA-SSA-11")
@pytest.mark.parametrize(
    ("kind", "field", "shared", "keys"),
    [
        pytest.param("ResourceClaimStatus", "devices", "map", _KEYS, id="status of devices"),
        pytest.param("ResourceClaimStatus", "reservedFor", "map", ["uid"], id="reservations"),
        pytest.param("AllocatedDeviceStatus", "conditions", "map", ["type"], id="conditions"),
        pytest.param("NetworkDeviceData", "ips", "atomic", None, id="addresses"),
        pytest.param("DeviceAllocationResult", "results", "atomic", None, id="results"),
        pytest.param("DeviceClaim", "requests", "atomic", None, id="requests"),
        pytest.param("ResourceSliceSpec", "devices", "atomic", None, id="devices of a slice"),
        pytest.param("DeviceClassSpec", "selectors", "atomic", None, id="selectors of a class"),
    ],
)
def test_the_document_says_how_a_list_is_shared(
    world: World, kind: str, field: str, shared: str, keys: Any
) -> None:
    """The type of the list, and its keys where it has some."""
    document = world.api.ask("GET", "/openapi/v3/apis/resource.k8s.io/v1")

    schema = document["components"]["schemas"][f"io.k8s.api.resource.v1.{kind}"]

    told = schema["properties"][field]
    expect.same(told.get("x-kubernetes-list-type"), shared, path=f"{kind}.{field}")
    expect.same(told.get("x-kubernetes-list-map-keys"), keys, path=f"{kind}.{field}")

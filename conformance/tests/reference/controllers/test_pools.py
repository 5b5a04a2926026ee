"""Pool status: counts, generations, incomplete pools, limits, partitions, shared capacity."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.reference.controllers.pools import (
    matching_pools,
    pool_status,
    request_status,
)

DRIVER = "gpu.example.com"


def device(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, **fields}


def pool_slice(name: str, devices: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    pool = {
        "name": fields.pop("pool", "pool-a"),
        "generation": fields.pop("generation", 1),
        "resourceSliceCount": fields.pop("count", 1),
    }
    spec = {"driver": DRIVER, "pool": pool, "devices": devices, "nodeName": "node-1", **fields}
    return {"metadata": {"name": name}, "spec": spec}


def claim(*devices: str, **result: Any) -> dict[str, Any]:
    results = [{"driver": DRIVER, "pool": "pool-a", "device": name, **result} for name in devices]
    return {"status": {"allocation": {"devices": {"results": results}}}}


def request(**spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": "r"}, "spec": {"driver": DRIVER, **spec}}


def status(
    slices: list[dict[str, Any]],
    claims: list[dict[str, Any]] | None = None,
    asked: dict[str, Any] | None = None,
) -> list[dict[str, Any]]:
    asked = asked or request()
    pools = matching_pools(asked, slices)
    return [pool_status(pool, asked, claims or [], True) for pool in pools]


def test_counts_add_up() -> None:
    tainted = device("d3", taints=[{"key": "k", "effect": "NoSchedule"}])
    slices = [pool_slice("s", [device("d1"), device("d2"), tainted])]

    assert status(slices, [claim("d1")]) == [
        {
            "driver": DRIVER,
            "poolName": "pool-a",
            "generation": 1,
            "nodeName": "node-1",
            "resourceSliceCount": 1,
            "totalDevices": 3,
            "allocatedDevices": 1,
            "availableDevices": 1,
            "unavailableDevices": 1,
        }
    ]


@pytest.mark.parametrize(
    ("effect", "unavailable"),
    [("NoSchedule", 1), ("NoExecute", 1), ("None", 0)],
)
def test_taints_make_devices_unavailable(effect: str, unavailable: int) -> None:
    slices = [pool_slice("s", [device("d", taints=[{"key": "k", "effect": effect}])])]

    assert status(slices)[0]["unavailableDevices"] == unavailable


def test_admin_access_takes_nothing() -> None:
    slices = [pool_slice("s", [device("d")])]

    assert status(slices, [claim("d", adminAccess=True)])[0]["allocatedDevices"] == 0


def test_a_shared_device_counts_once() -> None:
    slices = [pool_slice("s", [device("d")])]

    assert status(slices, [claim("d"), claim("d")])[0]["allocatedDevices"] == 1


def test_older_generations_are_ignored() -> None:
    old = pool_slice("old", [device("d1"), device("d2")], generation=1)
    new = pool_slice("new", [device("d1")], generation=2)

    found = status([old, new])[0]

    assert (found["generation"], found["totalDevices"]) == (2, 1)


def test_an_incomplete_pool_has_an_error_and_no_counts() -> None:
    found = status([pool_slice("s", [device("d")], count=2)])[0]

    assert found["validationError"].startswith("PoolIncomplete:")
    assert not {"totalDevices", "availableDevices", "resourceSliceCount"} & set(found)


def test_a_pool_of_several_nodes_names_none() -> None:
    one = pool_slice("s1", [device("d1")], count=2)
    two = pool_slice("s2", [device("d2")], count=2, nodeName="node-2")

    assert "nodeName" not in status([one, two])[0]


def test_a_request_for_one_pool_sees_only_that() -> None:
    slices = [pool_slice("s1", []), pool_slice("s2", [], pool="pool-b")]

    assert [one["poolName"] for one in status(slices, asked=request(poolName="pool-b"))] == [
        "pool-b"
    ]


def test_a_limit_cuts_the_list_but_not_the_count() -> None:
    slices = [pool_slice(f"s{number}", [], pool=f"pool-{number}") for number in range(3)]

    answer = request_status(status(slices), 2, "2026-01-01T00:00:00Z")

    assert answer["poolCount"] == 3
    assert [one["poolName"] for one in answer["pools"]] == ["pool-0", "pool-1"]
    assert answer["conditions"][0]["type"] == "Complete"


# Partitions.

COUNTERS = [{"name": "gpu-0", "counters": {"memory": {"value": "40Gi"}}}]


def partition(name: str, kind: str, memory: str, **attributes: Any) -> dict[str, Any]:
    return device(
        name,
        attributes={"profile": {"string": kind}, **attributes},
        consumesCounters=[{"counterSet": "gpu-0", "counters": {"memory": {"value": memory}}}],
    )


def partitioned(attribute: str | None = f"{DRIVER}/profile") -> list[dict[str, Any]]:
    fields = {"partitionTypeAttribute": attribute} if attribute else {}
    devices = [
        partition("small-0", "small", "10Gi"),
        partition("small-1", "small", "10Gi"),
        partition("large-0", "large", "40Gi"),
    ]
    return [
        pool_slice("a", [], sharedCounters=COUNTERS, count=2),
        pool_slice("b", devices, count=2, **fields),
    ]


def test_partitions_are_counted_against_the_shared_counters() -> None:
    assert status(partitioned(), [claim("small-0")])[0]["partitionSummary"] == [
        {"attribute": f"{DRIVER}/profile", "type": "large", "total": 1, "allocatable": 0},
        {"attribute": f"{DRIVER}/profile", "type": "small", "total": 2, "allocatable": 1},
    ]


def test_the_slice_wins_over_the_request() -> None:
    asked = request(defaultPartitionTypeAttribute="other.example.com/kind")

    summary = status(partitioned(), asked=asked)[0]["partitionSummary"]

    assert {row["attribute"] for row in summary} == {f"{DRIVER}/profile"}


def test_the_request_helps_a_driver_that_names_no_attribute() -> None:
    asked = request(defaultPartitionTypeAttribute=f"{DRIVER}/profile")

    assert len(status(partitioned(None), asked=asked)[0]["partitionSummary"]) == 2


def test_without_an_attribute_there_is_no_summary_and_no_error() -> None:
    found = status(partitioned(None))[0]

    assert "partitionSummary" not in found
    assert "validationError" not in found


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"int": 1}, id="a-number"),
        pytest.param({"strings": ["small"]}, id="a-list"),
        pytest.param(None, id="missing"),
    ],
)
def test_a_partition_type_must_be_a_string(value: dict[str, Any] | None) -> None:
    slices = partitioned()
    attributes = slices[1]["spec"]["devices"][0]["attributes"]
    del attributes["profile"]
    if value:
        attributes["profile"] = value

    found = status(slices)[0]

    assert found["validationError"].startswith("PartitionTypeMissing:")
    assert "partitionSummary" not in found
    assert found["totalDevices"] == 3


def test_equal_types_must_cost_the_same() -> None:
    slices = partitioned()
    slices[1]["spec"]["devices"].append(partition("small-2", "small", "20Gi"))

    assert status(slices)[0]["validationError"].startswith("PartitionCostMismatch:")


def test_the_gate_controls_the_partition_view_alone() -> None:
    slices = partitioned()
    pool = matching_pools(request(), slices)[0]

    found = pool_status(pool, request(), [], False)

    assert "partitionSummary" not in found
    assert found["totalDevices"] == 3


# Shareable devices.


def test_shared_capacity_is_summed() -> None:
    capacity = {"memory": {"value": "40Gi"}}
    devices = [device(f"d{n}", allowMultipleAllocations=True, capacity=capacity) for n in (1, 2)]

    found = status([pool_slice("s", devices)], [claim("d1", consumedCapacity={"memory": "10Gi"})])

    assert found[0]["shareableSummary"] == {
        "fullyAvailableDevices": 1,
        "partiallyAvailableDevices": 1,
        "capacity": [{"name": "memory", "total": "80Gi", "consumed": "10Gi", "available": "70Gi"}],
    }


def test_available_capacity_is_never_negative() -> None:
    shared = device("d", allowMultipleAllocations=True, capacity={"memory": {"value": "1Gi"}})

    found = status([pool_slice("s", [shared])], [claim("d", consumedCapacity={"memory": "2Gi"})])

    assert found[0]["shareableSummary"]["capacity"][0]["available"] == "0"


def test_pools_without_shareable_devices_have_no_summary() -> None:
    assert "shareableSummary" not in status([pool_slice("s", [device("d")])])[0]


# What kube-controller-manager 1.37.2 itself answered, with every DRA gate on.

RECORDED = json.loads(Path(__file__).with_name("pool_status_of_1_37_2.json").read_text("utf-8"))


@pytest.mark.parametrize("recorded", RECORDED["requests"], ids=lambda one: one["metadata"]["name"])
def test_the_answer_is_that_of_a_real_cluster(recorded: dict[str, Any]) -> None:
    pools = [
        pool_status(pool, recorded, RECORDED["claims"], True)
        for pool in matching_pools(recorded, RECORDED["slices"])
    ]
    answer = request_status(pools, recorded["spec"].get("limit"), "2026-01-01T00:00:00Z")
    # The time of the recording was left out of it.
    del answer["conditions"][0]["lastTransitionTime"]

    assert answer == recorded["status"]

"""Consumable capacity: how much a request takes, and when a shared device is full."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra.allocation import InUse, allocate
from conformance.dra.allocation.sharing import consumption
from conformance.dra.features import Features

DRIVER = "gpu.example.com"
CLASS: dict[str, Any] = {"metadata": {"name": "gpu"}, "spec": {}}
NODE: dict[str, Any] = {"metadata": {"name": "node-1"}}


def device(name: str, value: str = "8Gi", **fields: Any) -> dict[str, Any]:
    capacity = {"memory": {"value": value, **fields.pop("memory", {})}}
    return {"name": name, "allowMultipleAllocations": True, "capacity": capacity, **fields}


def pool(*devices: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": "slice"},
        "spec": {
            "driver": DRIVER,
            "pool": {"name": "pool", "generation": 1, "resourceSliceCount": 1},
            "nodeName": "node-1",
            "devices": list(devices),
            **spec,
        },
    }


def claim(memory: str | None = None, *, uid: str = "u", count: int = 1) -> dict[str, Any]:
    exactly: dict[str, Any] = {"deviceClassName": "gpu", "count": count}
    if memory:
        exactly["capacity"] = {"requests": {"memory": memory}}
    return {
        "metadata": {"name": "c", "namespace": "ns", "uid": uid},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}},
    }


def allocated(
    *claims: dict[str, Any], slices: list[dict[str, Any]], in_use: InUse | None = None
) -> list[list[dict[str, Any]]] | None:
    found = allocate(
        claims,
        slices=slices,
        classes={"gpu": CLASS},
        node=NODE,
        allocated=in_use or InUse(),
        features=Features(),
    )
    return None if found is None else [one["devices"]["results"] for one in found]


def test_several_claims_share_a_device_until_it_is_full() -> None:
    slices = [pool(device("d"))]

    found = allocated(claim("4Gi", uid="a"), claim("4Gi", uid="b"), slices=slices)

    assert found is not None
    first, second = found[0][0], found[1][0]
    assert (first["device"], second["device"]) == ("d", "d")
    assert first["consumedCapacity"] == {"memory": "4Gi"}
    assert first["shareID"] != second["shareID"]
    assert allocated(*(claim("4Gi", uid=str(n)) for n in range(3)), slices=slices) is None


def test_what_is_allocated_counts() -> None:
    slices = [pool(device("d"), device("e"))]
    found = allocated(claim("6Gi"), slices=slices)
    assert found is not None

    in_use = InUse.of(found[0])
    assert not in_use.devices
    again = allocated(claim("4Gi", uid="b"), slices=slices, in_use=in_use)
    assert again is not None
    assert again[0][0]["device"] == "e"


def test_without_a_request_a_device_is_taken_whole() -> None:
    found = allocated(claim(), slices=[pool(device("d"))])

    assert found is not None
    assert found[0][0]["consumedCapacity"] == {"memory": "8Gi"}


def test_the_same_claim_gets_the_same_share() -> None:
    slices = [pool(device("d"))]

    assert allocated(claim("1Gi"), slices=slices) == allocated(claim("1Gi"), slices=slices)


def test_admin_access_takes_nothing_and_unshared_devices_are_whole() -> None:
    keys = {"driver": DRIVER, "pool": "pool"}
    results = [
        {**keys, "device": "a", "adminAccess": True},
        {**keys, "device": "b"},
        {**keys, "device": "c", "shareID": "s", "consumedCapacity": {"memory": "1Gi"}},
        {**keys, "device": "c", "shareID": "t", "consumedCapacity": {"memory": "1Gi"}},
    ]

    in_use = InUse.of(results)

    assert in_use.devices == {(DRIVER, "pool", "b")}
    shared = in_use.consumed[DRIVER, "pool", "c"]
    assert {name: str(amount) for name, amount in shared.items()} == {"memory": "2Gi"}


def test_shares_of_a_device_pay_its_counters_once() -> None:
    consumes = [{"counterSet": "g", "counters": {"slots": {"value": "1"}}}]
    counters = [{"name": "g", "counters": {"slots": {"value": "1"}}}]
    slices = [pool(device("d", consumesCounters=consumes), sharedCounters=counters)]

    assert allocated(claim("4Gi", uid="a"), claim("4Gi", uid="b"), slices=slices)


def test_without_the_gate_a_shareable_device_is_an_ordinary_one() -> None:
    found = allocate(
        [claim()],
        slices=[pool(device("d"))],
        classes={"gpu": CLASS},
        node=NODE,
        allocated=InUse(),
        features=Features(gates={"DRAConsumableCapacity": False}),
    )

    assert found is not None
    (result,) = found[0]["devices"]["results"]
    assert result["device"] == "d"
    assert "shareID" not in result


RANGE = {"default": "1Gi", "validRange": {"min": "2Gi", "max": "6Gi", "step": "2Gi"}}
VALUES = {"default": "1Gi", "validValues": ["1Gi", "2Gi", "4Gi"]}


@pytest.mark.parametrize(
    ("policy", "asked", "expected"),
    [
        pytest.param(None, "3Gi", "3Gi", id="no-policy"),
        pytest.param(None, None, "8Gi", id="no-policy-no-request"),
        pytest.param(RANGE, None, "1Gi", id="default"),
        pytest.param(RANGE, "1Gi", "2Gi", id="below-the-range"),
        pytest.param(RANGE, "3Gi", "4Gi", id="rounded-up-to-a-step"),
        pytest.param(RANGE, "4Gi", "4Gi", id="on-a-step"),
        pytest.param(RANGE, "7Gi", None, id="above-the-range"),
        pytest.param(VALUES, "3Gi", "4Gi", id="rounded-up-to-a-value"),
        pytest.param(VALUES, "5Gi", None, id="above-all-values"),
    ],
)
def test_policies_say_what_is_consumed(
    policy: dict[str, Any] | None, asked: str | None, expected: str | None
) -> None:
    shared = device("d", memory={"requestPolicy": policy} if policy else {})
    request = {"capacity": {"requests": {"memory": asked}}} if asked else {}

    found = consumption(shared, request)

    assert (None if found is None else str(found["memory"])) == expected


def test_a_capacity_that_the_device_lacks_can_not_be_asked_for() -> None:
    assert consumption(device("d"), {"capacity": {"requests": {"cores": "1"}}}) is None

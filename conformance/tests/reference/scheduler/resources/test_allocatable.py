"""What devices take of a node: reckoned from allocations, and who may share them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra.allocation import AllocationError
from conformance.reference.footprint import taken_by_devices
from conformance.reference.scheduler.claims import Unfit
from conformance.reference.scheduler.fit import requests_of
from conformance.reference.scheduler.resources.allocatable import (
    beyond_pod_level,
    check_sharing,
    footprints,
    statuses,
    with_statuses,
)

CORES = "d.example/cores"


def a_slice(*taken: dict[str, Any]) -> dict[str, Any]:
    """Return a slice with a device for each of these."""
    devices = [{"name": f"d{n}", "nodeAllocatableResources": one} for n, one in enumerate(taken)]
    return {"spec": {"driver": "d.example", "pool": {"name": "p"}, "devices": devices}}


def a_pod(*containers: str, **spec: Any) -> dict[str, Any]:
    """Return a Pod whose containers use the claim."""
    uses = {"claims": [{"name": "mine"}]}
    return {
        "metadata": {"name": "pod", "uid": "u"},
        "spec": {
            "containers": [{"name": name, "resources": uses} for name in containers],
            "resourceClaims": [{"name": "mine", "resourceClaimName": "claim"}],
            **spec,
        },
    }


def a_claim(*results: dict[str, Any], users: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a claim that is allocated the first devices, with more to say of each."""
    rows = [
        {"driver": "d.example", "pool": "p", "device": f"d{n}", **one}
        for n, one in enumerate(results)
    ]
    reserved = [{"uid": uid} for uid in users]
    status = {"allocation": {"devices": {"results": rows}}, "reservedFor": reserved}
    return {"metadata": {"name": "claim"}, "status": status}


def taken(pod: dict[str, Any], claim: dict[str, Any], *devices: dict[str, Any]) -> Any:
    """Return the Pod with what the devices of its claim take."""
    rows = statuses(pod, [(claim, claim["status"]["allocation"])], footprints([a_slice(*devices)]))
    return with_statuses(pod, rows)


def test_devices_of_a_claim_are_added_up() -> None:
    device = {"cpu": {"mapping": {"deviceMultiplier": "1500m"}}}

    pod = taken(a_pod("c"), a_claim({}, {}), device, device)

    row = {"resourceClaimName": "claim", "containers": ["c"]}
    mapping = [{"name": "cpu", "quantity": "3"}]
    assert pod["status"]["nodeAllocatableResourceClaimStatuses"] == [{**row, "mapping": mapping}]
    assert dict(requests_of(pod)) == {"cpu": 3}


def test_a_container_with_two_entries_of_a_claim_stands_once() -> None:
    uses = {"claims": [{"name": "mine"}, {"name": "again"}]}
    pod = a_pod()
    pod["spec"]["containers"] = [{"name": "c", "resources": uses}]
    pod["spec"]["resourceClaims"].append({"name": "again", "resourceClaimName": "claim"})
    device = {"cpu": {"mapping": {"deviceMultiplier": "1"}}}
    results = [{"driver": "d.example", "pool": "p", "device": "d0"}]
    claim = {"metadata": {"name": "claim"}}

    rows = statuses(
        pod, [(claim, {"devices": {"results": results}})], footprints([a_slice(device)])
    )

    assert [row["containers"] for row in rows] == [["c"]]


def test_overhead_is_for_the_pod_and_for_each_container() -> None:
    device = {"memory": {"overhead": {"perPod": "8Gi", "perContainer": "1Gi"}}}

    pod = taken(a_pod("c", "d"), a_claim({}), device)

    assert taken_by_devices(pod) == {"memory": 10 * 2**30}
    assert taken_by_devices(pod, "c") == {"memory": 9 * 2**30}
    assert taken_by_devices(pod, "other") == {}


def test_capacity_that_nobody_consumed_takes_nothing() -> None:
    mapping = {"capacityKey": CORES, "capacityMultiplier": "2"}
    device = {"cpu": {"mapping": mapping}}

    consumed = {"consumedCapacity": {"d.example/other": "1"}}

    assert taken_by_devices(taken(a_pod("c"), a_claim(consumed), device)) == {}
    with pytest.raises(AllocationError, match="no capacity is consumed"):
        taken(a_pod("c"), a_claim({}), device)


def test_the_pod_as_a_whole_covers_its_devices() -> None:
    device = {"cpu": {"mapping": {"deviceMultiplier": "2"}}}
    small, large = ({"resources": {"requests": {"cpu": amount}}} for amount in ("1", "2"))

    assert beyond_pod_level(taken(a_pod("c", **large), a_claim({}), device)) is None
    assert beyond_pod_level(taken(a_pod("c", **small), a_claim({}), device))
    assert beyond_pod_level(a_pod("c", **small)) is None


@pytest.mark.parametrize(
    ("device", "users", "is_fit"),
    [
        ({"cpu": {"mapping": {"deviceMultiplier": "1"}}}, ("u",), True),
        ({"cpu": {"mapping": {"deviceMultiplier": "1"}}}, ("other",), False),
        ({"cpu": {"overhead": {"perPod": "1"}}}, ("other",), True),
    ],
    ids=["its own", "of another Pod", "mere overhead"],
)
def test_what_is_mapped_is_not_shared(
    device: dict[str, Any], users: tuple[str, ...], is_fit: bool
) -> None:
    known = footprints([a_slice(device)])
    claim = a_claim({}, users=users)

    if is_fit:
        check_sharing(a_pod("c"), claim, known)
        return
    with pytest.raises(Unfit, match="cannot be shared"):
        check_sharing(a_pod("c"), claim, known)

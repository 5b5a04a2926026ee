"""What the bundled driver publishes beside plain devices, and how it reports conditions."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.driver import devicestatus, slices
from conformance.reference.driver.config import DriverConfig
from conformance.tests.reference.driver.probing import NAME, devices, driver_of
from conformance.tests.reference.kubelet.rig import Rig, scenario

COUNTERS = [{"name": "set", "counters": {"memory": {"value": "80Gi"}}}]


def partition(name: str, memory: str) -> dict[str, Any]:
    counters = {"memory": {"value": memory}}
    return {"name": name, "consumesCounters": [{"counterSet": "set", "counters": counters}]}


def test_counters_stand_in_a_slice_of_their_own() -> None:
    config = DriverConfig(
        name=NAME,
        devices=[partition("a", "40Gi")],
        shared_counters=COUNTERS,
        partition_type_attribute=f"{NAME}/profile",
    )

    first, second = slices.slice_specs(config, "node-1", 7)

    assert first["sharedCounters"] == COUNTERS
    assert not {"devices", "partitionTypeAttribute"} & set(first)
    assert second["partitionTypeAttribute"] == f"{NAME}/profile"
    assert first["pool"] == second["pool"]
    assert first["pool"]["resourceSliceCount"] == 2


def test_a_slice_without_partitions_names_no_type() -> None:
    config = DriverConfig(name=NAME, devices=devices(1), partition_type_attribute=f"{NAME}/p")

    (only,) = slices.slice_specs(config, "node-1", 1)

    assert "partitionTypeAttribute" not in only


@scenario
async def test_an_amount_that_is_spelled_anew_is_no_change(rig: Rig) -> None:
    device = {"name": "gpu-0", "capacity": {"memory": {"value": "81920Mi"}}}

    await rig.add(driver_of(rig, devices=[device]))
    await rig.settle()

    (found,) = (await rig.client.list("resourceslices"))[0]
    assert found["spec"]["devices"][0]["capacity"]["memory"]["value"] == "80Gi"
    assert found["spec"]["pool"]["generation"] == 1


BEFORE = {"type": "Ready", "status": "False", "lastTransitionTime": "t0"}


@pytest.mark.parametrize(
    ("before", "status", "time"),
    [
        pytest.param(None, "False", "t1", id="the first report"),
        pytest.param(BEFORE, "False", "t0", id="the same status"),
        pytest.param(BEFORE, "True", "t1", id="another status"),
    ],
)
def test_the_time_of_a_condition_is_that_of_its_status(
    before: dict[str, Any] | None, status: str, time: str
) -> None:
    found = devicestatus.binding_condition({"type": "Ready", "status": status}, before, "t1")

    assert found == {"type": "Ready", "status": status, "lastTransitionTime": time}

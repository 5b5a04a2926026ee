"""Which entries of status.devices are taken, and when they go."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World


def given(world: World, device: str) -> dict[str, Any]:
    """Return what names a device of the world's pool."""
    return {"driver": world.driver, "pool": world.pool, "device": device}


def allocation(world: World, *devices: str) -> dict[str, Any]:
    """Return an allocation of these devices, as a scheduler writes it."""
    results = [{"request": "device", **given(world, device)} for device in devices]
    return {"devices": {"results": results}}


@pytest.mark.requirement("DRA-STA-03")
@pytest.mark.variant(
    gates={
        "DRAResourceClaimDeviceStatus": False,
        # Both need it.
        "DRADeviceBindingConditions": False,
        "DRAResourceClaimGranularStatusAuthorization": False,
    }
)
def test_without_the_gate_no_entry_is_stored(world: World, flow: Any) -> None:
    """Who writes an entry is not refused, and finds none."""
    flow.claim()
    world.claims.write_status("claim", allocation=allocation(world, "device-1"))

    with expect.accepted("an entry, though nobody stores it"):
        world.claims.write_status("claim", devices=[given(world, "device-1")])

    expect.absent(world.claims.get("claim"), "status.devices")


@pytest.mark.requirement("DRA-STA-04")
@pytest.mark.parametrize(
    ("part", "value"),
    [
        pytest.param("device", "device-2", id="another device"),
        pytest.param("pool", "another-pool", id="another pool"),
        pytest.param("driver", "another.example.com", id="another driver"),
    ],
)
def test_an_entry_for_a_device_of_others_is_refused(
    world: World, flow: Any, part: str, value: str
) -> None:
    """What is not allocated to the claim has no place in its status.devices."""
    flow.claim()
    world.claims.write_status("claim", allocation=allocation(world, "device-1"))

    with expect.refused(422, "status.devices[0]"):
        world.claims.write_status("claim", devices=[{**given(world, "device-1"), part: value}])


@pytest.mark.requirement("DRA-STA-04")
def test_an_entry_without_an_allocation_is_refused(world: World, flow: Any) -> None:
    """A claim that is not allocated takes no entry at all."""
    flow.claim()

    with expect.refused(422, "status.devices[0]"):
        world.claims.write_status("claim", devices=[given(world, "device-1")])


@pytest.mark.requirement("DRA-STA-05")
def test_the_entries_go_with_the_allocation(world: World, flow: Any) -> None:
    """Who takes the allocation away, and leaves the entries, takes the entries away, too."""
    flow.claim()
    world.claims.write_status("claim", allocation=allocation(world, "device-1"))
    world.claims.write_status("claim", devices=[given(world, "device-1")])

    with expect.accepted("a deallocation that leaves the entries"):
        world.claims.write_status("claim", allocation=None)

    claim = world.claims.get("claim")
    expect.absent(claim, "status.allocation")
    expect.absent(claim, "status.devices")


@pytest.mark.requirement("DRA-STA-05")
def test_the_entries_go_when_the_claim_is_released(world: World, flow: Any) -> None:
    """After its last Pod the claim is deallocated, and what was reported is gone."""
    flow.publish("device-1")
    flow.claim()
    flow.pod()
    world.pods.scheduled("pod")
    world.claims.condition("claim", "conformance.test/ready")

    world.pods.delete("pod", grace=0)

    expect.absent(world.claims.deallocated("claim"), "status.devices")


@pytest.mark.requirement("DRA-STA-06")
@pytest.mark.variant(gates={"DRAConsumableCapacity": True})
def test_the_documents_example_is_taken(world: World, flow: Any) -> None:
    """Share, consumed capacity, condition, addresses: what was written is what is read."""
    example = world.document("device_status/document_example")
    flow.claim(flow.exactly(name="macvlan-eth0"))

    with expect.accepted("the example of the document"):
        world.claims.write_status("claim", allocation=example["allocation"])
        world.claims.write_status("claim", devices=example["devices"])

    status = world.claims.get("claim")["status"]
    expect.field(status, "devices", example["devices"])
    expect.field(status, "allocation.devices.results", example["allocation"]["devices"]["results"])

"""The bundled driver with the kubelet: from published slices to what a container sees."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from conformance.reference.driver.cdi import CdiDevice, spec_of
from conformance.reference.driver.config import DriverConfig, HealthConfig
from conformance.reference.driver.driver import ExampleDriver
from conformance.reference.shifted import ShiftedClock
from conformance.tests.reference.driver.probing import (
    NAME,
    PROBE,
    devices,
    driver_of,
    files,
    report,
    start_probe,
)
from conformance.tests.reference.kubelet.rig import NODE, Rig, scenario


async def slices(rig: Rig) -> list[dict[str, Any]]:
    items, _ = await rig.client.list("resourceslices")
    return items


@scenario
async def test_publishes_a_complete_pool_owned_by_its_node(rig: Rig) -> None:
    driver = await rig.add(driver_of(rig, devices=devices(130)))
    node = await rig.client.get("nodes", NODE)

    assert driver.registered
    found = await slices(rig)
    assert sorted(len(item["spec"]["devices"]) for item in found) == [2, 128]
    for item in found:
        owner = item["metadata"]["ownerReferences"][0]
        assert (owner["uid"], owner["controller"]) == (node["metadata"]["uid"], True)
        assert item["spec"]["pool"] == {
            "name": NODE,
            "generation": 1,
            "resourceSliceCount": 2,
        }
    await rig.client.delete("resourceslices", found[0]["metadata"]["name"])
    await rig.settle()

    again = await slices(rig)
    assert len(again) == 2
    assert {item["spec"]["pool"]["generation"] for item in again} == {1}


@scenario
async def test_other_devices_are_another_generation(rig: Rig) -> None:
    driver = await rig.add(driver_of(rig))

    driver.publish(DriverConfig(name=NAME, devices=devices(5)))
    await rig.settle()

    (item,) = await slices(rig)
    assert len(item["spec"]["devices"]) == 5
    assert item["spec"]["pool"]["generation"] == 2


@scenario
async def test_slices_return_after_a_kubelet_restart(rig: Rig) -> None:
    await rig.add(driver_of(rig))

    await rig.restart_kubelet()
    await rig.settle()

    assert len(await slices(rig)) == 1


@scenario
async def test_container_sees_its_device_and_nothing_is_left_behind(rig: Rig) -> None:
    await rig.add(driver_of(rig))

    pod = await start_probe(rig)
    lines = await report(rig)
    claim = (await rig.client.get("resourceclaims", "p", "default"))["metadata"]["uid"]

    assert "env DRA_RESOURCE_DRIVER_NAME=gpu.example.com" in lines
    assert "env GPU_DEVICE_GPU_0=gpu-0" in lines
    assert f"env GPU_DEVICE_GPU_0_RESOURCE_CLAIM={claim}" in lines
    assert not files(lines)
    (spec,) = rig.directories.cdi_dir.iterdir()
    assert claim in spec.name
    status = pod["status"]["containerStatuses"][0]["allocatedResourcesStatus"][0]
    assert status["resources"][0]["resourceID"] == f"{NAME}/device={claim}-gpu-0"
    await rig.client.delete("pods", "p", "default")
    await rig.gone("p")
    assert list(rig.directories.cdi_dir.iterdir()) == []


@scenario
async def test_device_that_was_not_published_is_refused(rig: Rig) -> None:
    await rig.add(driver_of(rig))
    claim = await rig.allocate(await rig.create_claim("p"), NAME, pool=NODE, device="gpu-77")
    await rig.reserve(claim, await rig.create_pod("p", claim="p"))

    await rig.advance(12)

    status = (await rig.pod("p"))["status"]["containerStatuses"][0]
    assert "gpu-77 is not allocatable" in status["state"]["waiting"]["message"]


@scenario
async def test_prepared_claims_survive_the_driver(rig: Rig) -> None:
    first = await rig.add(driver_of(rig))
    await start_probe(rig)

    await first.close()
    await rig.add(driver_of(rig))
    await rig.client.delete("pods", "p", "default")
    await rig.gone("p")

    assert list(rig.directories.cdi_dir.iterdir()) == []


@scenario
async def test_control_file_makes_a_device_unhealthy(rig: Rig) -> None:
    await rig.add(driver_of(rig, health=HealthConfig()))
    await start_probe(rig)
    control = rig.directories.plugins_dir / NAME / "control.json"

    async def shows(health: str, message: str = "") -> bool:
        give_up = asyncio.get_running_loop().time() + 2.0
        while asyncio.get_running_loop().time() < give_up:
            await rig.settle()
            status = (await rig.pod("p"))["status"]["containerStatuses"][0]
            resource = status["allocatedResourcesStatus"][0]["resources"][0]
            if (resource["health"], resource.get("message", "")) == (health, message):
                return True
            await asyncio.sleep(0.005)
        return False

    assert await shows("Healthy")
    sick = {"health": {"gpu-0": {"health": "Unhealthy", "message": "ECC"}}}
    control.write_text(json.dumps(sick), "utf-8")
    assert await shows("Unhealthy", "ECC")
    await rig.advance(100)
    assert await shows("Unhealthy", "ECC")
    control.write_text(json.dumps({"silent": True}), "utf-8")
    await rig.settle()
    await rig.advance(31)
    assert await shows("Unknown")
    control.unlink()

    assert await shows("Healthy")


@scenario
async def test_device_status_is_reported_in_the_claim(rig: Rig) -> None:
    network = {"interfaceName": "net1", "hardwareAddress": "00:01:ec:84:fb:51"}
    await rig.add(driver_of(rig, device_status=True, network_data={"gpu-0": network}))

    await start_probe(rig)
    await rig.settle()

    claim = await rig.client.get("resourceclaims", "p", "default")
    (entry,) = claim["status"]["devices"]
    assert (entry["driver"], entry["pool"], entry["device"]) == (NAME, NODE, "gpu-0")
    assert entry["conditions"][0]["status"] == "True"
    assert entry["networkData"] == network


@scenario
async def test_opaque_configuration_reaches_its_request(rig: Rig) -> None:
    await rig.add(driver_of(rig))
    claim = await rig.create_claim("p")
    claim["status"] = {
        "allocation": {
            "devices": {
                "results": [{"request": "gpu", "driver": NAME, "pool": NODE, "device": "gpu-0"}],
                "config": [
                    {
                        "source": "FromClaim",
                        "requests": requests,
                        "opaque": {"driver": NAME, "parameters": {"environment": {name: "1"}}},
                    }
                    for name, requests in (("ALL", []), ("MINE", ["gpu"]))
                ],
            }
        }
    }
    claim = await rig.client.update_status("resourceclaims", claim)
    await rig.reserve(claim, await rig.create_pod("p", claim="p", **PROBE))
    await rig.phase("p", "Running")

    lines = await report(rig)

    assert {"env ALL=1", "env MINE=1"} <= set(lines)


@pytest.mark.parametrize(
    ("kind", "name", "version"),
    [
        ("v/gpu", "a", "0.3.0"),
        ("v/gpu", "0a", "0.5.0"),
        ("v/g.pu", "a", "0.6.0"),
    ],
)
def test_spec_has_the_lowest_version_that_it_needs(kind: str, name: str, version: str) -> None:
    assert spec_of(kind, [CdiDevice(name=name)])["cdiVersion"] == version


@scenario
async def test_device_status_leaves_other_drivers_alone(rig: Rig) -> None:
    await rig.add(driver_of(rig, device_status=True))
    claim = await rig.create_claim("p")
    other = {"driver": "other.example.com", "pool": NODE, "device": "x"}
    mine = {"driver": NAME, "pool": NODE, "device": "gpu-0"}
    claim["status"] = {
        "allocation": {
            "devices": {"results": [{"request": "gpu", **mine}, {"request": "gpu", **other}]}
        },
        "devices": [{**other, "data": {"kept": True}}],
    }
    claim = await rig.client.update_status("resourceclaims", claim)
    await rig.add(
        ExampleDriver(
            DriverConfig(name="other.example.com", devices=[{"name": "x"}]),
            rig.client,
            directories=rig.directories,
            clock=ShiftedClock(rig.clock, 0),
        )
    )
    await rig.reserve(claim, await rig.create_pod("p", claim="p"))
    await rig.phase("p", "Running")
    await rig.settle()

    claim = await rig.client.get("resourceclaims", "p", "default")

    entries = {entry["driver"]: entry for entry in claim["status"]["devices"]}
    assert entries["other.example.com"]["data"] == {"kept": True}
    assert entries[NAME]["conditions"][0]["type"] == "Ready"


@scenario
async def test_fewer_devices_are_fewer_slices(rig: Rig) -> None:
    driver = await rig.add(driver_of(rig, devices=devices(300)))
    assert len(await slices(rig)) == 3

    driver.publish(DriverConfig(name=NAME, devices=devices(1)))
    await rig.settle()

    (item,) = await slices(rig)
    assert item["spec"]["pool"]["resourceSliceCount"] == 1


@scenario
async def test_half_a_control_file_changes_nothing(rig: Rig) -> None:
    driver = await rig.add(driver_of(rig, health=HealthConfig()))
    control = rig.directories.plugins_dir / NAME / "control.json"

    control.write_text('{"silent": tr', "utf-8")
    await rig.settle()
    assert driver.health is not None
    assert not driver.health.silent
    control.write_text('{"silent": true}', "utf-8")
    await rig.settle()

    assert driver.health.silent

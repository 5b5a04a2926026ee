"""Device health: from the driver's stream to the Pod's status, and the silence between."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from conformance.tests.reference.kubelet.rig import Rig, scenario
from conformance.tests.reference.kubelet.scripted import ScriptedDriver

DRIVER = "d.example.com"
SERVICES = ("v1.DRAPlugin", "v1.DRAResourceHealth")
HEALTHY, UNHEALTHY = 1, 2


async def driver_of(rig: Rig, *services: str) -> ScriptedDriver:
    return await rig.add(ScriptedDriver(DRIVER, rig.directories, services=services or SERVICES))


async def entries(rig: Rig, pod: str = "p") -> list[dict[str, Any]]:
    await rig.settle()
    status = (await rig.pod(pod))["status"]["containerStatuses"][0]
    return status.get("allocatedResourcesStatus", [])


async def shows(rig: Rig, expected: list[str], pod: str = "p") -> bool:
    """Tell whether the Pod shows this health, maybe after the moment that a stream takes."""
    give_up = asyncio.get_running_loop().time() + 2.0
    while asyncio.get_running_loop().time() < give_up:
        found = await entries(rig, pod)
        if expected == [one["health"] for entry in found for one in entry["resources"]]:
            return True
        await asyncio.sleep(0.005)
    return False


@scenario
async def test_health_shows_changes_and_recovers(rig: Rig) -> None:
    driver = await driver_of(rig)
    await rig.running("p")
    assert await entries(rig) == [
        {
            "name": "claim:gpu",
            "resources": [{"resourceID": f"{DRIVER}/pool/gpu-0", "health": "Unknown"}],
        }
    ]

    driver.report(("gpu-0", HEALTHY, "", 0))
    assert await shows(rig, ["Healthy"])
    driver.report(("gpu-0", UNHEALTHY, "too hot", 0))
    assert await shows(rig, ["Unhealthy"])
    assert (await entries(rig))[0]["resources"][0]["message"] == "too hot"
    driver.report(("gpu-0", HEALTHY, "", 0))

    assert await shows(rig, ["Healthy"])


@scenario
async def test_silence_turns_unknown_after_thirty_seconds(rig: Rig) -> None:
    driver = await driver_of(rig)
    await rig.running("p")
    driver.report(("gpu-0", HEALTHY, "fine", 0))
    assert await shows(rig, ["Healthy"])

    await rig.advance(29)
    assert await shows(rig, ["Healthy"])
    await rig.advance(2)

    assert (await entries(rig))[0]["resources"] == [
        {"resourceID": f"{DRIVER}/pool/gpu-0", "health": "Unknown"}
    ]


@scenario
async def test_each_device_has_its_own_timeout(rig: Rig) -> None:
    driver = await driver_of(rig)
    driver.devices = [
        {"device": "gpu-0", "requests": ["gpu"]},
        {"device": "gpu-1", "requests": ["gpu"]},
    ]
    await rig.running("p")
    driver.report(("gpu-0", HEALTHY, "", 5), ("gpu-1", HEALTHY, "", 100))
    assert await shows(rig, ["Healthy", "Healthy"])

    await rig.advance(6)
    assert await shows(rig, ["Unknown", "Healthy"])
    await rig.advance(93)
    assert await shows(rig, ["Unknown", "Healthy"])
    await rig.advance(2)

    assert await shows(rig, ["Unknown", "Unknown"])


@scenario
async def test_other_pods_are_left_alone(rig: Rig) -> None:
    driver = await driver_of(rig)
    await rig.running("p")
    driver.devices = [{"device": "gpu-1", "requests": ["gpu"]}]
    await rig.running("q")
    await rig.settle()
    before = await rig.pod("q")

    driver.report(("gpu-0", UNHEALTHY, "", 0))

    assert await shows(rig, ["Unhealthy"])
    assert await rig.pod("q") == before


@scenario
async def test_health_survives_a_kubelet_restart(rig: Rig) -> None:
    driver = await driver_of(rig)
    await rig.running("p")
    driver.report(("gpu-0", UNHEALTHY, "", 300))
    assert await shows(rig, ["Unhealthy"])

    await rig.kubelet.stop()
    await driver.close()
    rig.kubelet = rig.new_kubelet()
    await rig.kubelet.start()
    await rig.advance(60)
    assert await shows(rig, ["Unhealthy"])
    await rig.advance(250)

    assert await shows(rig, ["Unknown"])


@scenario
async def test_end_of_the_stream_is_the_end_of_what_is_known(rig: Rig) -> None:
    driver = await driver_of(rig)
    await rig.running("p")
    driver.report(("gpu-0", HEALTHY, "", 0))
    assert await shows(rig, ["Healthy"])

    driver.end_streams()
    assert await shows(rig, ["Unknown"])
    await rig.advance(6)
    driver.report(("gpu-0", HEALTHY, "", 0))

    assert await shows(rig, ["Healthy"])
    assert len(driver.watches) == 2


@scenario
async def test_v1alpha1_health_service_is_enough(rig: Rig) -> None:
    driver = await driver_of(rig, "v1.DRAPlugin", "v1alpha1.DRAResourceHealth")
    await rig.running("p")

    driver.report(("gpu-0", UNHEALTHY, "", 0))

    assert await shows(rig, ["Unhealthy"])
    assert driver.watches == ["v1alpha1.DRAResourceHealth"]


@scenario
async def test_resource_id_is_the_first_cdi_device(rig: Rig) -> None:
    driver = await driver_of(rig)
    driver.devices[0]["cdi"] = [driver.write_spec("one"), driver.write_spec("two")]

    await rig.running("p")

    assert (await entries(rig))[0]["resources"][0]["resourceID"] == f"{DRIVER}/device=one"


@scenario
async def test_long_message_is_cut(rig: Rig) -> None:
    driver = await driver_of(rig)
    await rig.running("p")

    driver.report(("gpu-0", UNHEALTHY, "x" * 2000, 0))
    assert await shows(rig, ["Unhealthy"])

    message = (await entries(rig))[0]["resources"][0]["message"]
    assert message == "x" * 1021 + "..."


@scenario(gates={"ResourceHealthStatus": False})
async def test_nothing_is_written_without_the_gate(rig: Rig) -> None:
    driver = await driver_of(rig)
    await rig.running("p")

    assert await entries(rig) == []
    assert driver.watches == []


@scenario(gates={"ResourceHealthStatusMessage": False})
async def test_no_message_without_its_gate(rig: Rig) -> None:
    driver = await driver_of(rig)
    await rig.running("p")
    driver.report(("gpu-0", UNHEALTHY, "too hot", 0))

    assert await shows(rig, ["Unhealthy"])
    assert "message" not in (await entries(rig))[0]["resources"][0]


@pytest.mark.parametrize("request_name", ["gpu", "other"])
@scenario
async def test_container_that_names_a_request_sees_that_one(rig: Rig, request_name: str) -> None:
    driver = await driver_of(rig)
    driver.devices.append({"device": "gpu-9", "requests": ["other"]})
    claim = await rig.allocate(await rig.create_claim("p"))
    wish = {"claims": [{"name": "gpu", "request": request_name}]}
    pod = await rig.create_pod("p", claim="p", resources=wish)
    await rig.reserve(claim, pod)
    await rig.phase("p", "Running")

    entry = (await entries(rig))[0]

    assert entry["name"] == f"claim:gpu/{request_name}"
    assert len(entry["resources"]) == 1

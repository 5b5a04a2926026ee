"""Which drivers are registered, and what happens to the slices of those that are not."""

from __future__ import annotations

import asyncio

import pytest

from conformance.reference.kubelet.registration.services import UnusablePluginError, choose
from conformance.tests.reference.kubelet.rig import NODE, Rig, scenario
from conformance.tests.reference.kubelet.scripted import ScriptedDriver

DRIVER = "d.example.com"


@pytest.mark.parametrize(
    ("supported", "plugin", "health"),
    [
        pytest.param(["v1.DRAPlugin"], "v1.DRAPlugin", "", id="v1"),
        pytest.param(["v1beta1.DRAPlugin"], "v1beta1.DRAPlugin", "", id="v1beta1-alone"),
        pytest.param(["v2.DRAPlugin", "v1.DRAPlugin"], "v1.DRAPlugin", "", id="unknown-skipped"),
        pytest.param(
            ["v1beta1.DRAPlugin", "v1.DRAPlugin"], "v1beta1.DRAPlugin", "", id="plugin-order"
        ),
        pytest.param(
            ["v1alpha1.DRAResourceHealth", "v1.DRAResourceHealth", "v1.DRAPlugin"],
            "v1.DRAPlugin",
            "v1.DRAResourceHealth",
            id="newest-health",
        ),
    ],
)
def test_services_are_chosen(supported: list[str], plugin: str, health: str) -> None:
    services = choose(supported)

    assert (services.plugin, services.health) == (plugin, health)


@pytest.mark.parametrize("supported", [[], ["1.0.0"], ["v1.DRAResourceHealth"]])
def test_plugin_without_a_known_service_is_refused(supported: list[str]) -> None:
    with pytest.raises(UnusablePluginError):
        choose(supported)


async def publish(rig: Rig, driver: str, node: str = NODE) -> None:
    await rig.client.create(
        "resourceslices",
        {
            "metadata": {"name": f"{driver}-{node}"},
            "spec": {
                "driver": driver,
                "nodeName": node,
                "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
                "devices": [],
            },
        },
    )


async def slices(rig: Rig) -> list[str]:
    items, _ = await rig.client.list("resourceslices")
    return [item["metadata"]["name"] for item in items]


@scenario
async def test_driver_that_was_there_first_is_found(rig: Rig) -> None:
    await rig.kubelet.stop()
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    assert driver.notified == []

    rig.kubelet = rig.new_kubelet()
    await rig.kubelet.start()
    await rig.settle()

    assert driver.notified == [(True, "")]
    assert rig.kubelet.drivers() == [DRIVER]


@scenario
async def test_driver_is_unregistered_when_its_socket_goes(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))

    await driver.close()
    await rig.settle()

    assert rig.kubelet.drivers() == []


@scenario
async def test_plugin_of_another_type_is_told_so(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories, kind="CSIPlugin"))

    assert driver.notified[0] == (False, "no handler registered for plugin type: CSIPlugin")
    assert rig.kubelet.drivers() == []


@scenario
async def test_driver_without_a_known_version_is_told_so(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories, services=("v9.DRAPlugin",)))

    assert driver.notified[0][0] is False
    assert "v9.DRAPlugin" in driver.notified[0][1]


@scenario
async def test_newest_of_two_instances_is_called(rig: Rig) -> None:
    old = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    new = await rig.add(ScriptedDriver(DRIVER, rig.directories, instance="-2"))

    await rig.running("p")
    assert (len(old.calls), len(new.calls)) == (0, 1)
    await new.close()
    await rig.settle()
    await rig.running("q")

    assert (len(old.calls), len(new.calls)) == (1, 1)


@scenario
async def test_slices_go_thirty_seconds_after_their_driver(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await publish(rig, DRIVER)
    await publish(rig, "other.example.com")
    await publish(rig, DRIVER, "elsewhere")
    everything = await slices(rig)

    await driver.close()
    await rig.settle()
    await rig.advance(29)
    assert await slices(rig) == everything
    await rig.advance(2)

    assert await slices(rig) == [f"{DRIVER}-elsewhere", f"other.example.com-{NODE}"]


@scenario
async def test_slices_stay_when_the_driver_returns_in_time(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await publish(rig, DRIVER)

    await driver.close()
    await rig.settle()
    await rig.advance(20)
    await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await rig.advance(60)

    assert await slices(rig) == [f"{DRIVER}-{NODE}"]


@scenario
async def test_crashed_driver_counts_as_gone_though_its_socket_stays(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await publish(rig, DRIVER)

    await driver.close(crash=True)
    # The kernel tells of the broken connection; that takes a moment which no clock counts.
    await asyncio.sleep(0.05)
    await rig.advance(31)

    assert await slices(rig) == []


@scenario
async def test_kubelet_that_starts_removes_the_slices_of_its_node_alone(rig: Rig) -> None:
    await publish(rig, DRIVER)
    await publish(rig, DRIVER, "elsewhere")

    await rig.restart_kubelet()

    assert await slices(rig) == [f"{DRIVER}-elsewhere"]

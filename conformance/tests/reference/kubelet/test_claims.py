"""Preparing and unpreparing claims, over real sockets and in virtual time."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.kubelet.registration import calls
from conformance.tests.reference.kubelet.rig import Rig, scenario
from conformance.tests.reference.kubelet.scripted import ScriptedDriver

DRIVER = "d.example.com"


def container(pod: dict[str, Any]) -> dict[str, Any]:
    return pod["status"]["containerStatuses"][0]


@scenario
async def test_pod_with_a_claim_is_prepared_runs_and_is_unprepared(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    assert driver.notified == [(True, "")]

    pod = await rig.running("p")

    assert container(pod)["ready"] is True
    uid = (await rig.client.get("resourceclaims", "p", "default"))["metadata"]["uid"]
    assert driver.methods("prepare") == [(uid,)]
    await rig.client.delete("pods", "p", "default")
    await rig.gone("p")
    assert driver.methods("unprepare") == [(uid,)]


@scenario
async def test_pre_scheduled_pod_waits_for_claim_allocation_and_reservation(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))

    pod = await rig.create_pod("p", claim="later")
    await rig.advance(25)
    assert (await rig.phase("p", "Pending"))["metadata"]["uid"] == pod["metadata"]["uid"]
    claim = await rig.create_claim("later")
    await rig.advance(25)
    claim = await rig.allocate(claim)
    await rig.advance(25)
    assert (await rig.pod("p"))["status"]["phase"] == "Pending"
    assert not driver.calls
    await rig.reserve(claim, pod)

    running = await rig.phase("p", "Running")
    assert running["metadata"]["uid"] == pod["metadata"]["uid"]


@scenario
async def test_claim_of_two_pods_is_prepared_once_and_unprepared_last(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    claim = await rig.allocate(await rig.create_claim("shared"))
    first = await rig.create_pod("a", claim="shared")
    claim = await rig.reserve(claim, first)
    await rig.phase("a", "Running")
    await rig.reserve(claim, first, await rig.create_pod("b", claim="shared"))
    await rig.phase("b", "Running")

    assert len(driver.methods("prepare")) == 1
    await rig.client.delete("pods", "a", "default")
    await rig.gone("a")
    assert driver.methods("unprepare") == []
    await rig.client.delete("pods", "b", "default")
    await rig.gone("b")
    assert len(driver.methods("unprepare")) == 1


@scenario
async def test_failed_prepare_is_tried_again(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    driver.errors += ["no", "not yet"]

    pod = await rig.running("p")

    assert len(driver.methods("prepare")) == 3
    assert container(pod)["state"].keys() == {"running"}


@scenario
async def test_missing_and_unknown_answers_are_errors(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    claim = await rig.allocate(await rig.create_claim("p"))
    driver.skip_claims = True
    pod = await rig.create_pod("p", claim="p")
    await rig.reserve(claim, pod)

    await rig.advance(15)
    message = container(await rig.pod("p"))["state"]["waiting"]["message"]
    assert message == "NodePrepareResources skipped 1 ResourceClaims"
    driver.skip_claims, driver.extra_claim = False, "nobody"
    await rig.advance(15)
    message = container(await rig.pod("p"))["state"]["waiting"]["message"]
    assert message == "NodePrepareResources returned result for unknown claim UID nobody"
    driver.extra_claim = ""
    await rig.phase("p", "Running")


@scenario
async def test_hanging_driver_is_given_up_after_its_deadline_and_asked_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "PATIENCE", 0.05)
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    driver.hang = True
    claim = await rig.allocate(await rig.create_claim("p"))
    pod = await rig.create_pod("p", claim="p")
    await rig.reserve(claim, pod)

    await rig.advance(60)
    driver.hang = False

    await rig.phase("p", "Running")
    assert len(driver.methods("prepare")) >= 2


@scenario
async def test_driver_that_is_down_stops_nobody_but_keeps_the_pod_terminating(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await rig.running("p")
    await driver.stop()
    await rig.settle()

    await rig.advance(100)
    assert (await rig.pod("p"))["status"]["phase"] == "Running"
    await rig.client.delete("pods", "p", "default")
    await rig.advance(100)
    assert (await rig.pod("p"))["status"]["phase"] == "Running"
    await rig.add(ScriptedDriver(DRIVER, rig.directories))

    await rig.gone("p")


@scenario
async def test_new_claim_of_the_same_name_waits_for_the_old_one(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await rig.running("p")
    driver.errors += ["busy"] * 3
    await rig.client.delete("pods", "p", "default", grace_period_seconds=0)
    await rig.client.delete("resourceclaims", "p", "default")

    claim = await rig.allocate(await rig.create_claim("p"))
    pod = await rig.create_pod("p", claim="p")
    await rig.reserve(claim, pod)
    await rig.advance(5)

    message = container(await rig.pod("p"))["state"]["waiting"]["message"]
    assert "same name p and different UID" in message
    await rig.phase("p", "Running")
    assert driver.methods("unprepare")


@scenario
async def test_claims_survive_a_kubelet_restart(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await rig.running("p")

    await rig.restart_kubelet()
    await rig.settle()
    assert (await rig.pod("p"))["status"]["phase"] == "Running"
    assert len(driver.methods("prepare")) == 1
    await rig.client.delete("pods", "p", "default")
    await rig.gone("p")

    assert len(driver.methods("unprepare")) == 1


@scenario
async def test_pod_deleted_while_no_kubelet_ran_is_unprepared(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await rig.running("p")

    await rig.kubelet.stop()
    await rig.client.delete("pods", "p", "default", grace_period_seconds=0)
    rig.kubelet = rig.new_kubelet()
    await rig.kubelet.start()

    async def unprepared() -> bool:
        return bool(driver.methods("unprepare"))

    await rig.until(unprepared)


@scenario
async def test_finished_pod_is_unprepared_before_it_counts_as_succeeded(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    driver.errors += ["", "not now"]
    claim = await rig.allocate(await rig.create_claim("p"))
    pod = await rig.create_pod("p", claim="p", command=["sleep", "5"])
    await rig.reserve(claim, pod)

    await rig.advance(7)
    seen = await rig.pod("p")
    assert seen["status"]["phase"] == "Running"
    assert "terminated" in container(seen)["state"]
    await rig.phase("p", "Succeeded")

    assert len(driver.methods("unprepare")) == 2


@scenario
async def test_v1beta1_only_driver_works(rig: Rig) -> None:
    driver = ScriptedDriver(DRIVER, rig.directories, services=("v1beta1.DRAPlugin",))
    await rig.add(driver)

    await rig.running("p")

    assert {service for _, service, _ in driver.calls} == {"v1beta1.DRAPlugin"}

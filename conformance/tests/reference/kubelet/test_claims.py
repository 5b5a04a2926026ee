"""Preparing and unpreparing claims, over real sockets and in virtual time."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.kubelet.pods.worker import next_sync
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
    driver.errors += ["no"]
    claim = await rig.allocate(await rig.create_claim("p"))
    await rig.reserve(claim, await rig.create_pod("p", claim="p"))

    await rig.advance(59)
    assert len(driver.methods("prepare")) == 1
    await rig.advance(32)
    assert len(driver.methods("prepare")) == 2
    assert container(await rig.phase("p", "Running"))["state"].keys() == {"running"}


@scenario
async def test_news_of_the_pod_let_a_failed_prepare_be_tried_at_once(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    driver.errors += ["no"]
    claim = await rig.allocate(await rig.create_claim("p"))
    await rig.reserve(claim, await rig.create_pod("p", claim="p"))
    await rig.advance(5)

    await rig.client.patch("pods", "p", {"metadata": {"labels": {"a": "b"}}}, "default")

    await rig.phase("p", "Running", limit=2)


@scenario
async def test_a_prepared_claim_waits_for_its_driver_as_well(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    claim = await rig.allocate(await rig.create_claim("shared"))
    first = await rig.create_pod("a", claim="shared")
    claim = await rig.reserve(claim, first)
    await rig.phase("a", "Running")
    await driver.close()
    await rig.settle()

    await rig.reserve(claim, first, await rig.create_pod("b", claim="shared"))
    await rig.advance(30)
    pod = await rig.pod("b")

    assert pod["status"]["phase"] == "Pending"
    message = container(pod)["state"]["waiting"]["message"]
    assert message == f"DRA driver {DRIVER} is not registered"
    await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await rig.phase("b", "Running")


@pytest.mark.parametrize("uid", ["", "a", "b", "0f4a1f6e-5c1e-4f0c-9f43-6a9a0d9f1f0e"])
def test_the_next_sync_comes_after_a_period_and_up_to_half_as_much_again(uid: str) -> None:
    assert 60.0 <= next_sync(uid, 60.0) < 90.0
    assert next_sync(uid, 60.0) == next_sync(uid, 60.0)


@scenario
async def test_missing_and_unknown_answers_are_errors(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    claim = await rig.allocate(await rig.create_claim("p"))
    driver.skip_claims = True
    pod = await rig.create_pod("p", claim="p")
    await rig.reserve(claim, pod)

    await rig.advance(5)
    message = container(await rig.pod("p"))["state"]["waiting"]["message"]
    assert message == "NodePrepareResources skipped 1 ResourceClaims"
    driver.skip_claims, driver.extra_claim = False, "nobody"
    await rig.advance(95)
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
    await driver.close()
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


async def templated(rig: Rig, claim: str | None) -> dict[str, Any]:
    """Create a Pod whose claim comes from a template; nobody but the test generates it."""
    spec = {
        "nodeName": "node-1",
        "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "t"}],
        "containers": [
            {"name": "c", "image": "x", "resources": {"claims": [{"name": "gpu"}]}},
        ],
    }
    pod = await rig.client.create(
        "pods", {"metadata": {"name": "p", "namespace": "default"}, "spec": spec}
    )
    if claim is not None:
        await note_claim(rig, claim)
    return pod


async def note_claim(rig: Rig, claim: str | None) -> None:
    entry = {"name": "gpu", **({"resourceClaimName": claim} if claim else {})}
    await rig.client.patch(
        "pods",
        "p",
        {"status": {"resourceClaimStatuses": [entry]}},
        "default",
        subresource="status",
    )


@scenario
async def test_pod_waits_for_its_generated_claim(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    pod = await templated(rig, None)
    await rig.advance(25)
    assert (await rig.pod("p"))["status"]["phase"] == "Pending"

    owner = {
        "apiVersion": "v1",
        "kind": "Pod",
        "name": "p",
        "uid": pod["metadata"]["uid"],
        "controller": True,
    }
    claim = await rig.create_claim("p-gpu-x", ownerReferences=[owner])
    await rig.reserve(await rig.allocate(claim), pod)
    await note_claim(rig, "p-gpu-x")

    await rig.phase("p", "Running")
    assert len(driver.methods("prepare")) == 1


@scenario
async def test_claim_that_was_made_for_somebody_else_is_refused(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    claim = await rig.allocate(await rig.create_claim("foreign"))
    await rig.reserve(claim, await templated(rig, "foreign"))

    await rig.advance(25)

    message = container(await rig.pod("p"))["state"]["waiting"]["message"]
    assert "pod is not owner" in message
    assert driver.calls == []


@scenario
async def test_pod_without_need_for_a_claim_starts(rig: Rig) -> None:
    await templated(rig, None)

    await note_claim(rig, None)

    await rig.phase("p", "Running")


@scenario
async def test_claims_of_one_pod_go_to_the_driver_in_one_call(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    claims = [await rig.allocate(await rig.create_claim(name)) for name in ("one", "two")]
    spec = {
        "nodeName": "node-1",
        "resourceClaims": [{"name": name, "resourceClaimName": name} for name in ("one", "two")],
        "containers": [{"name": "c", "image": "x"}],
    }
    pod = await rig.client.create(
        "pods", {"metadata": {"name": "p", "namespace": "default"}, "spec": spec}
    )
    for claim in claims:
        await rig.reserve(claim, pod)
    await rig.phase("p", "Running")

    assert [len(uids) for uids in driver.methods("prepare")] == [2]


@scenario
async def test_unprepare_without_an_answer_is_tried_again(rig: Rig) -> None:
    driver = await rig.add(ScriptedDriver(DRIVER, rig.directories))
    await rig.running("p")
    await rig.kubelet.stop()
    await driver.close()
    rig.kubelet = rig.new_kubelet()
    await rig.kubelet.start()

    await rig.client.delete("pods", "p", "default")
    await rig.advance(60)
    assert (await rig.pod("p"))["metadata"]["deletionTimestamp"]
    again = await rig.add(ScriptedDriver(DRIVER, rig.directories))

    await rig.gone("p")
    assert len(again.methods("unprepare")) == 1

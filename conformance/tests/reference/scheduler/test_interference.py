"""What happens when others change claims or Pods while the scheduler works on them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.kube.status import StatusError, conflict
from conformance.reference.faults.seams import Faults
from conformance.reference.scheduler.waking import retry_delay, wakes
from conformance.tests.reference.plane import (
    NAMESPACE,
    Plane,
    device_of,
    run,
    scheduled,
    waiting_device,
)


async def waiting_pod(plane: Plane) -> None:
    await plane.node("node-1")
    await plane.slice("node-1", waiting_device("gpu-0"))
    await plane.device_class()
    await plane.claim("c")
    await plane.pod("p", claim="c")
    await plane.settle()


def test_a_claim_that_was_deallocated_by_others_is_allocated_anew() -> None:
    async def scenario(plane: Plane) -> None:
        await waiting_pod(plane)
        claim = await plane.get_claim("c")
        claim["status"] = {}
        await plane.api.update_status("resourceclaims", claim)
        await plane.settle()
        assert "deallocated elsewhere" in scheduled(await plane.get_pod("p"))["message"]

        await plane.pass_time(1)
        assert device_of(await plane.get_claim("c")) == "gpu-0"

    run(scenario)


def test_a_write_that_conflicts_is_tried_again_on_the_newest_claim() -> None:
    attempts: list[str] = []

    async def saboteur(real: Any, client: Any, claim: Any) -> Any:
        attempts.append(claim["metadata"]["resourceVersion"])
        if len(attempts) == 1:
            body = {"metadata": {"labels": {"touched": "yes"}}}
            await client.patch("resourceclaims", "c", body, NAMESPACE)
        return await real(client, claim)

    async def scenario(plane: Plane) -> None:
        await waiting_pod(plane)
        claim = await plane.get_claim("c")
        assert device_of(claim) == "gpu-0"
        assert claim["metadata"]["labels"] == {"touched": "yes"}
        assert len(attempts) == 2

    run(scenario, faults=Faults({"scheduler.write_reservation": [saboteur]}))


def test_a_claim_that_keeps_changing_is_left_for_later() -> None:
    async def saboteur(_real: Any, _client: Any, claim: Any) -> Any:
        raise conflict("resourceclaims", "resource.k8s.io", claim["metadata"]["name"])

    async def scenario(plane: Plane) -> None:
        await waiting_pod(plane)
        assert scheduled(await plane.get_pod("p"))["message"] == "claim c kept changing"
        assert device_of(await plane.get_claim("c")) is None

    run(scenario, faults=Faults({"scheduler.write_reservation": [saboteur]}))


def test_devices_that_were_in_flight_are_free_after_a_refused_write() -> None:
    refused: list[str] = []

    async def saboteur(real: Any, client: Any, claim: Any) -> Any:
        if claim["metadata"]["name"] == "c":
            refused.append("c")
            raise StatusError(403, "Forbidden", "no")
        return await real(client, claim)

    async def scenario(plane: Plane) -> None:
        await waiting_pod(plane)
        await plane.claim("other")
        await plane.pod("q", claim="other")
        await plane.settle()

        assert device_of(await plane.get_claim("other")) == "gpu-0"
        assert refused

    run(scenario, faults=Faults({"scheduler.write_reservation": [saboteur]}))


def test_one_failing_claim_leaves_the_other_allocated_but_unreserved() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        await plane.slice("node-1", waiting_device("gpu-0"), waiting_device("gpu-1"))
        await plane.device_class()
        for name in ("c", "d"):
            await plane.claim(name)
        entries = [{"name": name, "resourceClaimName": name} for name in ("c", "d")]
        await plane.pod("p", resourceClaims=entries)
        await plane.settle()
        await plane.report("c", Ready="True")
        await plane.report("d", Broken="True")
        await plane.settle()

        good, bad = await plane.get_claim("c"), await plane.get_claim("d")
        assert (device_of(good), device_of(bad)) == ("gpu-0", None)
        assert not good["status"].get("reservedFor")

        await plane.pass_time(1)
        await plane.report("d", Ready="True")
        await plane.settle()
        assert (await plane.get_pod("p"))["spec"]["nodeName"] == "node-1"

    run(scenario)


def test_an_unused_allocation_on_a_lost_node_is_given_up() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-2")
        await plane.slice("node-2", "gpu-0")
        await plane.device_class()
        await plane.claim("c")
        claim = await plane.get_claim("c")
        term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["gone"]}]}
        claim["metadata"]["finalizers"] = ["resource.kubernetes.io/delete-protection"]
        claim = await plane.api.update("resourceclaims", claim)
        result = {
            "request": "req",
            "driver": "gpu.example.com",
            "pool": "gone",
            "device": "gpu-9",
        }
        claim["status"] = {
            "allocation": {
                "devices": {"results": [result]},
                "nodeSelector": {"nodeSelectorTerms": [term]},
            }
        }
        await plane.api.update_status("resourceclaims", claim)
        await plane.pod("p", claim="c")
        await plane.settle()

        assert device_of(await plane.get_claim("c")) == "gpu-0"
        assert (await plane.get_pod("p"))["spec"]["nodeName"] == "node-2"

    run(scenario)


@pytest.mark.parametrize(
    ("attempts", "delay"), [(0, 1.0), (1, 2.0), (2, 4.0), (3, 8.0), (4, 10.0), (40, 10.0)]
)
def test_retries_come_slower_and_slower(attempts: int, delay: float) -> None:
    assert retry_delay(attempts) == delay


POD: dict[str, Any] = {
    "metadata": {"name": "p", "namespace": "ns", "uid": "u"},
    "spec": {"resourceClaims": [{"name": "c", "resourceClaimName": "mine"}]},
}


def claim(name: str, namespace: str = "ns", **status: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": namespace}, "status": status}


@pytest.mark.parametrize(
    ("plural", "kind", "obj", "old", "expected"),
    [
        pytest.param("resourceclaims", "ADDED", claim("mine"), None, True, id="its-claim-comes"),
        pytest.param("resourceclaims", "ADDED", claim("other"), None, False, id="another-comes"),
        pytest.param(
            "resourceclaims", "ADDED", claim("mine", "elsewhere"), None, False, id="other-namespace"
        ),
        pytest.param(
            "resourceclaims",
            "MODIFIED",
            claim("other"),
            claim("other", allocation={}),
            True,
            id="another-is-deallocated",
        ),
        pytest.param(
            "resourceclaims",
            "MODIFIED",
            claim("mine"),
            claim("mine"),
            False,
            id="its-status-stays",
        ),
        pytest.param("pods", "DELETED", {"spec": {"nodeName": "n"}}, None, True, id="room-is-made"),
        pytest.param("pods", "DELETED", {"spec": {}}, None, False, id="a-waiting-pod-goes"),
        pytest.param(
            "nodes",
            "MODIFIED",
            {"metadata": {}, "status": {"conditions": [1]}},
            {"metadata": {}, "status": {}},
            False,
            id="node-heartbeat",
        ),
        pytest.param("deviceclasses", "DELETED", {}, {}, False, id="a-class-goes"),
        pytest.param("resourceslices", "DELETED", {}, {}, True, id="a-slice-goes"),
    ],
)
def test_events_that_are_worth_an_attempt(
    plural: str, kind: str, obj: Any, old: Any, expected: bool
) -> None:
    assert wakes(POD, plural, kind, obj, old) is expected

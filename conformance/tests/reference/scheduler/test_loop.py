"""The scheduler over real HTTP: who is placed where, who waits, what wakes whom."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.kube.status import StatusError
from conformance.tests.reference.plane import NAMESPACE, Plane, device_of, run, scheduled


async def furnish(plane: Plane, *nodes: str, devices: int = 1) -> None:
    """Set up nodes with devices, and a class for them."""
    for name in nodes:
        await plane.node(name)
        await plane.slice(name, *(f"gpu-{number}" for number in range(devices)))
    await plane.device_class()


def test_a_pod_gets_a_device_and_the_node_that_has_it() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        await furnish(plane, "node-2")
        await plane.claim("c")
        await plane.pod("p", claim="c")
        await plane.settle()

        pod, claim = await plane.get_pod("p"), await plane.get_claim("c")
        assert pod["spec"]["nodeName"] == "node-2"
        assert device_of(claim) == "gpu-0"
        assert claim["metadata"]["finalizers"] == ["resource.kubernetes.io/delete-protection"]
        assert claim["status"]["reservedFor"] == [
            {"resource": "pods", "name": "p", "uid": pod["metadata"]["uid"]}
        ]
        assert claim["status"]["allocation"]["allocationTimestamp"] == "2026-01-01T00:00:00Z"

    run(scenario)


def test_without_claims_the_first_node_that_fits_is_taken() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-b")
        await plane.node("node-a")
        await plane.pod("p")
        await plane.pod("chosen", nodeSelector={"kubernetes.io/hostname": "node-b"})
        await plane.settle()

        assert (await plane.get_pod("p"))["spec"]["nodeName"] == "node-a"
        assert (await plane.get_pod("chosen"))["spec"]["nodeName"] == "node-b"

    run(scenario)


def test_two_pods_never_get_one_device() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane, "node-1", devices=3)
        await plane.template()
        for number in range(5):
            await plane.pod(f"p{number}", template="template")
        await plane.settle()

        pods = [await plane.get_pod(f"p{number}") for number in range(5)]
        bound = [pod for pod in pods if pod["spec"].get("nodeName")]
        devices = [device_of(claim) for claim in await plane.claims() if device_of(claim)]
        assert len(bound) == 3
        assert sorted(devices) == ["gpu-0", "gpu-1", "gpu-2"]

    run(scenario)


def test_a_shared_claim_binds_every_pod_to_its_node() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        await furnish(plane, "node-2")
        await plane.claim("c")
        await plane.pod("p1", claim="c")
        await plane.pod("p2", claim="c")
        await plane.settle()

        pods = [await plane.get_pod(name) for name in ("p1", "p2")]
        assert [pod["spec"].get("nodeName") for pod in pods] == ["node-2", "node-2"]
        reserved = (await plane.get_claim("c"))["status"]["reservedFor"]
        assert [entry["name"] for entry in reserved] == ["p1", "p2"]

    run(scenario)


async def make_claim(plane: Plane) -> None:
    await plane.claim("c")


async def make_class(plane: Plane) -> None:
    await plane.device_class("late")


async def make_slice(plane: Plane) -> None:
    await plane.slice("node-1", "gpu-0")


async def make_node(plane: Plane) -> None:
    await plane.node("node-1")


async def label_node(plane: Plane) -> None:
    body = {"metadata": {"labels": {"zone": "a"}}}
    await plane.api.patch("nodes", "node-1", body)


EVERYTHING = [make_node, make_slice, make_claim]


@pytest.mark.parametrize(
    ("missing", "pod", "device_class"),
    [
        pytest.param(make_claim, {}, "gpu", id="its-claim"),
        pytest.param(make_class, {}, "late", id="the-class"),
        pytest.param(make_slice, {}, "gpu", id="devices"),
        pytest.param(make_node, {}, "gpu", id="a-node"),
        pytest.param(label_node, {"nodeSelector": {"zone": "a"}}, "gpu", id="a-label"),
    ],
)
def test_a_pod_waits_for(missing: Any, pod: dict[str, Any], device_class: str) -> None:
    async def scenario(plane: Plane) -> None:
        await plane.device_class()
        for step in EVERYTHING:
            if step is missing:
                continue
            if step is make_claim:
                await plane.claim("c", device_class=device_class)
            else:
                await step(plane)
        await plane.pod("p", claim="c", **pod)
        await plane.settle()
        before = await plane.get_pod("p")
        assert "nodeName" not in before["spec"]
        # Without its claim a Pod is not tried at all, and nothing is said of it.
        reason = None if missing is make_claim else "Unschedulable"
        assert scheduled(before).get("reason") == reason

        await missing(plane)
        await plane.settle()

        assert (await plane.get_pod("p"))["spec"]["nodeName"] == "node-1"

    run(scenario)


def test_a_freed_device_goes_to_the_pod_that_waits() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane, "node-1")
        await plane.template()
        await plane.pod("first", template="template")
        await plane.settle()
        await plane.pod("second", template="template")
        await plane.settle()
        assert "nodeName" not in (await plane.get_pod("second"))["spec"]

        await plane.finish("first")
        await plane.settle()

        assert (await plane.get_pod("second"))["spec"]["nodeName"] == "node-1"

    run(scenario)


def test_ordinary_resources_count_before_the_api_shows_them() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        requests = {"resources": {"requests": {"cpu": "5"}}}
        for name in ("a", "b"):
            await plane.pod(name, containers=[{"name": "c", "image": "i", **requests}])
        await plane.settle()

        bound = [(await plane.get_pod(name))["spec"].get("nodeName") for name in ("a", "b")]
        assert sorted(bound, key=str) == [None, "node-1"] or bound == ["node-1", None]

    run(scenario)


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({"nodeName": "node-1"}, id="that-has-a-node"),
        pytest.param({"schedulerName": "another"}, id="of-another-scheduler"),
    ],
)
def test_the_scheduler_leaves_a_pod_alone(spec: dict[str, Any]) -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane, "node-1")
        await plane.claim("c")
        await plane.pod("p", claim="c", **spec)
        await plane.settle()

        assert device_of(await plane.get_claim("c")) is None
        assert (await plane.get_pod("p"))["spec"].get("nodeName") == spec.get("nodeName")

    run(scenario)


def test_a_wrong_expression_is_an_error_that_is_tried_again() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane, "node-1")
        broken = 'device.attributes["gpu.example.com"].missing'
        claim = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {"name": "c", "namespace": NAMESPACE},
            "spec": {
                "devices": {
                    "requests": [
                        {
                            "name": "r",
                            "exactly": {
                                "deviceClassName": "gpu",
                                "selectors": [{"cel": {"expression": broken}}],
                            },
                        }
                    ]
                }
            },
        }
        await plane.api.create("resourceclaims", claim)
        await plane.pod("p", claim="c")
        await plane.settle()
        assert scheduled(await plane.get_pod("p"))["reason"] == "SchedulerError"

        await plane.api.delete("resourceslices", "slice-node-1")
        missing = {"attributes": {"missing": {"bool": True}}}
        await plane.slice("node-1", {"name": "gpu-0", **missing})
        await plane.pass_time(10)

        assert (await plane.get_pod("p"))["spec"]["nodeName"] == "node-1"

    run(scenario)


def test_the_same_seed_gives_the_same_objects() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane, "node-1", devices=2)
        await plane.template()
        for name in ("a", "b"):
            await plane.pod(name, template="template")
        await plane.settle()
        await plane.finish("a")
        await plane.settle()
        seen.append([await plane.get_pod(name) for name in ("a", "b")] + await plane.claims())

    seen: list[list[dict[str, Any]]] = []
    run(scenario, seed=7)
    run(scenario, seed=7)
    run(scenario, seed=8)

    assert seen[0] == seen[1]
    assert seen[0] != seen[2]


def test_a_pod_of_the_same_name_starts_anew() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane, "node-1")
        await plane.claim("c")
        await plane.pod("p", claim="c")
        await plane.settle()
        await plane.api.delete("pods", "p", NAMESPACE, grace_period_seconds=0)
        with pytest.raises(StatusError):
            await plane.get_pod("p")
        second = await plane.pod("p", claim="c")
        # Time for one more attempt: the claim may be deallocated just while it is reserved.
        await plane.pass_time(1)

        reserved = (await plane.get_claim("c"))["status"]["reservedFor"]
        assert [entry["uid"] for entry in reserved] == [second["metadata"]["uid"]]
        assert (await plane.get_pod("p"))["spec"]["nodeName"] == "node-1"

    run(scenario)

"""Binding conditions over real HTTP: waiting, readiness, failure, timeout, deletion."""

from __future__ import annotations

import time

from conformance.tests.reference.plane import (
    NAMESPACE,
    Plane,
    device_of,
    run,
    scheduled,
    waiting_device,
)


async def furnish(plane: Plane, *nodes: str, template: bool = False) -> None:
    for name in nodes or ("node-1",):
        await plane.node(name)
        await plane.slice(name, waiting_device("gpu-0"))
    await plane.device_class()
    if template:
        await plane.template()
    else:
        await plane.claim("c")


async def node_of(plane: Plane, pod: str) -> str | None:
    return (await plane.get_pod(pod))["spec"].get("nodeName")


def test_a_pod_is_bound_once_its_device_is_ready() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("p", claim="c")
        await plane.pass_time(300)
        assert device_of(await plane.get_claim("c")) == "gpu-0"
        assert await node_of(plane, "p") is None

        await plane.report("c", Ready="False")
        await plane.pass_time(100)
        assert await node_of(plane, "p") is None

        await plane.report("c", Ready="True")
        await plane.settle()
        assert await node_of(plane, "p") == "node-1"

    run(scenario)


def test_the_wait_ends_after_ten_minutes_of_virtual_time() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("p", claim="c")
        await plane.pass_time(599)
        assert device_of(await plane.get_claim("c")) == "gpu-0"

        began = time.perf_counter()
        await plane.pass_time(1)
        elapsed = time.perf_counter() - began

        claim = await plane.get_claim("c")
        assert device_of(claim) is None
        assert not claim.get("status", {}).get("reservedFor")
        assert scheduled(await plane.get_pod("p"))["reason"] == "SchedulerError"
        # Far below the wait; the benchmark lane measures it properly.
        assert elapsed < 5

    run(scenario)


def test_after_a_timeout_the_pod_is_scheduled_anew() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("p", claim="c")
        await plane.pass_time(61)

        claim = await plane.get_claim("c")
        assert claim["status"]["allocation"]["allocationTimestamp"] == "2026-01-01T00:01:01Z"
        await plane.report("c", Ready="True")
        await plane.settle()
        assert await node_of(plane, "p") == "node-1"

    run(scenario, timeout=60)


def test_a_failure_clears_the_allocation_and_schedules_the_pod_anew() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("p", claim="c")
        await plane.settle()
        await plane.report("c", Broken="True")
        await plane.settle()
        claim = await plane.get_claim("c")
        assert device_of(claim) is None
        assert not claim.get("status", {}).get("devices")
        assert await node_of(plane, "p") is None

        await plane.pass_time(1)
        await plane.report("c", Ready="True")
        await plane.settle()
        assert await node_of(plane, "p") == "node-1"

    run(scenario)


def test_a_waiting_pod_blocks_no_other() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("waits", claim="c")
        await plane.pod("plain")
        await plane.settle()

        assert await node_of(plane, "waits") is None
        assert await node_of(plane, "plain") == "node-1"

    run(scenario)


def test_a_deleted_pod_gives_its_device_back_at_once() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane, template=True)
        await plane.pod("first", template="template")
        await plane.settle()
        await plane.pod("second", template="template")
        await plane.settle()

        await plane.api.delete("pods", "first", NAMESPACE)
        await plane.settle()

        claims = await plane.claims()
        assert [device_of(claim) for claim in claims] == ["gpu-0"]
        assert claims[0]["metadata"]["name"].startswith("second-")

    run(scenario)


def test_a_pod_that_joins_a_shared_claim_waits_too() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("one", claim="c")
        await plane.settle()
        await plane.pod("two", claim="c")
        await plane.settle()
        assert [await node_of(plane, name) for name in ("one", "two")] == [None, None]

        await plane.report("c", Ready="True")
        await plane.settle()
        assert [await node_of(plane, name) for name in ("one", "two")] == ["node-1", "node-1"]

    run(scenario)


def test_pods_that_share_a_claim_give_up_together() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("one", claim="c")
        await plane.pass_time(30)
        await plane.pod("two", claim="c")
        await plane.pass_time(29)
        assert device_of(await plane.get_claim("c")) == "gpu-0"

        await plane.pass_time(1.1)
        claim = await plane.get_claim("c")
        assert device_of(claim) is None
        assert not claim.get("status", {}).get("reservedFor")

    run(scenario, timeout=60)


def test_with_the_gate_off_such_a_device_is_never_selected() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        await plane.slice("node-1", waiting_device("gpu-0"), "gpu-1")
        await plane.device_class()
        await plane.claim("c")
        await plane.pod("p", claim="c")
        await plane.settle()

        # The API server drops the fields, so that the device is one like any other.
        device = (await plane.api.get("resourceslices", "slice-node-1"))["spec"]["devices"][0]
        assert device == {"name": "gpu-0"}
        claim = await plane.get_claim("c")
        assert device_of(claim) == "gpu-0"
        assert "allocationTimestamp" not in claim["status"]["allocation"]

    run(scenario, gates={"DRADeviceBindingConditions": False})


def test_binds_to_node_writes_the_node_into_the_allocation() -> None:
    async def scenario(plane: Plane) -> None:
        for name in ("node-1", "node-2"):
            await plane.node(name, labels={"accelerator-type": "high-performance"})
        term = {
            "matchExpressions": [
                {"key": "accelerator-type", "operator": "In", "values": ["high-performance"]}
            ]
        }
        await plane.slice(
            "gpu-pool",
            waiting_device("gpu-1", bindsToNode=True),
            nodeSelector={"nodeSelectorTerms": [term]},
        )
        await plane.device_class()
        await plane.claim("c")
        await plane.pod("p", claim="c")
        await plane.settle()

        allocation = (await plane.get_claim("c"))["status"]["allocation"]
        fields = allocation["nodeSelector"]["nodeSelectorTerms"][0]["matchFields"]
        assert fields == [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]
        assert "nodeSelector" not in (await plane.get_pod("p"))["spec"]

    run(scenario)


def test_waits_end_whatever_the_clock_shows_when_they_begin() -> None:
    """Regression: a remainder below the clock's resolution was waited for without end."""

    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        for number in range(8):
            await plane.pass_time(0.1 + number / 7)
            await plane.pod(f"p{number}", claim="c")
            await plane.pass_time(0.001)
            assert device_of(await plane.get_claim("c")) == "gpu-0"
            await plane.pass_time(600)
            assert device_of(await plane.get_claim("c")) is None
            await plane.api.delete("pods", f"p{number}", NAMESPACE)
            await plane.pass_time(12)

    run(scenario)

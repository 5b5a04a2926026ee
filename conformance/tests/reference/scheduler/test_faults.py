"""A saboteur on a seam changes what the scheduler and the controllers do, and nothing else."""

from __future__ import annotations

from typing import Any

from conformance.reference.faults.seams import Faults
from conformance.tests.reference.plane import Plane, device_of, run, waiting_device


def fault(seam: str, saboteur: Any) -> dict[str, Any]:
    return {"faults": Faults({seam: [saboteur]})}


async def waiting_pod(plane: Plane) -> None:
    await plane.node("node-1")
    await plane.slice("node-1", waiting_device("gpu-0"))
    await plane.device_class()
    await plane.claim("c")
    await plane.pod("p", claim="c")
    await plane.settle()


def test_a_scheduler_that_does_not_wait() -> None:
    async def scenario(plane: Plane) -> None:
        await waiting_pod(plane)

        assert (await plane.get_pod("p"))["spec"]["nodeName"] == "node-1"

    run(scenario, **fault("scheduler.has_conditions", lambda _real, _claim: False))


def test_a_scheduler_that_ignores_failures() -> None:
    async def scenario(plane: Plane) -> None:
        await waiting_pod(plane)
        await plane.report("c", Broken="True")
        await plane.settle()

        assert device_of(await plane.get_claim("c")) == "gpu-0"

    run(scenario, **fault("scheduler.failed_condition", lambda _real, _claim: None))


def test_a_scheduler_that_waits_for_ever() -> None:
    async def scenario(plane: Plane) -> None:
        await waiting_pod(plane)
        await plane.pass_time(5000)

        assert device_of(await plane.get_claim("c")) == "gpu-0"

    run(scenario, **fault("scheduler.seconds_to_wait", lambda _real, _elapsed, _timeout: 100.0))


def test_a_scheduler_that_keeps_a_useless_allocation() -> None:
    async def scenario(plane: Plane) -> None:
        await waiting_pod(plane)
        await plane.report("c", Broken="True")
        await plane.settle()

        claim = await plane.get_claim("c")
        assert device_of(claim) == "gpu-0"

    def saboteur(real: Any, claim: Any, pod: Any, _useless: bool) -> Any:
        return real(claim, pod, False)

    run(scenario, **fault("scheduler.released", saboteur))


def test_a_controller_that_reserves_nothing() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        await plane.slice("node-1", "gpu-0")
        await plane.device_class()
        await plane.claim("c")
        await plane.pod("first", claim="c")
        await plane.settle()
        await plane.pod("bypasses", claim="c", nodeName="node-1")
        await plane.settle()

        reserved = (await plane.get_claim("c"))["status"]["reservedFor"]
        assert [entry["name"] for entry in reserved] == ["first"]

    run(scenario, **fault("controllers.can_reserve", lambda _real, _pod, _claim: False))

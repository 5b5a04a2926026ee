"""The pool status controller over real HTTP, in virtual time."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from conformance.kube.status import StatusError
from conformance.reference.clock import Clock
from conformance.reference.faults.seams import Faults
from conformance.tests.reference.plane import DRIVER, Plane, obj, run

GATES = {"DRAResourcePoolStatus": True}


async def ask(plane: Plane, name: str = "check", *, settle: bool = True, **spec: Any) -> None:
    request = obj("resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest", name)
    request["spec"] = {"driver": DRIVER, **spec}
    await plane.api.create("resourcepoolstatusrequests", request)
    # Retries are over after 0.16 s: a pool that is completed later comes too late.
    await (plane.settle() if settle else plane.clock.settle())


async def answer(plane: Plane, name: str = "check") -> dict[str, Any]:
    return (await plane.api.get("resourcepoolstatusrequests", name)).get("status") or {}


def test_a_request_is_answered_once() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.slice("node-1", "gpu-0", "gpu-1")
        await ask(plane)
        first = await answer(plane)
        assert first["pools"][0]["totalDevices"] == 2
        assert first["conditions"][0]["type"] == "Complete"

        await plane.slice("node-2", "gpu-0")
        await plane.pass_time(60)
        assert await answer(plane) == first

        await ask(plane, "again")
        assert (await answer(plane, "again"))["poolCount"] == 2

    run(scenario, gates=GATES)


def test_allocated_devices_are_counted() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.node("node-1")
        await plane.device_class()
        await plane.slice("node-1", "gpu-0", "gpu-1")
        await plane.claim("c")
        await plane.pod("p", claim="c")
        await plane.settle()
        await ask(plane)

        pool = (await answer(plane))["pools"][0]
        assert (pool["allocatedDevices"], pool["availableDevices"]) == (1, 1)

    run(scenario, gates=GATES)


def test_an_answered_request_is_removed_after_an_hour() -> None:
    async def scenario(plane: Plane) -> None:
        await ask(plane)
        await plane.pass_time(3599)
        assert (await answer(plane))["poolCount"] == 0

        await plane.pass_time(1)
        with pytest.raises(StatusError, match="not found"):
            await answer(plane)

    run(scenario, gates=GATES)


def test_a_pool_that_is_completed_soon_is_answered_completely() -> None:
    async def scenario(plane: Plane) -> None:
        pool = {"name": "node-1", "generation": 1, "resourceSliceCount": 2}
        await plane.slice("node-1", "gpu-0", name="one", pool=pool)
        await ask(plane, settle=False)
        assert await answer(plane) == {}

        await plane.slice("node-1", "gpu-1", name="two", pool=pool)
        await plane.pass_time(1)
        assert (await answer(plane))["pools"][0]["totalDevices"] == 2

    run(scenario, gates=GATES)


def test_a_pool_that_stays_incomplete_is_reported_so() -> None:
    async def scenario(plane: Plane) -> None:
        pool = {"name": "node-1", "generation": 1, "resourceSliceCount": 2}
        await plane.slice("node-1", "gpu-0", pool=pool)
        await ask(plane)
        await plane.pass_time(1)

        found = (await answer(plane))["pools"][0]
        assert found["validationError"].startswith("PoolIncomplete:")
        assert "totalDevices" not in found

    run(scenario, gates=GATES)


def test_what_can_not_be_calculated_is_answered_as_failed() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.slice("node-1", "gpu-0")
        await ask(plane)

        status = await answer(plane)
        assert [one["type"] for one in status["conditions"]] == ["Failed"]
        assert not status.get("pools")

    def saboteur(_real: Any, *_arguments: Any) -> Any:
        raise ValueError("no such quantity")

    run(scenario, gates=GATES, faults=Faults({"controllers.pool_status": [saboteur]}))


def test_an_answer_that_is_refused_is_dropped_after_a_few_tries() -> None:
    tries: list[float] = []

    async def scenario(plane: Plane) -> None:
        clocks.append(plane.clock)
        await plane.slice("node-1", "gpu-0")
        await ask(plane, settle=False)
        await plane.pass_time(600)

        assert await answer(plane) == {}

    def negative(real: Any, *given: Any) -> Any:
        return {**real(*given), "poolCount": -1}

    async def write(real: Any, *given: Any) -> None:
        tries.append(clocks[0].monotonic())
        await real(*given)

    clocks: list[Clock] = []
    saboteurs = {
        "controllers.request_status": [negative],
        "controllers.write_pool_status": [write],
    }
    run(scenario, gates=GATES, faults=Faults(saboteurs))

    pauses = [later - earlier for earlier, later in itertools.pairwise(tries)]
    assert pauses == pytest.approx([0.005, 0.01, 0.02, 0.04, 0.08])


def test_without_the_gate_nothing_watches_what_is_not_served() -> None:
    async def scenario(plane: Plane) -> None:
        with pytest.raises(StatusError) as caught:
            await ask(plane)
        assert caught.value.code == 404

    run(scenario)

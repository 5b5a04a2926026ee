"""Work grows at most linearly with the objects that are there: counted in calls, not in seconds.

``python -m conformance.tests.bench growth`` measures the same in processor time, up to 5 000 nodes.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from conformance.tests.reference.apiserver.rig import Rig, ask, config_map
from conformance.tests.reference.plane import Plane, run

#: What a count may exceed the rule by: a connection more, a turn of the event loop more.
_SLACK = 1.1


class Calls:
    """How many functions were called in this thread."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, _frame: FrameType, event: str, _arg: Any) -> None:
        """Count a call, of Python or of C, as the interpreter tells of it."""
        self.made += event in ("call", "c_call")


@contextmanager
def counted() -> Iterator[Calls]:
    calls, before = Calls(), sys.getprofile()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def calls_of_scheduling(nodes: int) -> float:
    """Return the calls per Pod where Pods, as many as nodes, take the one device of each."""
    made: list[int] = []

    async def scenario(plane: Plane) -> None:
        await plane.device_class()
        await plane.template()
        for number in range(nodes):
            await plane.node(f"node-{number:03}")
            await plane.slice(f"node-{number:03}", "device")
        await plane.settle()
        with counted() as calls:
            for number in range(nodes):
                await plane.pod(f"pod-{number:03}", template="template")
            await plane.settle()
        made.append(calls.made)
        pods, _ = await plane.api.list("pods")
        assert len({pod["spec"].get("nodeName", "") for pod in pods} - {""}) == nodes

    run(scenario)
    return made[0] / nodes


def calls_of_writing(objects: int) -> dict[str, int]:
    """Return the calls of each verb on one object among so many."""
    made: dict[str, int] = {}

    async def question(rig: Rig) -> None:
        for number in range(objects):
            await rig.client.create("configmaps", config_map(f"map-{number}"))
        steps = {
            "create": lambda: rig.client.create("configmaps", config_map("one")),
            "get": lambda: rig.client.get("configmaps", "one", "default"),
            "update": lambda: rig.client.update("configmaps", config_map("one", k="1")),
            "delete": lambda: rig.client.delete("configmaps", "one", "default"),
            "list": lambda: rig.client.list("configmaps", "default"),
        }
        for verb, act in steps.items():
            with counted() as calls:
                await act()
            made[verb] = calls.made

    ask(question)
    return made


def calls_of_a_write_that_is_watched(watchers: int) -> int:
    """Return the calls of a write that so many watches tell of."""
    made: list[int] = []

    async def question(rig: Rig) -> None:
        path = "/api/v1/namespaces/default/configmaps"
        watches = [rig.client.watch(path, {"resourceVersion": "1"}) for _ in range(watchers)]
        waiting = [asyncio.ensure_future(anext(watch)) for watch in watches]
        await rig.clock.settle()
        with counted() as calls:
            await rig.client.create("configmaps", config_map("one"))
            seen = await asyncio.gather(*waiting)
        made.append(calls.made)
        assert [one.type for one in seen] == ["ADDED"] * watchers

    ask(question)
    return made[0]


def test_work_for_a_pod_hardly_grows_with_the_nodes() -> None:
    few, many = calls_of_scheduling(8), calls_of_scheduling(48)

    # Two dozen calls for each node that is full already, of 20 000 for a Pod. To look at every
    # slice on each of them would be a fifth more.
    assert few < many <= _SLACK * few


def test_work_for_an_object_does_not_grow_with_the_others() -> None:
    few, many = calls_of_writing(20), calls_of_writing(200)

    for verb in ("create", "get", "update", "delete"):
        assert many[verb] <= _SLACK * few[verb], verb
    assert few["list"] < many["list"] <= 10 * few["list"]


def test_work_for_a_write_grows_at_most_linearly_with_the_watches() -> None:
    few, many = calls_of_a_write_that_is_watched(4), calls_of_a_write_that_is_watched(40)

    assert few < many <= 10 * few

"""What hangs in the thread of a cluster is named by those who wait for it."""

from __future__ import annotations

import asyncio

import pytest

from conformance.harness.errors import HarnessError
from conformance.harness.target import PLAIN
from conformance.harness.targets import bundled, loop_thread
from conformance.harness.targets.loop_thread import LoopThread
from conformance.harness.targets.opening import TargetOptions
from conformance.reference.cluster import Cluster
from conformance.reference.options import ClusterOptions


def test_work_that_hangs_is_told_with_what_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = LoopThread("the gateway", holders=lambda: ["a queue", "a driver"])
    monkeypatch.setattr(loop_thread, "_PATIENCE", 0.01)
    try:
        with pytest.raises(HarnessError) as caught:
            loop.run(asyncio.sleep(60))
    finally:
        loop.stop()

    sentence = "the gateway did not answer within 0.01 s: busy with a queue; a driver"
    assert str(caught.value) == sentence


def test_a_step_that_never_ends_names_who_holds_time_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Cluster] = []

    def noted(options: ClusterOptions) -> Cluster:
        made.append(Cluster(options))
        return made[-1]

    monkeypatch.setattr(bundled, "Reference", noted)
    target = bundled.open_target(TargetOptions(kind="bundled"))
    try:
        cluster = target.cluster(PLAIN)
        with made[0].clock.busy("a component that hangs"):
            monkeypatch.setattr(loop_thread, "_PATIENCE", 0.5)
            with pytest.raises(HarnessError, match="busy with a component that hangs"):
                cluster.time.pass_(1.0)
            monkeypatch.undo()
        cluster.time.pass_(1.0)
    finally:
        target.close()

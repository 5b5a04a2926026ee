"""The checks on the bundled reference: all pass, in any order, and nothing is left behind."""

from __future__ import annotations

import pytest

from conformance.evidence.verdict import Outcome
from conformance.harness import leftovers
from conformance.harness.target import PLAIN, Cluster
from conformance.harness.targets.bundled import BundledTarget
from conformance.harness.targets.opening import TargetOptions
from conformance.harness.timeouts import Bounds
from conformance.harness.world import World, WorldOptions
from conformance.tests.faults.running import run

AREAS = ("binding_conditions", "prescheduled", "pool_status")


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("area", AREAS)
def test_every_check_passes_in_any_order(area: str, seed: int) -> None:
    records = run([f"conformance.suite.{area}"], f"--dra-seed={seed}")

    troubles = {one.check: one.message for one in records if one.outcome is not Outcome.PASSED}
    assert records
    assert troubles == {}


def test_no_check_leaves_anything_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[str] = []
    close = BundledTarget.close

    def look_and_close(self: BundledTarget) -> None:
        for cluster in self._clusters.values():
            left.extend(_left_behind(cluster))
        close(self)

    monkeypatch.setattr(BundledTarget, "close", look_and_close)
    records = run(["conformance.suite.binding_conditions", "conformance.suite.prescheduled"])

    assert len(records) > 30
    assert left == []


def test_a_world_that_was_never_closed_is_found_and_cleaned() -> None:
    target = BundledTarget(TargetOptions())
    cluster = target.cluster(PLAIN)
    options = WorldOptions(run="crashed", bounds=Bounds(seconds={"object-served": 5}))
    world = World(cluster, options, "1").open()
    world.own_node("node")
    world.apply("prescheduled/scheduled_pod")

    found = leftovers.find_all(cluster.api, "crashed")
    troubles = leftovers.delete(cluster.api, found)

    kinds = {one.resource.kind for one in found}
    assert kinds == {"Namespace", "Node", "DeviceClass", "ResourceSlice", "ResourceClaim", "Pod"}
    assert troubles == []
    assert _left_behind(cluster) == []
    target.close()


def _left_behind(cluster: Cluster) -> list[str]:
    cluster.time.pass_(60)
    return [str(one) for one in leftovers.find_all(cluster.api)]

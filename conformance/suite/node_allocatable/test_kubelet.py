"""What the kubelet makes of resources that come from claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.attach import attached, reachable_node
from conformance.harness.observe import probe
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

pytestmark = [
    pytest.mark.needs(KUBELET, NODE_ACCESS),
    pytest.mark.variant(gates={"DRANodeAllocatableResources": True}),
]

#: Starts a Pod with these resources, with or without the claim, and returns what it reports.
Start = Callable[..., probe.Report]


@pytest.fixture
def start(world: World, taking: Any) -> Iterator[Start]:
    """Run a driver double on a node with a kubelet, and return what starts Pods there."""
    taking.node = reachable_node(world).name
    taking.claim()
    used = {"name": "mine", "resourceClaimName": "claim"}

    def run(pod: str, *, with_claim: bool, **resources: Any) -> probe.Report:
        uses = [{"name": "mine"}] * with_claim
        world.apply(
            "node_allocatable/probing_pod",
            pod=pod,
            node=taking.node,
            resources={**resources, "claims": uses},
            claims=[used] * with_claim,
            probe=probe.command(),
        )
        return probe.first(world, pod)

    with attached(world, health_version=None):
        yield run


@pytest.mark.requirement("DRA-NAR-11")
def test_limits_include_what_claims_take(world: World, taking: Any, start: Start) -> None:
    """With the claim a container may use more than its own limits, without it just those."""
    memory = {"overhead": {"perPod": "64Mi"}}
    taking.publish({"cpu": {"mapping": {"deviceMultiplier": "300m"}}, "memory": memory})
    limits = {"cpu": "200m", "memory": "64Mi"}

    seen = {
        "with": start("with", with_claim=True, limits=limits).limits,
        "without": start("without", with_claim=False, limits=limits).limits,
    }

    expect.same(seen["with"], {"memory": str(128 << 20), "cpu": "500"}, path="limits with claim")
    expect.same(seen["without"], {"memory": str(64 << 20), "cpu": "200"}, path="limits without")


@pytest.mark.requirement("DRA-NAR-12")
def test_the_oom_score_includes_memory_from_claims(world: World, taking: Any, start: Start) -> None:
    """A Pod with 1Gi from a claim is killed as readily as one that requests as much itself."""
    taking.publish({"memory": {"overhead": {"perPod": "1Gi"}}})

    claimed = start("claimed", with_claim=True, requests={"memory": "256Mi"}).oom
    requested = start("requested", with_claim=False, requests={"memory": "1280Mi"}).oom
    less = start("less", with_claim=False, requests={"memory": "256Mi"}).oom

    expect.same(claimed, requested, path="oom_score_adj with a claim")
    expect.that(
        claimed is not None and less is not None and claimed < less,
        "a lower score than without the claim",
        path="oom_score_adj",
        observed=(claimed, less),
    )

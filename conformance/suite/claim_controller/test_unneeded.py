"""A Pod runs without a claim where it was decided that it needs none."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.target import KUBELET
from conformance.harness.world import World


@pytest.mark.requirement("DRA-RCC-11")
@pytest.mark.needs(KUBELET)
def test_a_pod_runs_without_a_claim_that_it_does_not_need(world: World, controlled: Any) -> None:
    """A status entry without a name: the Pod is scheduled and its container starts."""
    world.apply("claim_controller/running_pod", command="sleep 3600", node=world.running_node())
    world.pods.stays_unscheduled("pod", for_="claims-quiet")

    controlled.note("pod", {"name": "mine"})

    world.pods.running("pod")


@pytest.mark.requirement("DRA-RCC-24")
@pytest.mark.needs(KUBELET)
def test_a_claim_stays_while_its_pod_starts_again(world: World, controlled: Any) -> None:
    """Containers that end and are started again keep the claim that was made for their Pod."""
    controlled.template()
    world.apply("claim_controller/running_pod", command="sleep 1", node=world.running_node())
    before = controlled.generated()

    def restarted() -> bool:
        rows: list[Any] = world.pods.get("pod")["status"].get("containerStatuses") or []
        return sum(row["restartCount"] for row in rows) >= 2

    world.until("the container has started again twice", restarted, bound="kubelet-retry")

    after = controlled.noted()
    expect.field(after, "metadata.uid", before["metadata"]["uid"])
    allocation = expect.at(after, "status.allocation")
    expect.that(isinstance(allocation, dict), "an allocation", path="status.allocation")

"""An admission policy that has Pods on a node go through the scheduler."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.access import permission
from conformance.harness.access.permission import Act
from conformance.harness.client import known, path_of
from conformance.harness.world import World

_GROUP = "admissionregistration.k8s.io"
_PODS = known("", "v1", "pods")

#: What the administrator of a cluster must be allowed to do for these checks.
_RIGHTS = (
    Act(verb="create", plural="mutatingadmissionpolicies", group=_GROUP),
    Act(verb="create", plural="mutatingadmissionpolicybindings", group=_GROUP),
)


@pytest.fixture
def rewriting(world: World) -> None:
    """Bind a policy that makes a node selector of spec.nodeName, and wait until it counts."""
    permission.demand(world.api, _RIGHTS)
    world.apply("prescheduled/rewriting_policy")
    pod = world.document("prescheduled/unclaimed_pod", node="a-node-of-nobody")
    path = path_of(_PODS, world.namespace)

    def counts() -> bool:
        answer = world.api.ask("POST", path, pod, query={"dryRun": "All"})
        expect.absent(answer, "spec.nodeName")
        return True

    world.until("the policy counts", counts, bound="policy-counts")


@pytest.mark.requirement("DRA-PRE-12")
@pytest.mark.parametrize(
    "position", [pytest.param(0, id="the first node"), pytest.param(1, id="the second node")]
)
def test_a_rewritten_pod_goes_through_the_scheduler(
    world: World, rewriting: None, position: int
) -> None:
    """Its claim is allocated and reserved, and it lands on the node that was asked for."""
    node = world.nodes(2)[position]
    world.apply("prescheduled/claim")
    world.apply("prescheduled/free_device")

    made = world.apply("prescheduled/waiting_pod", node=node).of("Pod")

    expect.absent(made, "spec.nodeName")
    pod = world.pods.scheduled("pod")
    expect.field(pod, "spec.nodeName", node)
    expect.present(world.claims.reserved("claim", pod), "status.allocation")

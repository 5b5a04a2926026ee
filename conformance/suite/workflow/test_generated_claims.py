"""Claims that the ResourceClaim controller makes from templates, and how long claims live."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.claims import CLAIMS
from conformance.harness.world import World

CLAIM_PATH = "ResourceClaims of the namespace"

pytestmark = pytest.mark.usefixtures("flow")


def generated(world: World, pod: str) -> dict[str, Any]:
    """Wait until a claim was made for a Pod, and return the claim."""

    def look() -> dict[str, Any]:
        name = expect.present(
            world.pods.get(pod), "status.resourceClaimStatuses[0].resourceClaimName"
        )
        return world.claims.get(name)

    return world.until(f"a claim is made for Pod {pod}", look, bound="object-served")


def names(world: World) -> list[str]:
    """Return the names of the world's claims."""
    return [one["metadata"]["name"] for one in world.api.list(CLAIMS, world.namespace)]


@pytest.mark.requirement("DRA-WF-03")
def test_a_claim_is_made_for_a_pod_with_a_template(world: World) -> None:
    """The claim has the spec of the template and belongs to the Pod, which names it."""
    template = world.apply("workflow/template").of("ResourceClaimTemplate")
    pod = world.apply("workflow/template_pod", pod="pod").of("Pod")

    claim = generated(world, "pod")

    expect.field(claim, "spec", template["spec"]["spec"])
    owner = claim["metadata"]["ownerReferences"][0]
    wanted = {"kind": "Pod", "uid": pod["metadata"]["uid"], "controller": True}
    expect.same({key: owner.get(key) for key in wanted}, wanted, path="metadata.ownerReferences[0]")


@pytest.mark.requirement("DRA-WF-25")
def test_each_pod_gets_a_claim_of_its_own(world: World) -> None:
    """Two Pods with one template have two claims, each owned by its Pod."""
    world.apply("workflow/template")
    pods = [world.apply("workflow/template_pod", pod=name).of("Pod") for name in ("one", "two")]

    claims = [generated(world, name) for name in ("one", "two")]

    owners = [claim["metadata"]["ownerReferences"][0]["uid"] for claim in claims]
    expect.same(owners, [pod["metadata"]["uid"] for pod in pods], path="metadata.ownerReferences")


@pytest.mark.requirement("DRA-WF-15a")
def test_a_claim_by_name_outlives_its_pod(world: World, flow: Any) -> None:
    """After the Pod that used it is gone, the claim is still there, and not on its way out."""
    flow.publish("device-1")
    flow.claim()
    flow.pod()
    world.pods.scheduled("pod")

    world.pods.delete("pod", grace=0)
    world.pods.gone("pod")

    world.stays("the claim is there", lambda: expect.same(names(world), ["claim"], path=CLAIM_PATH))


@pytest.mark.requirement("DRA-WF-15b")
def test_a_generated_claim_goes_with_its_pod(world: World) -> None:
    """After the Pod is gone the claim that was made for it goes, too."""
    world.apply("workflow/template")
    world.apply("workflow/template_pod", pod="pod")
    generated(world, "pod")

    world.pods.delete("pod", grace=0)
    world.pods.gone("pod")

    world.until(
        "the claim is gone",
        lambda: expect.same(names(world), [], path=CLAIM_PATH) == [],
        bound="claim-deallocated",
    )

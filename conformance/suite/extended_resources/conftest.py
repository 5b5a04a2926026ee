"""A class whose devices are an extended resource, and Pods that request it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.claims import CLAIMS
from conformance.harness.world import World


class Extended:
    """What a check of extended resources says to the cluster, in a word each."""

    def __init__(self, world: World, flow: Any) -> None:
        self.world = world
        self.flow = flow
        #: The resource that classes of the world can be given explicitly.
        self.resource = f"{world.driver}/device"
        self.device_class = f"{world.name}-extended"
        #: The resource that the world's own class has without being told so.
        self.implicit = f"deviceclass.resource.kubernetes.io/{world.device_class}"

    def serve(self, device_class: str = "", resource: str = "") -> None:
        """Create a class that serves an extended resource."""
        self.world.apply(
            "extended_resources/class",
            resource=resource or self.resource,
            **{"class": device_class or self.device_class},
        )

    def pod(self, pod: str = "pod", amount: str = "1", **more: Any) -> dict[str, Any]:
        """Create a Pod that requests so much of the resource, and return the Pod."""
        limits = {more.get("resource", self.resource): amount}
        place = more.get("place") or {}
        made = self.world.apply("extended_resources/pod", pod=pod, limits=limits, place=place)
        return made.of("Pod")

    def claim(self, pod: str = "pod") -> dict[str, Any]:
        """Wait until a Pod is scheduled, and return the claim for its extended resources."""
        placed = self.world.pods.scheduled(pod)
        path = "status.extendedResourceClaimStatus.resourceClaimName"
        return self.world.claims.get(expect.present(placed, path))

    def noted(self, pod: str = "pod") -> dict[str, Any]:
        """Wait until the Pod's status names a claim that is allocated, and return the claim."""

        def look() -> dict[str, Any]:
            path = "status.extendedResourceClaimStatus.resourceClaimName"
            name = expect.present(self.world.pods.get(pod), path)
            claim = self.world.claims.get(name)
            expect.present(claim, "status.allocation")
            return claim

        return self.world.until(f"Pod {pod} has a claim", look, bound="claim-allocated")

    def claims(self) -> list[str]:
        """Return the names of the world's claims."""
        return [
            one["metadata"]["name"] for one in self.world.api.list(CLAIMS, self.world.namespace)
        ]

    def no_claim_is_left(self) -> None:
        """Wait until the world has no claim."""
        path = "ResourceClaims of the namespace"
        self.world.until(
            "no claim is left",
            lambda: expect.same(self.claims(), [], path=path) == [],
            bound="claim-deallocated",
        )


@pytest.fixture
def extended(world: World, flow: Any) -> Extended:
    """Return the world's extended resource; no class serves it yet."""
    return Extended(world, flow)

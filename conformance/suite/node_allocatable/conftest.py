"""A node with room to reckon with, devices that take of it, and Pods that want it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.errors import Violation
from conformance.harness.world import NODES, World
from conformance.kube.status import StatusError

STATUS = "status.nodeAllocatableResourceClaimStatuses"

#: What the node has besides the world's usual 8 CPUs and 16Gi of memory.
ROOM = {"hugepages-2Mi": "64Mi"}


class Taking:
    """What a check of node allocatable resources says to the cluster, in a word each."""

    def __init__(self, world: World, flow: Any) -> None:
        self.world = world
        self.flow = flow
        self.node = ""

    def on_node(self, room: dict[str, str] | None = None) -> None:
        """Have a node that declares the feature."""
        self.node = self.world.own_node("node", room={**ROOM, **(room or {})})
        declares = {"declaredFeatures": ["DRANodeAllocatableResources"]}
        self.world.api.patch(NODES, self.node, {"status": declares}, subresource="status")

    def apply(self, topic: str, **values: Any) -> Any:
        """Create the slice of a manifest, as soon as the API server knows what the node declares.

        Admission asks a cache, which may be behind what was written.
        """

        def accepted() -> Any:
            try:
                return self.world.apply(topic, node=self.node, **values)
            except StatusError as error:
                raise Violation("the slice to be accepted", observed=str(error)) from error

        return self.world.until("the slice is accepted", accepted, bound="object-served")

    def publish(self, *taken: dict[str, Any], **more: Any) -> None:
        """Publish a device for each of these nodeAllocatableResources, on a node of our own."""
        if not self.node:
            self.on_node()
        devices = [
            {"name": f"device-{number}", "nodeAllocatableResources": one, **more}
            for number, one in enumerate(taken, 1)
        ]
        self.apply("workflow/local_slice", devices=devices)

    def claim(self, claim: str = "claim", **more: Any) -> None:
        """Create a claim for one device, or as much as ``more`` says."""
        self.flow.claim(self.flow.exactly(**more), claim=claim)

    def pod(self, pod: str = "pod", *claims: str, **more: Any) -> dict[str, Any]:
        """Create a Pod whose container uses these claims, by default the one there is."""
        names = claims or ("claim",)
        uses = [{"name": name} for name in names] if more.get("used", True) else []
        entries = [{"name": name, "resourceClaimName": name} for name in names]
        return self._pod(pod, {**more.get("resources", {}), "claims": uses}, entries, more)

    def plain(self, pod: str, **requests: str) -> dict[str, Any]:
        """Create a Pod without claims that requests so much, and is limited to it."""
        named = {name.replace("_", "-"): amount for name, amount in requests.items()}
        # Hugepages must not be requested alone.
        return self._pod(pod, {"limits": {"cpu": "1m", **named}}, [], {})

    def taken(self, pod: str = "pod") -> list[dict[str, Any]]:
        """Wait until a Pod is scheduled, and return what its status says that claims take."""
        found: list[dict[str, Any]] = expect.present(self.world.pods.scheduled(pod), STATUS)
        return found

    def _pod(self, pod: str, resources: Any, claims: Any, more: dict[str, Any]) -> dict[str, Any]:
        made = self.world.apply(
            "node_allocatable/pod",
            pod=pod,
            node=self.node,
            whole=more.get("whole"),
            resources=resources,
            claims=claims,
        )
        return made.of("Pod")


@pytest.fixture
def taking(world: World, flow: Any) -> Taking:
    """Return the world's devices that take of a node; none is published yet."""
    return Taking(world, flow)

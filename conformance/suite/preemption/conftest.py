"""A node that Pods of two priorities fill, and devices that they want."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.errors import Violation
from conformance.harness.world import NODES, World
from conformance.kube.status import StatusError

#: Most of the 8 CPUs of a node: no two Pods that request so much fit on it.
MOST = {"cpu": "6"}

#: The priorities by name. Each is below zero, where all other Pods are by default.
RANKS = {"low": -30, "middle": -20, "high": -10}


class Ranked:
    """What a check of preemption says to the cluster, in a word each."""

    most = MOST

    def __init__(self, world: World) -> None:
        self.world = world
        self.node = self.another("node")
        for rank, value in RANKS.items():
            self._rank(rank, value, "PreemptLowerPriority")

    def another(self, suffix: str) -> str:
        """Have one more node, which Pods whose place is ``anywhere`` may go to."""
        return self.world.own_node(suffix, labels=self.anywhere)

    @property
    def anywhere(self) -> dict[str, str]:
        """Return the labels by which a Pod may go to any node of the world."""
        return {"dra-conformance/nodes-of": self.world.name}

    def on(self, node: str) -> dict[str, str]:
        """Return the labels by which a Pod goes to one node."""
        return {"kubernetes.io/hostname": node}

    def peaceful(self) -> None:
        """Create a priority, as high as the highest, for the sake of which nobody is evicted."""
        self._rank("peaceful", RANKS["high"], "Never")

    def pod(self, pod: str, rank: str, *claims: str, **more: Any) -> dict[str, Any]:
        """Create a Pod of a rank that uses these claims, and return it.

        ``template`` makes one claim more for it, ``requests`` and ``limits`` are its container's,
        ``place`` says by labels where it may go, else to the node alone; ``grace`` is how long it
        may take to end, by default no time.
        """
        entries: list[Any] = [{"name": claim, "resourceClaimName": claim} for claim in claims]
        if more.get("template"):
            made = {"name": "made", "resourceClaimTemplateName": more["template"]}
            entries.append(made)
        resources = {key: more[key] for key in ("requests", "limits") if key in more}
        values: dict[str, Any] = {
            "pod": pod,
            "rank": rank,
            "grace": more.get("grace", 0),
            "place": more.get("place") or self.on(self.node),
            "resources": {**resources, "claims": [{"name": one["name"]} for one in entries]},
            "claims": entries,
        }
        return self._accepted("preemption/pod", **values).of("Pod")

    def publish_taking(self, cpus: str) -> None:
        """Publish a device of the node that stands for so many CPUs of it."""
        declares = {"declaredFeatures": ["DRANodeAllocatableResources"]}
        self.world.api.patch(NODES, self.node, {"status": declares}, subresource="status")
        taken = {"cpu": {"mapping": {"deviceMultiplier": cpus}}}
        device = {"name": "device-1", "nodeAllocatableResources": taken}
        self._accepted("workflow/local_slice", node=self.node, devices=[device])

    def allocate(self, claim: str, device: str) -> dict[str, Any]:
        """Allocate a device for a claim, as a scheduler does, and return the allocation."""
        named = {"request": "device", "driver": self.world.driver, "pool": self.world.pool}
        since = {"allocationTimestamp": "2026-01-01T00:00:00Z"}
        written = {"devices": {"results": [{**named, "device": device}]}, **since}
        changed = self.world.claims.write_status(claim, allocation=written)
        allocation: dict[str, Any] = changed["status"]["allocation"]
        return allocation

    def settled(self, pod: str, rank: str, *claims: str, **more: Any) -> dict[str, Any]:
        """Create such a Pod, wait until it has its node, and return it."""
        self.pod(pod, rank, *claims, **more)
        return self.world.pods.scheduled(pod)

    def stays(self, pod: str) -> None:
        """Watch that nobody evicts a Pod."""

        def look() -> Any:
            try:
                found = self.world.pods.get(pod)
            except StatusError as error:
                raise Violation(f"Pod {pod}", observed=str(error)) from error
            return expect.absent(found, "metadata.deletionTimestamp")

        self.world.stays(f"Pod {pod} is not evicted", look, for_="preemption-quiet")

    def leaving(self, pod: str) -> None:
        """Wait until a Pod is on its way out."""

        def look() -> Any:
            return expect.present(self.world.pods.get(pod), "metadata.deletionTimestamp")

        self.world.until(f"Pod {pod} is evicted", look, bound="pod-scheduled")

    def _rank(self, rank: str, value: int, policy: str) -> None:
        values = {"rank": rank, "value": value, "policy": policy}
        self.world.apply("preemption/priority_class", **values)

    def _accepted(self, topic: str, **values: Any) -> Any:
        """Create the object of a manifest as soon as admission lets it pass.

        Admission asks a cache, which may be behind what was written just now.
        """

        def look() -> Any:
            try:
                return self.world.apply(topic, **values)
            except StatusError as error:
                raise Violation("the object to be accepted", observed=str(error)) from error

        return self.world.until("the object is accepted", look, bound="object-served")


@pytest.fixture
def ranked(world: World) -> Ranked:
    """Return the world's priorities and its node, which is empty."""
    return Ranked(world)

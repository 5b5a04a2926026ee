"""A device, Pods that use it, and whoever taints it: a driver by its slice, or a rule."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World
from conformance.kube.objects import Object

#: The key of every taint of these checks.
KEY = "d.example/broken"


class Tainting:
    """What a check of this area says to the cluster, in a word each."""

    def __init__(self, world: World, flow: Any) -> None:
        self.world = world
        self.flow = flow
        self.node = world.own_node("taints")
        #: The slice, by what is needed to find it.
        self.slice: Object = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": f"{world.name}-slice"},
        }

    def use(self, *tolerations: Object, pod: str = "pod", claim: str = "claim") -> Object:
        """Bind a Pod with a claim of its own to the node of the check, and return the Pod."""
        more = {"tolerations": list(tolerations)} if tolerations else {}
        self.flow.claim(self.flow.exactly(**more), claim=claim)
        return self.share(pod, claim)

    def share(self, pod: str, claim: str = "claim") -> Object:
        """Bind one more Pod with a claim that is there, and return the Pod."""
        self.flow.pod(pod, claim=claim, place={"kubernetes.io/hostname": self.node})
        return self.world.pods.scheduled(pod)

    def reserve(self, claim: str, pod: Object) -> None:
        """Reserve a claim for one more Pod, as a scheduler does."""
        status = self.world.claims.get(claim).get("status") or {}
        entries = [*(status.get("reservedFor") or []), _consumer(pod)]
        self.world.claims.write_status(claim, reservedFor=entries)

    def serve_extended(self, pod: Object) -> None:
        """Serve the extended resource of a Pod on a node by the device, as a scheduler does."""
        owner = {"owner": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}
        self.world.apply("device_taints/extended_claim", **owner)
        where = {"driver": self.world.driver, "pool": self.world.pool, "device": "device-1"}
        results = [{"request": "container-0-request-0", **where}]
        self.world.claims.write_status(
            "extended", allocation={"devices": {"results": results}}, reservedFor=[_consumer(pod)]
        )
        mapping = {"containerName": "c", "requestName": "container-0-request-0"}
        told = {
            "resourceClaimName": "extended",
            "requestMappings": [{**mapping, "resourceName": "conformance.test/device"}],
        }
        where_to = "/status/extendedResourceClaimStatus"
        self.world.patch(pod, [{"op": "add", "path": where_to, "value": told}], "status")

    def taint(self, effect: str = "NoExecute", *more: Object) -> None:
        """Taint the device as its driver does; ``more`` are further taints."""
        taints = [{"key": KEY, "value": "yes", "effect": effect}, *more]
        self._write([{"op": "add", "path": "/spec/devices/0/taints", "value": taints}])

    def untaint(self) -> None:
        """Take every taint of the slice away."""
        self._write([{"op": "remove", "path": "/spec/devices/0/taints"}])

    def unpublish(self) -> None:
        """Delete the slice."""
        self.world.withdraw(self.slice)

    def rule(self, effect: str = "NoExecute", *, name: str = "rule", **spec: Any) -> Object:
        """Taint by a rule, by default every device of the driver, and return the rule."""
        selector = {"deviceSelector": {"driver": self.world.driver}}
        wanted = {"taint": {"key": KEY, "value": "yes", "effect": effect}, **(spec or selector)}
        return self.world.apply("device_taints/rule", rule=name, spec=wanted).of("DeviceTaintRule")

    def change_effect(self, rule: Object, effect: str) -> Object:
        """Give the taint of a rule another effect, and return the rule."""
        where = "/spec/taint/effect"
        return self.world.patch(rule, [{"op": "replace", "path": where, "value": effect}])

    def evicted(self, pod: str = "pod") -> Object:
        """Wait until somebody has asked for the deletion of a Pod, and return the Pod."""

        def deleted() -> Object:
            found = self.world.pods.get(pod)
            expect.present(found, "metadata.deletionTimestamp")
            return found

        return self.world.until(f"Pod {pod} is evicted", deleted, bound="pod-evicted")

    def stays(self, pod: str = "pod", *, for_: str = "stays") -> None:
        """Watch that nobody asks for the deletion of a Pod."""
        self.world.stays(
            f"Pod {pod} is not evicted",
            lambda: expect.absent(self.world.pods.get(pod), "metadata.deletionTimestamp"),
            for_=for_,
        )

    def progress(self, rule: Object, status: str) -> Object:
        """Wait until the rule says whether its eviction is in progress; return the condition."""
        return self.world.until(
            f"EvictionInProgress is {status}",
            lambda: expect.condition(self.world.read(rule), "EvictionInProgress", status),
            bound="taint-rule-status",
        )

    def _write(self, operations: list[Object]) -> None:
        self.world.patch(self.slice, operations)


def _consumer(pod: Object) -> Object:
    return {
        "resource": "pods",
        "name": pod["metadata"]["name"],
        "uid": pod["metadata"]["uid"],
    }


@pytest.fixture
def tainting(world: World, flow: Any) -> Tainting:
    """Return a world with one device that every node reaches."""
    made = Tainting(world, flow)
    flow.publish("device-1")
    return made

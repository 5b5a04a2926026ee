"""Groups, their Pods and their claims, as the checks of this area speak of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.apply import resource_for
from conformance.harness.claims import CLAIMS, NO_DEVICES, STRANGERS
from conformance.harness.client import known
from conformance.harness.nodeplugin.attach import (
    attached,
    await_unprepared,
    done,
    reachable_node,
    restart_kubelet,
)
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.world import World

GROUPS = known("scheduling.k8s.io", "v1beta1", "podgroups")

PREPARE, UNPREPARE = "NodePrepareResources", "NodeUnprepareResources"

#: Where a Pod goes that no node takes.
NOWHERE = {"dra-conformance/never": "true"}


def entry(name: str = "shared", *, template: str = "", claim: str = "") -> dict[str, Any]:
    """Return an entry of spec.resourceClaims, of a group or of a Pod."""
    if claim:
        return {"name": name, "resourceClaimName": claim}
    return {"name": name, "resourceClaimTemplateName": template or "template"}


class Grouped:
    """What a check of this area says to the cluster, and what it sees of groups."""

    entry = staticmethod(entry)

    def __init__(self, world: World) -> None:
        self.world = world

    def template(
        self, template: str = "template", wanted: Any = None, **metadata: Any
    ) -> dict[str, Any]:
        """Create a template; by default its claims ask for nothing."""
        values = {"template": template, "wanted": wanted or {}, "metadata": metadata}
        return self.world.apply("pod_groups/template", **values).of("ResourceClaimTemplate")

    def group(self, group: str = "group", *entries: Any) -> dict[str, Any]:
        """Create a group, by default with one claim from the template."""
        rows = list(entries) or [entry()]
        return self.world.apply("pod_groups/group", group=group, entries=rows).of("PodGroup")

    def pod(
        self, pod: str = "pod", *entries: Any, group: str = "group", **where: Any
    ) -> dict[str, Any]:
        """Create a Pod of a group, or of none, by default with one claim.

        ``node`` is a node that it has already, ``place`` a node selector; without either no
        node takes it. ``scheduler`` is whose business it is, ``command`` what it runs.
        """
        node = where.get("node") or ""
        values: dict[str, Any] = {
            "pod": pod,
            "membership": {"podGroupName": group} if group else None,
            "entries": list(entries) or [entry()],
            "node": node,
            "place": where.get("place", {} if node else NOWHERE),
            "scheduler": where.get("scheduler", "default-scheduler"),
            "command": where.get("command", "sleep 3600"),
        }
        return self.world.apply("pod_groups/pod", **values).of("Pod")

    def claim_for(self, group: dict[str, Any], *finalizers: str) -> dict[str, Any]:
        """Create ``claim`` as a controller makes it for a group, for its entry ``shared``."""
        metadata = {
            "name": "claim",
            "ownerReferences": [self.owner(group)],
            "annotations": {"resource.kubernetes.io/pod-claim-name": "shared"},
            "finalizers": list(finalizers),
        }
        return self.world.apply("claim_controller/claim", metadata=metadata).of("ResourceClaim")

    def owner(self, group: dict[str, Any]) -> dict[str, Any]:
        """Return the reference by which a group owns a claim."""
        kind = {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup"}
        who = {"name": group["metadata"]["name"], "uid": uid(group)}
        return {**kind, **who, "controller": True}

    def allocate(self, *holders: Any, crowded: bool = False) -> None:
        """Allocate ``claim`` without devices and reserve it for these.

        Where it is ``crowded`` so many others hold it as well that nobody can be added.
        """
        others = STRANGERS[len(holders) :] if crowded else []
        rows = [*holders, *others]
        self.world.claims.write_status("claim", allocation=NO_DEVICES, reservedFor=rows)

    def delete(self, obj: dict[str, Any]) -> None:
        """Ask for the deletion of a group or claim."""
        self.world.withdraw(obj)

    def ends(self, pod: str) -> None:
        """Say in the place of a kubelet that a Pod has ended."""
        self.world.pods.patch_status(pod, phase="Succeeded")

    def claims(self) -> list[dict[str, Any]]:
        """Return the claims of the world."""
        return self.world.api.list(CLAIMS, self.world.namespace)

    def noted(self, obj: dict[str, Any], name: str = "shared") -> dict[str, Any]:
        """Return the claim that the status of a group or Pod names; raises ``Violation``."""
        return self.world.claims.noted(self.world.read(obj), name)

    def generated(self, obj: dict[str, Any], name: str = "shared") -> dict[str, Any]:
        """Wait until a group or Pod has a claim for an entry, and return the claim."""
        return self.world.until(
            f"{obj['kind']} {obj['metadata']['name']} has a claim for {name}",
            lambda: self.noted(obj, name),
            bound="claim-deallocated",
        )

    def no_claims(self) -> None:
        """Watch that no claim is made."""
        self.world.stays(
            "there is no claim",
            lambda: expect.same(self.claims(), [], path="ResourceClaims") or True,
            for_="claims-quiet",
        )

    def reserved_for(self, claim: str, *holders: Any) -> None:
        """Wait until a claim is reserved for these, and for nobody else."""
        self.world.until(
            f"claim {claim} is reserved for {len(holders)}",
            lambda: (
                expect.same(self.holders(claim), [*map(uid, holders)], path="reservedFor") or True
            ),
            bound="claim-deallocated",
        )

    def stays_reserved_for(self, claim: str, *holders: Any) -> None:
        """Watch that a claim is reserved for these, and for nobody else."""
        self.world.stays(
            f"claim {claim} is reserved for {len(holders)}",
            lambda: (
                expect.same(self.holders(claim), [*map(uid, holders)], path="reservedFor") or True
            ),
            for_="claims-quiet",
        )

    def holder(self, group: dict[str, Any]) -> dict[str, Any]:
        """Return the row by which a claim is reserved for a group."""
        return {
            "apiGroup": "scheduling.k8s.io",
            "resource": "podgroups",
            "name": group["metadata"]["name"],
            "uid": uid(group),
        }

    def holders(self, claim: str) -> list[str]:
        """Return the uids for whom a claim is reserved."""
        rows: list[Any] = self.world.claims.get(claim).get("status", {}).get("reservedFor") or []
        return [row["uid"] for row in rows]

    def gone(self, obj: dict[str, Any], *, bound: str = "claim-deallocated") -> None:
        """Wait until an object is gone."""
        self.world.until(
            f"{obj['kind']} {obj['metadata']['name']} is gone",
            lambda: self._is_gone(obj),
            bound=bound,
        )

    def stays(self, obj: dict[str, Any]) -> None:
        """Watch that an object is there."""
        self.world.stays(
            f"{obj['kind']} {obj['metadata']['name']} is there",
            lambda: expect.that(obj["metadata"]["name"] in self._names(obj), "it is there") is None,
            for_="claims-quiet",
        )

    def _is_gone(self, obj: dict[str, Any]) -> bool:
        name = obj["metadata"]["name"]
        expect.that(name not in self._names(obj), "it is gone", path="metadata.name", observed=name)
        return True

    def _names(self, obj: dict[str, Any]) -> list[str]:
        rows = self.world.api.list(resource_for(obj), self.world.namespace)
        return [row["metadata"]["name"] for row in rows]


def uid(obj: dict[str, Any]) -> str:
    """Return the uid of an object."""
    return obj["metadata"]["uid"]


class Sharing:
    """A claim for a device of one node, which the Pods of a group share there."""

    def __init__(self, grouped: Grouped, double: DriverDouble) -> None:
        self.world = grouped.world
        self.grouped = grouped
        self.double = double
        self.node = reachable_node(self.world).name
        self.shared = entry(claim="claim")
        self.group = grouped.group("group", self.shared)
        self.uid = uid(self.world.claims.get("claim"))

    def start(self, *pods: str, command: str = "sleep 3600") -> None:
        """Create Pods of the group, one after the other, and wait until each runs."""
        for pod in pods:
            where = {"kubernetes.io/hostname": self.node}
            self.grouped.pod(pod, self.shared, place=where, command=command)
            self.world.pods.running(pod)

    def end(self, pod: str, grace: int = 1) -> None:
        """Delete a Pod and wait until it is gone."""
        self.world.pods.delete(pod, grace=grace)
        self.world.pods.gone(pod, bound="kubelet-retry")

    def restart(self) -> None:
        """Restart the kubelet of the node, and wait until it knows the driver again."""
        restart_kubelet(self.world, self.node, self.double)

    def called(self, *methods: str) -> None:
        """Expect that the kubelet has made these calls for the claim, and no other."""
        expect.same(done(self.double, self.uid), [*methods], path="calls of the kubelet")

    def stays_prepared(self) -> None:
        """Watch that nobody has the claim undone."""
        self.world.stays(
            "the claim is prepared",
            lambda: expect.that(UNPREPARE not in done(self.double, self.uid), "it is") is None,
            for_="claims-quiet",
        )

    def unprepared(self) -> None:
        """Wait until the kubelet has had the claim undone."""
        await_unprepared(self.world, self.double, self.uid)


@pytest.fixture
def sharing(grouped: Grouped, served: DriverDouble) -> Sharing:
    """Return a group whose Pods share the claim of a driver that is played here."""
    return Sharing(grouped, served)


@pytest.fixture
def sharing_everywhere(world: World, flow: Any, grouped: Grouped) -> Iterator[Sharing]:
    """Return the same, with a device that every node reaches."""
    with attached(world, health_version=None) as double:
        flow.publish("device-1")
        flow.claim()
        yield Sharing(grouped, double)


@pytest.fixture
def grouped(world: World) -> Grouped:
    """Return what this area's checks speak with."""
    return Grouped(world)

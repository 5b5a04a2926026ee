"""The world of a check as authors of workloads and of drivers see it, for several areas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.apply import resource_for
from conformance.harness.bench.bench import Bench, opened
from conformance.harness.claims import CLAIMS, NO_DEVICES, STRANGERS
from conformance.harness.nodeplugin.attach import attached, reachable_node
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.propose.proposals import Proposals
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World


class Workflow:
    """What a check of the workflow says to the cluster, in a word each."""

    def __init__(self, world: World) -> None:
        self.world = world
        world.apply("workflow/class")

    def exactly(self, **more: Any) -> dict[str, Any]:
        """Return a request for one device of the world's class."""
        name = more.pop("name", "device")
        return {"name": name, "exactly": {"deviceClassName": self.world.device_class, **more}}

    def selecting(self, expression: str) -> dict[str, Any]:
        """Return a request for one device that the CEL expression selects."""
        return self.exactly(selectors=[{"cel": {"expression": expression}}])

    def publish(self, *devices: Any, **values: Any) -> None:
        """Publish devices, given whole or by name, that every node reaches."""
        rows = [{"name": one} if isinstance(one, str) else one for one in devices]
        self.world.apply("workflow/slice", devices=rows, **{"slice": "slice", "count": 1, **values})

    def publish_on(self, node: str, *names: str) -> None:
        """Publish devices of one node."""
        self.world.apply(
            "workflow/local_slice", node=node, devices=[{"name": one} for one in names]
        )

    def claim(self, *requests: Any, claim: str = "claim", **more: Any) -> None:
        """Create a claim with these requests, by default for one device of the class."""
        wanted = {"requests": list(requests) or [self.exactly()], **more}
        self.world.apply("workflow/claim", claim=claim, wanted=wanted)

    def opaque(self, value: str, *requests: str) -> dict[str, Any]:
        """Return configuration for the world's driver, for some requests or for all."""
        named = {"requests": list(requests)} if requests else {}
        return {"opaque": {"driver": self.world.driver, "parameters": {"set": value}}, **named}

    def configured_class(self, value: str, suffix: str = "configured") -> dict[str, Any]:
        """Create a class of the driver's devices with configuration."""
        values = {"class": f"{self.world.device_class}-{suffix}", "config": [self.opaque(value)]}
        return self.world.apply("allocation/configured_class", **values).of("DeviceClass")

    def pod(self, pod: str = "pod", *, claim: str = "claim", place: Any = None) -> None:
        """Create a Pod that uses a claim."""
        self.world.apply("workflow/pod", pod=pod, claim=claim, place=place or {})

    def pod_of(self, *claims: str, pod: str = "pod", place: Any = None) -> None:
        """Create a Pod that uses several claims."""
        entries = [{"name": claim, "resourceClaimName": claim} for claim in claims]
        values = {"pod": pod, "entries": entries, "place": place or {}}
        self.world.apply("workflow/pod_of_claims", **values)

    def refused(self, pod: str = "pod", *, claims: tuple[str, ...] = ("claim",)) -> None:
        """Wait until a Pod is reported as not schedulable, and see its claims unallocated."""
        self.world.pods.unschedulable(pod)
        for claim in claims:
            self.world.claims.stays_unallocated(claim, for_="claim-refused")

    def devices(self, claim: str = "claim") -> list[str]:
        """Wait until a claim is allocated, and return the names of its devices in order."""
        allocated = self.world.claims.allocated(claim)
        results: list[Any] = allocated["status"]["allocation"]["devices"].get("results") or []
        return [result["device"] for result in results]

    def configuration(self) -> list[tuple[str, list[str] | None, str]]:
        """Wait until the claim is allocated: source, requests and value of its configuration."""
        devices = self.world.claims.allocated("claim")["status"]["allocation"]["devices"]
        return [
            (row["source"], row.get("requests"), row["opaque"]["parameters"]["set"])
            for row in devices.get("config") or []
        ]


#: Where a Pod goes that no node takes.
NOWHERE = {"dra-conformance/never": "true"}


def entry(name: str = "shared", *, template: str = "", claim: str = "") -> dict[str, Any]:
    """Return an entry of spec.resourceClaims, of a group or of a Pod."""
    if claim:
        return {"name": name, "resourceClaimName": claim}
    return {"name": name, "resourceClaimTemplateName": template or "template"}


class Grouped:
    """What a check of PodGroups says to the cluster, and what it sees of them."""

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
        return self._group(group, {"basic": {}}, rows)

    def gang(self, minimum: int, *entries: Any, group: str = "group") -> dict[str, Any]:
        """Create a group of which so many Pods are scheduled at once, or none."""
        return self._group(group, {"gang": {"minCount": minimum}}, list(entries))

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

    def unallocated(self, *pods: dict[str, Any]) -> None:
        """Watch that nothing is allocated for Pods that have been refused."""
        for pod in pods:
            self.world.pods.unschedulable(pod["metadata"]["name"])
        self.world.stays(
            "no claim is allocated",
            lambda: expect.same(self._allocated(), [], path="ResourceClaims") or True,
            for_="claim-refused",
        )

    def devices(self, *pods: dict[str, Any]) -> list[str]:
        """Wait until Pods are scheduled; return the devices of their own claims, sorted."""
        for pod in pods:
            self.world.pods.scheduled(pod["metadata"]["name"])
        results = "status.allocation.devices.results"
        rows = [row for pod in pods for row in expect.present(self.noted(pod), results)]
        return sorted(row["device"] for row in rows)

    def condition(self, group: dict[str, Any], status: str) -> dict[str, Any]:
        """Wait until it stands in the status of a group whether it was scheduled."""
        kind = "PodGroupInitiallyScheduled"
        return self.world.until(
            f"{kind} of group {group['metadata']['name']} is {status}",
            lambda: expect.condition(self.world.read(group), kind, status),
            bound="pod-scheduled",
        )

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
            lambda: self._holds(claim, holders),
            bound="claim-deallocated",
        )

    def stays_reserved_for(self, claim: str, *holders: Any) -> None:
        """Watch that a claim is reserved for these, and for nobody else."""
        self.world.stays(
            f"claim {claim} is reserved for {len(holders)}",
            lambda: self._holds(claim, holders),
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

    def one_allocated(self) -> bool:
        """Expect that exactly one claim of the world is allocated."""
        expect.same(len(self._allocated()), 1, path="ResourceClaims that are allocated")
        return True

    def _holds(self, claim: str, holders: Sequence[Any]) -> bool:
        expect.same(self.holders(claim), [*map(uid, holders)], path="reservedFor")
        return True

    def _group(self, group: str, policy: Any, entries: list[Any]) -> dict[str, Any]:
        values = {"group": group, "policy": policy, "entries": entries}
        return self.world.apply("pod_groups/group", **values).of("PodGroup")

    def _allocated(self) -> list[str]:
        rows = [one for one in self.claims() if one.get("status", {}).get("allocation")]
        return [one["metadata"]["name"] for one in rows]

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


@pytest.fixture
def flow(world: World) -> Workflow:
    """Return the world's workflow: its DeviceClass is there."""
    return Workflow(world)


@pytest.fixture
def served(world: World, flow: Workflow) -> Iterator[DriverDouble]:
    """Run a driver double with one device, and a claim for it, on a node that we reach."""
    with attached(world, health_version=None) as double:
        flow.publish_on(reachable_node(world).name, "device-1")
        flow.claim()
        yield double


@pytest.fixture
def grouped(world: World) -> Grouped:
    """Return what checks of PodGroups speak with."""
    return Grouped(world)


@pytest.fixture
def proposals(world: World) -> Proposals:
    """Return the way to ask the API server what it would say of an object."""
    return Proposals(world)


@pytest.fixture
def bench(world: World, driver: Driver) -> Iterator[Bench]:
    """Yield the bench; what is with the driver at the end is taken back."""
    with opened(world, driver) as made:
        yield made


@pytest.fixture
def life(world: World, driver: Driver) -> Life:
    """Return what a check does with the driver, step by step."""
    return Life(world, driver)

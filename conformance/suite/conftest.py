"""The world of a check as authors of workloads and of drivers see it, for several areas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.harness.bench.bench import Bench, opened
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

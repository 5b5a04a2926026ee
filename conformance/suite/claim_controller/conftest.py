"""Pods and claims as the ResourceClaim controller meets them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.claims import CLAIMS, NO_DEVICES
from conformance.harness.client import known
from conformance.harness.world import World

#: The label of a namespace where admin access may be asked for.
ADMIN_ACCESS = "resource.kubernetes.io/admin-access"

NAMESPACES = known("", "v1", "namespaces")


class Controlled:
    """What a check of this area says to the cluster, and what it sees of the controller."""

    def __init__(self, world: World) -> None:
        self.world = world

    def template(self, wanted: Mapping[str, Any] | None = None, **metadata: Any) -> dict[str, Any]:
        """Create the template; by default its claims ask for nothing."""
        values = {"wanted": wanted or {}, "metadata": metadata}
        return self.world.apply("claim_controller/template", **values).of("ResourceClaimTemplate")

    def pod(
        self, pod: str = "pod", *entries: str, node: str | None = None, claim: str | None = None
    ) -> dict[str, Any]:
        """Create a Pod with a claim from the template for each entry, or with one by name.

        ``node`` None is a Pod that no node takes.
        """
        source = (
            {"resourceClaimName": claim} if claim else {"resourceClaimTemplateName": "template"}
        )
        rows = [{"name": entry, **source} for entry in entries or ("mine",)]
        place = {} if node else {"dra-conformance/never": "true"}
        values = {"pod": pod, "entries": rows, "place": place, "node": node or ""}
        return self.world.apply("claim_controller/pod", **values).of("Pod")

    def claim(self, **metadata: Any) -> dict[str, Any]:
        """Create the claim ``claim``, which asks for nothing."""
        values = {"metadata": {"name": "claim", **metadata}}
        return self.world.apply("claim_controller/claim", **values).of("ResourceClaim")

    def used(self, *pods: str, protected: bool = False) -> list[dict[str, Any]]:
        """Allocate the claim for Pods on a node without a kubelet; return the Pods."""
        finalizers = ["resource.kubernetes.io/delete-protection"] if protected else []
        self.claim(finalizers=finalizers)
        self.world.claims.write_status("claim", allocation=NO_DEVICES)
        node = self.world.own_node("bare")
        made = [self.pod(name, node=node, claim="claim") for name in pods]
        for pod in made:
            self.world.claims.reserved("claim", pod)
        return made

    def ends(self, pod: str, phase: str = "Succeeded") -> None:
        """Say in the place of a kubelet that a Pod has ended."""
        self.world.pods.patch_status(pod, phase=phase)

    def note(self, pod: str, *entries: Mapping[str, Any]) -> None:
        """Write which claims a Pod has, in the place of the controller."""
        self.world.pods.patch_status(pod, resourceClaimStatuses=list(entries))

    def noted(self, pod: str = "pod", entry: str = "mine") -> dict[str, Any]:
        """Return the claim that a Pod's status names for an entry; raises ``Violation``."""
        return self.world.claims.noted(self.world.pods.get(pod), entry)

    def generated(self, pod: str = "pod", entry: str = "mine") -> dict[str, Any]:
        """Wait until a Pod has a claim for an entry, and return the claim."""
        return self.world.until(
            f"Pod {pod} has a claim for {entry}",
            lambda: self.noted(pod, entry),
            bound="claim-deallocated",
        )

    def names(self) -> list[str]:
        """Return the names of the world's claims."""
        return [
            one["metadata"]["name"] for one in self.world.api.list(CLAIMS, self.world.namespace)
        ]

    def gone(self, name: str) -> None:
        """Wait until a claim is gone."""
        self.world.until(
            f"claim {name} is gone",
            lambda: expect.that(name not in self.names(), "no claim", observed=name) is None,
            bound="claim-deallocated",
        )

    def consumers(self) -> list[str]:
        """Return the names of those for whom the claim is reserved."""
        rows: list[Any] = self.world.claims.get("claim")["status"].get("reservedFor") or []
        return [row["name"] for row in rows]

    def keeps_its_allocation(self) -> None:
        """Watch that the claim is there and allocated."""

        def allocated() -> Any:
            expect.that("claim" in self.names(), "the claim", path="metadata.name")
            return expect.present(self.world.claims.get("claim"), "status.allocation")

        self.world.stays("the claim is there and allocated", allocated, for_="claims-quiet")

    def reserved_for(self, *names: str) -> None:
        """Wait until the claim is reserved for these, and for nobody else."""
        self.world.until(
            f"the claim is reserved for {', '.join(names) or 'nobody'}",
            lambda: expect.same(self.consumers(), list(names), path="status.reservedFor") or True,
            bound="claim-deallocated",
        )

    def allow_admin_access(self, allowed: bool) -> None:
        """Label the namespace of the world, or take the label away."""
        labels = {ADMIN_ACCESS: "true" if allowed else None}
        body = {"metadata": {"labels": labels}}
        self.world.api.patch(NAMESPACES, self.world.namespace, body)


@pytest.fixture
def controlled(world: World) -> Controlled:
    """Return what this area's checks speak with."""
    return Controlled(world)

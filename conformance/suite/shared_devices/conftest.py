"""A shared device with one capacity, and claims for parts of it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World


class Shares:
    """What a check of this area says to the cluster."""

    def __init__(self, world: World, flow: Any) -> None:
        self.world = world
        self.flow = flow

    def device(self, name: str = "shared", **policy: Any) -> dict[str, Any]:
        """Return a device with 10Gi of memory that claims can share, under this policy."""
        capacity = {"value": "10Gi", **({"requestPolicy": policy} if policy else {})}
        return {"name": name, "allowMultipleAllocations": True, "capacity": {"memory": capacity}}

    def take(self, amount: str = "", *, claim: str = "claim", **amounts: str) -> None:
        """Create a claim for so much memory, or for these amounts, and a Pod that uses it."""
        wanted = {"memory": amount, **amounts} if amount else amounts
        more = {"capacity": {"requests": wanted}} if wanted else {}
        self.flow.claim(self.flow.exactly(**more), claim=claim)
        self.flow.pod(claim, claim=claim)

    def taken(self, claim: str = "claim") -> Any:
        """Wait until a claim is allocated, and return what it consumes."""
        allocated = self.world.claims.allocated(claim)
        return expect.at(allocated, "status.allocation.devices.results[0].consumedCapacity")

    def refused(self, claim: str = "claim") -> None:
        """See that a claim is not allocated."""
        self.flow.refused(claim, claims=(claim,))


@pytest.fixture
def shares(world: World, flow: Any) -> Shares:
    """Return the shares of the world's devices."""
    return Shares(world, flow)

"""Drivers on a node, one or several, as the checks of the kubelet play them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.claims import CLAIMS
from conformance.harness.client import known
from conformance.harness.nodeplugin.attach import (
    attach,
    attached,
    await_call,
    await_unprepared,
    done,
    drain,
    present,
    reachable_node,
    restart_kubelet,
)
from conformance.harness.nodeplugin.calls import Call
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.world import World

SLICES = known("resource.k8s.io", "v1", "resourceslices")


class OnNode:
    """What a check of this area says to a node, and what it sees there."""

    def __init__(self, world: World, flow: Any) -> None:
        self.world = world
        self.flow = flow
        self.node = reachable_node(world).name

    def double(self, *, plugin_version: str = "v1", driver: str = "") -> DriverDouble:
        """Return a driver that is not there yet."""
        return attach(self.world, driver=driver, plugin_version=plugin_version, health_version=None)

    def present(self, double: DriverDouble) -> AbstractContextManager[DriverDouble]:
        """Have a driver registered; the world's Pods go before it does."""
        return present(self.world, double)

    @contextmanager
    def offered(self, double: DriverDouble) -> Iterator[DriverDouble]:
        """Have a driver offer its registration, and serve nothing."""
        try:
            double.register()
            yield double
        finally:
            drain(self.world, double)
            double.close()

    def answered(self, double: DriverDouble, *, taken: bool) -> Call:
        """Wait until the kubelet has said to a driver whether it was taken."""
        wanted = f"registered={taken}"

        def told() -> Call | None:
            calls = double.calls.of("NotifyRegistrationStatus")
            return next((call for call in calls if call.detail == wanted), None)

        call = self.world.until(f"the kubelet says {wanted}", told, bound="plugin-registered")
        assert call is not None
        return call

    def publish(self, *devices: str) -> None:
        """Publish devices of the world's driver on the node."""
        self.flow.publish_on(self.node, *devices)

    def slices(self, driver: str = "") -> list[str]:
        """Return the names of the slices of a driver, by default of the world's."""
        wanted = driver or self.world.driver
        found = self.world.api.list(SLICES)
        return [one["metadata"]["name"] for one in found if one["spec"]["driver"] == wanted]

    def slices_gone(self) -> None:
        """Wait until the slices of the world's driver are removed."""
        self.world.until(
            "the slices of the driver are removed",
            lambda: expect.same(self.slices(), [], path="ResourceSlices of the driver") == [],
            bound="slices-wiped",
        )

    def slices_stay(self, for_: str, driver: str = "") -> None:
        """Watch that slices of a driver are there."""
        self.world.stays("the slices are there", lambda: len(self.slices(driver)) == 1, for_=for_)

    def restart_kubelet(self, *doubles: DriverDouble) -> None:
        """Restart the kubelet of the node, and wait until it knows its drivers again."""
        restart_kubelet(self.world, self.node, *doubles)

    def uid(self, claim: str = "claim") -> str:
        """Return the uid of a claim."""
        return self.world.claims.get(claim)["metadata"]["uid"]

    def done(self, double: DriverDouble, claim: str = "claim") -> list[str]:
        """Return which calls a driver has answered without an error for a claim, in order."""
        return done(double, self.uid(claim))

    def awaits(self, double: DriverDouble, method: str, **more: Any) -> Call:
        """Wait until the kubelet has made a call."""
        return await_call(self.world, double, method, bound="kubelet-retry", **more)

    def unprepared(self, double: DriverDouble, uid: str) -> None:
        """Wait until a driver has undone a claim."""
        await_unprepared(self.world, double, uid)

    def claim_gone(self, name: str) -> None:
        """Wait until a claim is gone from the API."""

        def gone() -> bool:
            claims = self.world.api.list(CLAIMS, self.world.namespace)
            return name not in [one["metadata"]["name"] for one in claims]

        self.world.until(f"claim {name} is gone", gone, bound="claim-deallocated")

    def bring_other(self) -> str:
        """Create class, slice and claim ``other`` of a second driver; return its name."""
        driver = f"other.{self.world.driver}"
        self.world.apply("kubelet/other_driver", other=driver, node=self.node)
        return driver


@pytest.fixture
def on_node(world: World, flow: Any) -> OnNode:
    """Return what this area's checks speak with."""
    return OnNode(world, flow)


@pytest.fixture
def pair(world: World, on_node: OnNode, flow: Any) -> Iterator[DriverDouble]:
    """Run a driver double with two devices on a node that we reach; no claim is there yet."""
    with attached(world, health_version=None) as double:
        on_node.publish("device-1", "device-2")
        yield double


@pytest.fixture
def other(world: World, on_node: OnNode) -> Iterator[DriverDouble]:
    """Run a second driver, with a device of its own and the claim ``other`` for it."""
    driver = on_node.bring_other()
    with attached(world, driver=driver, health_version=None) as double:
        yield double

"""A claim that the Pods of a group share on a node, as the checks of this area speak of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.attach import (
    attached,
    await_unprepared,
    done,
    reachable_node,
    restart_kubelet,
)
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.world import World

PREPARE, UNPREPARE = "NodePrepareResources", "NodeUnprepareResources"


class Sharing:
    """A claim for a device of one node, which the Pods of a group share there."""

    def __init__(self, grouped: Any, double: DriverDouble) -> None:
        self.world = grouped.world
        self.grouped = grouped
        self.double = double
        self.node = reachable_node(self.world).name
        self.shared = grouped.entry(claim="claim")
        self.group = grouped.group("group", self.shared)
        self.uid = self.world.claims.get("claim")["metadata"]["uid"]

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
def sharing(grouped: Any, served: DriverDouble) -> Sharing:
    """Return a group whose Pods share the claim of a driver that is played here."""
    return Sharing(grouped, served)


@pytest.fixture
def sharing_everywhere(world: World, flow: Any, grouped: Any) -> Iterator[Sharing]:
    """Return the same, with a device that every node reaches."""
    with attached(world, health_version=None) as double:
        flow.publish("device-1")
        flow.claim()
        yield Sharing(grouped, double)

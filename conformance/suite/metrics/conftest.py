"""The metrics of a cluster, component by component."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.harness.nodeplugin.attach import reachable_node
from conformance.harness.observe.metrics import Metrics
from conformance.harness.target import CONTROLLER_MANAGER, KUBELETS, SCHEDULER
from conformance.harness.world import World


class Readings:
    """Reads the metrics of components, and waits until they say something."""

    def __init__(self, world: World) -> None:
        self.world = world

    def kubelet(self) -> Metrics:
        """Return what the kubelet tells on whose node the driver double runs."""
        return self._read(KUBELETS + reachable_node(self.world).name)

    def manager(self) -> Metrics:
        """Return what kube-controller-manager tells."""
        return self._read(CONTROLLER_MANAGER)

    def scheduler(self) -> Metrics:
        """Return what kube-scheduler tells."""
        return self._read(SCHEDULER)

    def until(self, what: str, holds: Callable[[], object]) -> None:
        """Wait until the metrics say so."""
        self.world.until(what, holds, bound="metric-moved")

    def _read(self, component: str) -> Metrics:
        return Metrics.read(self.world.cluster.metrics(component))


@pytest.fixture
def readings(world: World) -> Readings:
    """Return the metrics of the cluster."""
    return Readings(world)

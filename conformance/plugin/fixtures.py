"""What a check may ask for: a world, and the cluster that it lies in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from conformance.harness.programs.component import Component
from conformance.harness.programs.consumer import Consumer
from conformance.harness.subject.protocol import Driver, DriverHost, Wanted
from conformance.harness.target import Cluster
from conformance.harness.world import World
from conformance.plugin.judge import JUDGE


def plugin(config: pytest.Config) -> Any:  # noqa: ARG001 - every part is made with the config
    """Return what is registered with pytest: this module."""
    return sys.modules[__name__]


@pytest.fixture
def cluster(request: pytest.FixtureRequest) -> Cluster:
    """Return the cluster in the variant that the check asks for."""
    return request.config.stash[JUDGE].cluster(request.node)


@pytest.fixture
def world(request: pytest.FixtureRequest, cluster: Cluster) -> Iterator[World]:
    """Yield a world of the check's own; what it created goes when the check is over."""
    made = request.config.stash[JUDGE].world(request.node, cluster)
    try:
        yield made.open()
    finally:
        made.close()


@pytest.fixture
def driver(request: pytest.FixtureRequest, world: World) -> Iterator[Driver]:
    """Yield the driver that is judged, configured as the check's ``driver`` marker wants it."""
    marker = request.node.get_closest_marker("driver")
    wanted = Wanted(**marker.kwargs) if marker else Wanted()
    with request.config.stash[JUDGE].host.drive(world, wanted) as judged:
        yield judged


@pytest.fixture
def host(request: pytest.FixtureRequest) -> DriverHost:
    """Return whoever provides the driver, for checks that start it themselves."""
    return request.config.stash[JUDGE].host


@pytest.fixture
def consumer(request: pytest.FixtureRequest, cluster: Cluster) -> Consumer:
    """Return the consumer of device metadata that is judged."""
    return request.config.stash[JUDGE].consumer(cluster)


@pytest.fixture
def component(request: pytest.FixtureRequest) -> Component:
    """Return a component that can be started with feature gates."""
    return request.config.stash[JUDGE].component()

"""What a check may ask for: a world, and the cluster that it lies in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

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

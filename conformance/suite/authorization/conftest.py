"""Those who act beside the administrator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conformance.harness.access import permission
from conformance.harness.access.people import People
from conformance.harness.world import World


@pytest.fixture(scope="session")
def permitted() -> set[str]:
    """Return the servers that let the administrator do what these checks do."""
    return set()


@pytest.fixture
def people(world: World, permitted: set[str]) -> Iterator[People]:
    """Yield everybody else; a target whose administrator may not create roles is told so."""
    if world.api.server not in permitted:
        permission.demand(world.api, permission.RIGHTS)
        permitted.add(world.api.server)
    everybody = People(world)
    yield everybody
    everybody.close()

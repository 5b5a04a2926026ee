"""Those who act beside the administrator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conformance.harness.access import permission
from conformance.harness.access.people import People
from conformance.harness.world import World


@pytest.fixture
def people(world: World) -> Iterator[People]:
    """Yield everybody else; a target whose administrator may not create roles is told so."""
    permission.demand(world.api, permission.RIGHTS)
    everybody = People(world)
    yield everybody
    everybody.close()

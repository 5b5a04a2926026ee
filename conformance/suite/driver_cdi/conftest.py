"""The driver on the bench, and the specs of a claim that it has prepared."""

from __future__ import annotations

import pytest

from conformance.harness.bench import cdi
from conformance.harness.bench.bench import Bench


@pytest.fixture
def specs(bench: Bench) -> list[cdi.Spec]:
    """Return the specs that describe the devices of a prepared claim."""
    answer = bench.prepared(bench.simple())
    return cdi.standing(bench.folder.read(), answer)

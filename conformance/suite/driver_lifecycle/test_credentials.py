"""What the driver is known by at the API server is replaced while it runs."""

from __future__ import annotations

import pytest

from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import credentials
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-DLC-30")
def test_another_token_is_taken_up(bench: Bench) -> None:
    """After its token was replaced and the old one has ended, it prepares claims and publishes."""
    before = credentials.at_rest(bench)
    with credentials.replaced(bench) as turn:
        claim = bench.simple()

        credentials.prepares(bench, claim, turn)

        credentials.publishes(bench, before, turn)

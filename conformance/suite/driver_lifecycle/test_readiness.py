"""What a kubelet hears that asks the driver whether it is ready: work may be sent to it then."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import readiness
from conformance.harness.target import DISTURBANCE, NODE_ACCESS

pytestmark = [pytest.mark.needs(NODE_ACCESS), pytest.mark.driver(features=("readiness",))]


@pytest.mark.requirement("DRA-DLC-27")
@pytest.mark.needs(DISTURBANCE)
@pytest.mark.parametrize(
    "before",
    [
        pytest.param(readiness.settled, id="at-rest"),
        pytest.param(readiness.published_late, id="published-late"),
        pytest.param(readiness.taken_again, id="refused-and-taken"),
    ],
)
def test_a_driver_that_can_be_used_is_ready(
    bench: Bench, before: Callable[[Bench], object]
) -> None:
    """A driver that is registered and whose slices are published is ready, again and again."""
    before(bench)

    readiness.reported(bench)


@pytest.mark.requirement("DRA-DLC-28")
@pytest.mark.needs(DISTURBANCE)
def test_readiness_follows_publication(bench: Bench) -> None:
    """A driver is not ready whose devices no scheduler can see yet."""
    before = readiness.stood_on(bench)

    with readiness.unpublished(bench, before):
        readiness.never(bench)


@pytest.mark.requirement("DRA-DLC-29")
def test_readiness_follows_registration(bench: Bench) -> None:
    """A driver is not ready that no kubelet has taken."""
    readiness.stood_on(bench)

    with readiness.unregistered(bench):
        readiness.given_up(bench)

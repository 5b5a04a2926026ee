"""What a kubelet hears that probes the driver, to start it again where it is dead."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import lifecycle, liveness
from conformance.harness.kubeletside.probing import SERVING
from conformance.harness.target import API_AWAY, NODE_ACCESS

pytestmark = [pytest.mark.needs(NODE_ACCESS), pytest.mark.driver(features=("liveness",))]

STATUS = "HealthCheckResponse.status"


@pytest.mark.requirement("DRA-ADM-07a")
def test_a_health_service_is_exposed(bench: Bench) -> None:
    """Where the driver says that its health socket is, a health service answers."""
    liveness.exposed(bench)


@pytest.mark.requirement("DRA-DLC-22")
def test_a_driver_that_serves_is_alive(bench: Bench) -> None:
    """A driver that a kubelet can use is not started again."""
    liveness.served(bench)


@pytest.mark.requirement("DRA-DLC-23")
@pytest.mark.parametrize("socket", liveness.SOCKETS)
def test_a_driver_that_cannot_be_reached_is_not_alive(bench: Bench, socket: str) -> None:
    """A driver whose socket is gone is dead for every kubelet, and a restart mends that."""
    with liveness.without_socket(bench, socket):
        said = liveness.says(bench)

    expect.that(said != SERVING, "no SERVING", path=STATUS, observed=said)


@pytest.mark.requirement("DRA-DLC-24")
def test_a_service_that_it_does_not_have_is_not_found(bench: Bench) -> None:
    """A typing error in a chart is no sign of life."""
    liveness.alive(bench)

    said = liveness.says(bench, liveness.STRANGER)

    expect.that(said.startswith("NOT_FOUND"), "NOT_FOUND", path="Health.Check", observed=said)


@pytest.mark.requirement("DRA-DLC-25")
@pytest.mark.needs(API_AWAY)
def test_an_absence_of_the_api_server_is_no_death(bench: Bench) -> None:
    """No driver is started again since nobody reaches the API server."""
    liveness.alive(bench)

    with lifecycle.without_api(bench):
        said = liveness.says(bench)

    expect.same(said, SERVING, path=STATUS)

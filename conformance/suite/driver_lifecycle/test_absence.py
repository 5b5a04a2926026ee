"""What a driver relies on goes away for a while."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import lifecycle
from conformance.harness.target import API_AWAY, NODE_ACCESS, OWN_NODE

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-DLC-14")
@pytest.mark.needs(API_AWAY)
def test_an_absence_of_the_api_server_is_survived(bench: Bench) -> None:
    """Once the API server is back, claims are prepared, and the slices are as they should be."""
    claim = bench.simple()
    with lifecycle.without_api(bench):
        lifecycle.asked_meanwhile(bench, claim)

    lifecycle.served_again(bench, claim)
    lifecycle.published_again(bench)


@pytest.mark.requirement("DRA-DLC-15")
@pytest.mark.needs(API_AWAY)
def test_claims_are_undone_without_the_api_server(bench: Bench) -> None:
    """A claim that is prepared can be undone while nobody reaches the API server."""
    claim = bench.simple()
    bench.prepared(claim)
    with lifecycle.without_api(bench):
        error = bench.unprepare(claim).error

    expect.same(error, "", path="NodeUnprepareResourcesResponse.claims[].error")


@pytest.mark.requirement("DRA-DLC-21")
def test_another_inventory_is_published(bench: Bench) -> None:
    """A device that comes or goes shows in the slices, without a restart of the driver."""
    before = lifecycle.inventory_of(bench)

    bench.driver.change_inventory()

    lifecycle.other_inventory(bench, before)


@pytest.mark.requirement("DRA-DLC-16")
def test_a_pause_is_survived(bench: Bench) -> None:
    """A driver that was stopped in its tracks goes on where it was."""
    claim = bench.simple()

    lifecycle.goes_on_after_a_pause(bench, claim)


@pytest.mark.requirement("DRA-DLC-17")
@pytest.mark.needs(OWN_NODE)
def test_a_claim_that_cannot_be_described_is_refused(bench: Bench) -> None:
    """Where no CDI spec can be written the claim is answered by an error, and prepared later."""
    claim = bench.simple()
    lifecycle.describes(bench)
    with lifecycle.unwritable(bench):
        error = bench.refusal(claim)

    expect.that(bool(error), "an error while no CDI spec can be written", observed="no error")
    lifecycle.served_again(bench, claim)

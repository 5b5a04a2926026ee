"""Calls and claims as they are seldom seen, all of them legal."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import forms
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.handmade import REQUEST
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)

PREPARED = "NodePrepareResourcesResponse.claims[]"


@pytest.mark.requirement("DRA-DST-22")
@pytest.mark.parametrize(
    "form",
    [
        pytest.param("nothing-allocated", id="nothing-allocated"),
        pytest.param("devices-of-others-alone", id="devices-of-others-alone"),
        pytest.param("reserved-for-nobody", id="reserved-for-nobody"),
        pytest.param("reserved-for-two-pods", id="reserved-for-two-pods"),
        pytest.param("reserved-for-what-is-no-pod", id="reserved-for-what-is-no-pod"),
    ],
)
def test_an_unusual_claim_is_survived(bench: Bench, form: str) -> None:
    """Whatever the driver makes of such a claim, the next one is prepared."""
    unusual = forms.unusual(bench, form)
    bench.refusal(unusual)
    bench.unprepare(unusual)
    bench.delete(unusual)

    answer = bench.prepare(bench.simple("next"))

    expect.same(bench.driver.ended(), "", path="the driver")
    expect.same(answer.error, "", path=f"{PREPARED}.error of the next claim")


@pytest.mark.requirement("DRA-DST-23")
def test_a_call_without_claims_is_answered(bench: Bench) -> None:
    """No claims bring no entries, and no error."""
    prepared = bench.prepare_all([])
    undone = bench.unprepare_all([])

    expect.same((prepared, undone), ([], []), path=PREPARED)


@pytest.mark.requirement("DRA-DST-25")
def test_a_subrequest_is_prepared_for_its_request(bench: Bench) -> None:
    """The kubelet finds the device by the request that a container names."""
    claim = forms.of_a_subrequest(bench)

    answer = bench.prepare(claim)

    expect.same(answer.error, "", path=f"{PREPARED}.error")
    requests = sorted({request for one in answer.devices for request in one.requests})
    expect.same(requests, [REQUEST], path=f"{PREPARED}.devices[].request_names")

"""Calls and claims as they are seldom seen, all of them legal."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import forms
from conformance.harness.bench.bench import Bench, answered
from conformance.harness.bench.handmade import REQUEST
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)

PREPARED = "NodePrepareResourcesResponse.claims[]"
UNDONE = "NodeUnprepareResourcesResponse.claims[]"


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


@pytest.mark.requirement("DRA-DST-31")
def test_each_device_is_prepared_for_its_own_request(bench: Bench) -> None:
    """Of two requests a container may name one, and wants the devices of that one alone."""
    claim, requests = forms.of_two_requests(bench)

    answer = bench.prepare(claim)

    expect.same(answer.error, "", path=f"{PREPARED}.error")
    found = {one.name: sorted(one.requests) for one in answer.devices}
    expect.same(found, requests, path=f"{PREPARED}.devices[].request_names by device")


@pytest.mark.requirement("DRA-DST-30")
def test_admin_access_goes_beside_use(bench: Bench) -> None:
    """A device in use is prepared for an administrator as well, and stays in use."""
    place = bench.unshared()
    used = bench.claim("used", place)
    before = bench.prepared(used)
    administration = forms.of_an_administrator(bench, place)

    answer = bench.prepare(administration)

    expect.same(answer.error, "", path=f"{PREPARED}.error of the claim with admin access")
    expect.same(bench.unprepare(administration).error, "", path=f"{UNDONE}.error")
    expect.same(answered(bench.prepare(used)), answered(before), path="the claim of the user")

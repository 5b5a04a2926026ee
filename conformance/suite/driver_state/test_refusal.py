"""What a driver must not prepare, and what must not keep it from preparing the rest."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.bench import forms
from conformance.harness.bench.bench import Bench, answered
from conformance.harness.bench.handmade import CONFIG, DEVICE, REQUEST
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)

ERROR = "NodePrepareResourcesResponse.claims[].error"

#: Claims that no driver can prepare.
HOPELESS = [
    pytest.param("unknown_device", id="device-that-the-driver-does-not-have"),
    pytest.param("unallocated", id="not-allocated"),
    pytest.param("gone", id="deleted"),
]


@pytest.mark.requirement("DRA-DST-09")
@pytest.mark.parametrize("kind", HOPELESS)
def test_what_cannot_be_prepared_is_an_error(bench: Bench, kind: str) -> None:
    """The driver says why it does not prepare a claim, and goes on."""
    claim: dict[str, Any] = getattr(bench, kind)("claim")

    why = bench.refusal(claim)

    expect.that(why != "", "an error for the claim", path=ERROR, observed="none")
    expect.same(bench.driver.ended(), "", path="the driver")


@pytest.mark.requirement("DRA-DST-27")
def test_a_device_is_not_taken_from_another_pool(bench: Bench) -> None:
    """A device that has the name of one of the driver's, in a pool that it lacks, is an error."""
    claim = bench.unknown_pool("claim")

    why = bench.refusal(claim)

    expect.that(why != "", "an error for the pool", path=ERROR, observed="none")


@pytest.mark.requirement("DRA-DST-08")
@pytest.mark.parametrize("kind", HOPELESS)
def test_a_failure_leaves_nothing_behind(bench: Bench, kind: str) -> None:
    """After a preparation that failed the CDI specs are what they were."""
    before = bench.settled()
    claim: dict[str, Any] = getattr(bench, kind)("claim")

    bench.refused(claim)

    expect.same(bench.left_of_failure(before, claim), [], path="CDI specs")


@pytest.mark.requirement("DRA-DST-06")
def test_a_device_has_one_claim(bench: Bench) -> None:
    """A second claim for a prepared device is refused, and the first goes on as it was."""
    place = bench.unshared()
    first, second = bench.claim("first", place), bench.claim("second", place)
    prepared = bench.prepared(first)

    why = bench.refusal(second)

    expect.that(why != "", "an error for the second claim", path=ERROR, observed="none")
    expect.same(answered(bench.prepare(first)), answered(prepared), path="the first claim")


@pytest.mark.requirement("DRA-DST-06")
def test_a_device_has_one_claim_after_a_restart(bench: Bench) -> None:
    """A driver that was started again knows which devices are prepared."""
    place = bench.unshared()
    first, second = bench.claim("first", place), bench.claim("second", place)
    bench.prepared(first)
    bench.restart("terminate")

    why = bench.refusal(second)

    expect.that(why != "", "an error for the second claim", path=ERROR, observed="none")


@pytest.mark.requirement("DRA-DST-06")
def test_a_device_has_one_claim_of_two_at_one_time(bench: Bench) -> None:
    """Of two claims with one device that come at one time, one at least is refused."""
    place = bench.unshared()
    claims = [bench.claim("first", place), bench.claim("second", place)]

    reasons = bench.refusals_at_once(claims)

    expect.that(any(reasons), "an error for one of both claims", path=ERROR, observed="none")


@pytest.mark.requirement("DRA-DST-07")
def test_a_changed_allocation_is_refused(bench: Bench) -> None:
    """A prepared claim that has other devices now must be undone before it gets them."""
    one, other = bench.devices(2)
    claim = bench.claim("claim", one)
    bench.prepared(claim)

    why = bench.refusal(bench.reallocate(claim, other))

    expect.that(why != "", "an error for the changed claim", path=ERROR, observed="none")


@pytest.mark.requirement("DRA-DST-10")
def test_one_failure_is_no_failure_of_others(bench: Bench) -> None:
    """In one call a claim is prepared, and another that can't be gets an error."""
    hopeless = bench.unknown_device("bad")
    bench.refused(hopeless)

    good, bad = bench.prepare_all([bench.simple("good"), hopeless])

    expect.same(good.error, "", path=f"{ERROR} of the claim that is in order")
    expect.that(bad.error != "", "an error for the other claim", path=ERROR, observed="none")


@pytest.mark.requirement("DRA-DST-10")
def test_wrong_configuration_is_no_failure_of_others(bench: Bench) -> None:
    """In one call a claim is prepared, and another with wrong configuration gets an error."""
    place, other = bench.devices(2)
    nonsense = forms.told_nonsense(bench, "bad", other)
    bench.refused(nonsense)

    good, bad = bench.prepare_all([bench.claim("good", place), nonsense])

    expect.same(good.error, "", path=f"{ERROR} of the claim that is in order")
    expect.that(bad.error != "", "an error for the other claim", path=ERROR, observed="none")


@pytest.mark.requirement("DRA-DST-24")
def test_unknown_configuration_is_refused(bench: Bench) -> None:
    """What a user asks for and the driver does not know is an error, not an oversight."""
    claim = forms.told_nonsense(bench, "claim", bench.devices(1)[0])

    why = bench.refusal(claim)

    expect.that(why != "", "an error for the configuration", path=ERROR, observed="none")


@pytest.mark.requirement("DRA-DST-32")
def test_who_is_refused_learns_what_is_unknown(bench: Bench) -> None:
    """The error for unknown configuration names its kind, its version or its field."""
    claim = forms.told_nonsense(bench, "claim", bench.devices(1)[0])
    bench.refused(claim)

    why = bench.refusal(claim)

    words = [str(forms.UNKNOWN[name]) for name in ("apiVersion", "kind")]
    expect.that(
        any(word in why for word in (*words, "noSuchField")),
        "what the driver does not know by its name",
        path=ERROR,
        observed=why,
    )


@pytest.mark.requirement("DRA-DST-33")
@pytest.mark.parametrize("mistake", sorted(forms.MISTAKES))
def test_known_configuration_is_read_strictly(bench: Bench, mistake: str) -> None:
    """Parameters that the driver takes are refused with a field that it does not have."""
    place, parameters = bench.devices(1)[0], forms.known_parameters(bench)
    right = forms.told(bench, "right", place, parameters)
    bench.prepared(right)
    bench.unprepared(right)

    why = bench.refusal(forms.told(bench, "wrong", place, forms.mistyped(parameters, mistake)))

    expect.that(why != "", "an error for the field", path=ERROR, observed="none")


@pytest.mark.requirement("DRA-DST-17")
def test_a_late_call_brings_nothing_back(bench: Bench) -> None:
    """A claim that was undone and deleted is an error, and leaves nothing."""
    before = bench.settled()
    claim = bench.simple()
    answer = bench.prepared(claim)
    bench.unprepared(claim)
    bench.delete(claim)

    why = bench.refusal(claim)

    expect.that(why != "", "an error for the claim that is gone", path=ERROR, observed="none")
    expect.same(bench.folder.read().left(before, claim, answer), [], path="CDI specs")


@pytest.mark.requirement("DRA-DST-12")
def test_devices_of_other_drivers_are_left_alone(bench: Bench) -> None:
    """A claim may have devices of several drivers: each prepares its own."""
    (place,) = bench.devices(1)
    claim = bench.claim("claim", place, stranger=DEVICE)

    answer = bench.prepare(claim)

    expect.same(answer.error, "", path=ERROR)
    requests = sorted({request for one in answer.devices for request in one.requests})
    expect.same(requests, [REQUEST], path="devices[].request_names")


@pytest.mark.requirement("DRA-DST-13")
def test_configuration_of_other_drivers_is_left_alone(bench: Bench) -> None:
    """A claim may hold what other drivers are told: it is nothing to this one."""
    (place,) = bench.devices(1)
    claim = bench.claim("claim", place, stranger=CONFIG)

    answer = bench.prepare(claim)

    expect.same(answer.error, "", path=ERROR)

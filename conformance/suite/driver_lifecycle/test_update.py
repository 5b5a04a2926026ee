"""A rolling update: an old and a new instance of the driver at one time."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import lifecycle
from conformance.harness.kubeletside import claims
from conformance.harness.target import NODE_ACCESS

pytestmark = [pytest.mark.needs(NODE_ACCESS), pytest.mark.driver(features=("rolling-update",))]


@pytest.mark.requirement("DRA-DLC-10")
def test_two_instances_have_sockets_of_their_own(bench: Bench) -> None:
    """The new instance registers beside the old one and takes nothing away from it."""
    old = bench.registration()

    with bench.driver.second():
        new = lifecycle.both(bench, old)

    expect.that(new.endpoint != old.endpoint, "two endpoints", observed=new.endpoint)


@pytest.mark.requirement("DRA-DLC-11")
def test_a_failed_update_disturbs_nobody(bench: Bench) -> None:
    """The new instance crashes, and the old one goes on serving claims."""
    claim, old = bench.simple(), bench.registration()
    with bench.driver.second() as instance:
        instance.kill()

        lifecycle.serves(old, claim)


@pytest.mark.requirement("DRA-DLC-12")
def test_the_new_instance_serves_alone(bench: Bench) -> None:
    """The old instance ends, and the new one goes on serving claims."""
    claim = bench.simple()
    with lifecycle.updating(bench) as (_, new):
        bench.driver.terminate()

        lifecycle.serves(new, claim)


@pytest.mark.requirement("DRA-DLC-13")
def test_each_instance_undoes_what_the_other_prepared(bench: Bench) -> None:
    """What the old instance prepares while the new one runs is gone when the new one undoes it."""
    before = bench.settled()
    claim = bench.simple()
    with lifecycle.updating(bench) as (old, new):
        answer = claims.prepare(old, claim)
        lifecycle.stands(answer)

        error = claims.unprepare(new, claim).error

        left = bench.folder.read().left(before, claim, answer)
    expect.same(error, "", path="NodeUnprepareResourcesResponse.claims[].error")
    expect.same(left, [], path="CDI specs")


@pytest.mark.requirement("DRA-DLC-19")
def test_each_instance_knows_what_the_other_has_prepared(bench: Bench) -> None:
    """A device that the old instance prepared is not prepared by the new one for another claim."""
    place = bench.unshared()
    first, second = bench.claim("first", place), bench.claim("second", place)
    with lifecycle.updating(bench) as (old, new):
        lifecycle.stands(claims.prepare(old, first))
        lifecycle.one_refuses(old, second)

        error = lifecycle.refusal_by(new, second)

    expect.that(bool(error), "an error for the second claim", observed="it was prepared")

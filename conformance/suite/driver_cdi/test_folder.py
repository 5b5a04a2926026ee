"""The folder of a node: what is in it when, and what is nobody else's business."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import cdi, writing
from conformance.harness.bench.bench import Bench
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-CDI-02")
def test_every_device_is_described_by_the_answer(bench: Bench) -> None:
    """Once the driver has answered, a runtime finds each device that it was told."""
    answer = bench.prepared(bench.simple())

    specs = bench.folder.read()

    cdi.resolved(specs, answer)


@pytest.mark.requirement("DRA-CDI-09")
def test_no_device_is_described_twice(bench: Bench) -> None:
    """With several claims prepared, each device stands in one place."""
    places = bench.devices(1, at_most=2)
    claims = [bench.claim(f"claim-{number}", one) for number, one in enumerate(places)]
    ids = sorted({one for claim in claims for one in cdi.ids_of(bench.prepared(claim))})

    specs = bench.folder.read()

    twice = [one for one in ids if len(specs.files_of(one)) > 1]
    expect.same(twice, [], path="devices[].name")


@pytest.mark.requirement("DRA-CDI-03")
def test_a_name_stands_for_the_same_edits(bench: Bench) -> None:
    """A second claim with the same device gets no name under which there was something else."""
    (place,) = bench.devices(1)
    first, second = bench.claim("first", place), bench.claim("second", place)
    ids = cdi.ids_of(bench.prepared(first))
    before = bench.folder.read()
    bench.unprepared(first)

    again = cdi.ids_of(bench.prepared(second))

    after = bench.folder.read()
    reused = [one for one in again if one in ids and after.edits_of(one) != before.edits_of(one)]
    expect.same(reused, [], path="devices[].cdi_device_ids", hint="the claim's uid in the name")


@pytest.mark.requirement("DRA-CDI-04")
def test_nothing_is_left_of_a_claim(bench: Bench) -> None:
    """After NodeUnprepareResources no spec speaks of the claim."""
    before = bench.settled()
    claim = bench.simple()
    answer = bench.prepared(claim)
    cdi.standing(bench.folder.read(), answer)

    bench.unprepared(claim)

    expect.same(bench.folder.read().left(before, claim, answer), [], path="CDI specs")


@pytest.mark.requirement("DRA-CDI-06")
def test_specs_of_others_are_left_alone(bench: Bench) -> None:
    """A spec of somebody else is untouched while a claim is prepared and undone."""
    claim = bench.simple()
    with bench.folder.foreign(bench.world.name) as planted:
        before = planted.stat()
        bench.prepared(claim)
        bench.unprepared(claim)

        after = planted.stat() if planted.exists() else None

    kept = after is not None and (after.st_ino, after.st_mtime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
    )
    expect.that(kept, "the file as it was", path=planted.name, observed=after or "no file")


@pytest.mark.requirement("DRA-CDI-10")
def test_no_spec_is_seen_half_written(bench: Bench) -> None:
    """A spec appears under its name when it is complete."""
    claim = bench.simple()
    with writing.watched(bench.folder.path) as watch:
        answer = bench.prepared(claim)
        own = {one.file for one in cdi.standing(bench.folder.read(), answer)}

        written = sorted(own & watch.names())

    hint = "another name in the same folder, and then renaming it"
    expect.same(written, [], path="specs written in place", hint=hint)


@pytest.mark.requirement("DRA-CDI-11")
def test_another_claim_changes_no_spec(bench: Bench) -> None:
    """What describes the devices of one claim is left alone while another is prepared."""
    place, other = bench.devices(2)
    first = bench.prepared(bench.claim("first", place))
    before = bench.folder.read()
    own = {one.file for one in cdi.standing(before, first)}
    bench.prepared(bench.claim("second", other))

    after = bench.folder.read()

    changed = sorted(own & set(after.fresh(before)))
    expect.same(changed, [], path="CDI specs of the first claim", hint="one file for each claim")

"""A folder that takes no file for a while, since its file system is full or read-only."""

from __future__ import annotations

import errno

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench, answered
from conformance.harness.bench.conduct import lifecycle, room
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.target import NODE_ACCESS, OWN_NODE

pytestmark = pytest.mark.needs(NODE_ACCESS, OWN_NODE)

PREPARED = "NodePrepareResourcesResponse.claims[]"
UNPREPARED = "NodeUnprepareResourcesResponse.claims[].error"

#: Why the folder takes no file.
TROUBLES = [
    pytest.param(errno.ENOSPC, id="full"),
    pytest.param(errno.EROFS, id="read-only"),
]


@pytest.mark.requirement("DRA-CDI-12")
def test_a_claim_is_no_success_in_a_full_folder(bench: Bench) -> None:
    """While there is no room for the spec of a claim, the claim is answered by an error."""
    claim = bench.claim("claim", room.described(bench))
    with room.short(bench, errno.ENOSPC):
        errors = room.refusals(bench, claim)

    expect.that(all(errors), "an error each time", path=PREPARED, observed=errors)
    expect.same(bench.driver.ended(), "", path="the driver")


@pytest.mark.requirement("DRA-CDI-13")
def test_a_claim_is_no_success_in_a_read_only_folder(bench: Bench) -> None:
    """While nothing can be written, a claim that needs a spec is answered by an error."""
    claim = bench.claim("claim", room.described(bench))
    with room.short(bench, errno.EROFS):
        errors = room.refusals(bench, claim)

    expect.that(all(errors), "an error each time", path=PREPARED, observed=errors)
    expect.same(bench.driver.ended(), "", path="the driver")


@pytest.mark.requirement("DRA-CDI-14")
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_refused_claim_is_prepared_later(bench: Bench, trouble: int) -> None:
    """Once the folder takes files again the same claim is prepared, and its devices described."""
    claim = bench.claim("claim", room.described(bench))
    with room.short(bench, trouble):
        room.refused(bench, claim)

    room.recovered(bench, claim)


@pytest.mark.requirement("DRA-CDI-15")
def test_no_spec_is_written_in_part(bench: Bench) -> None:
    """Where the room does not suffice for a spec, runtimes find no part of it."""
    claim = bench.claim("claim", room.described(bench))
    before = bench.folder.read()
    with room.short(bench, errno.ENOSPC):
        room.refused(bench, claim)
        after = bench.folder.read()

    left = sorted({*after.torn(before), *after.left(before, claim, Answer())})
    expect.same(left, [], path="CDI specs")


@pytest.mark.requirement("DRA-CDI-16")
def test_no_draft_is_left_where_room_is_short(bench: Bench) -> None:
    """What was written before the room was used up is removed, once the claim is undone."""
    claim = bench.claim("claim", room.described(bench))
    before = bench.folder.others()
    with room.short(bench, errno.ENOSPC):
        room.refused(bench, claim)
    bench.unprepared(claim)

    left = sorted(bench.folder.others() - before)

    expect.same(left, [], path="files in the folder that are no CDI specs")


@pytest.mark.requirement("DRA-CDI-17")
def test_a_refused_claim_is_undone_in_a_full_folder(bench: Bench) -> None:
    """A claim for whose spec there was no room is undone without an error, and at once."""
    claim = bench.claim("claim", room.described(bench))
    with room.short(bench, errno.ENOSPC):
        room.refused(bench, claim)
        error = room.undone(bench, claim)

    expect.same(error, "", path=UNPREPARED)


@pytest.mark.requirement("DRA-CDI-22")
def test_a_refused_claim_is_undone_in_a_read_only_folder(bench: Bench) -> None:
    """A claim whose spec could not be written is undone without an error, and at once."""
    claim = bench.claim("claim", room.described(bench))
    with room.short(bench, errno.EROFS):
        room.refused(bench, claim)
        error = room.undone(bench, claim)

    expect.same(error, "", path=UNPREPARED)


@pytest.mark.requirement("DRA-CDI-18")
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_device_of_a_refused_claim_is_not_lost(bench: Bench, trouble: int) -> None:
    """Another claim gets the device, once the one without a spec is undone."""
    place = room.described(bench)
    claim, other = bench.claim("claim", place), bench.claim("other", place)
    with room.short(bench, trouble):
        room.refused(bench, claim)
    bench.unprepared(claim)

    lifecycle.served_again(bench, other)


@pytest.mark.requirement("DRA-CDI-19")
def test_a_claim_is_undone_in_a_full_folder(bench: Bench) -> None:
    """To undo a claim takes no room: its spec is removed, and that makes some."""
    claim = bench.claim("claim", room.described(bench))
    before = bench.folder.read()
    answer = bench.prepared(claim)
    with room.short(bench, errno.ENOSPC):
        error = room.undone(bench, claim)

    expect.same(error, "", path=UNPREPARED)
    expect.same(bench.folder.read().left(before, claim, answer), [], path="CDI specs")


@pytest.mark.requirement("DRA-CDI-20")
def test_a_claim_whose_spec_cannot_be_removed_is_not_undone(bench: Bench) -> None:
    """While a spec can't be removed its claim is answered by an error, and undone later."""
    claim = bench.claim("claim", room.described(bench))
    before = bench.folder.read()
    answer = bench.prepared(claim)
    with room.short(bench, errno.EROFS):
        error = room.kept(bench, claim, (before, answer))
    later = room.undone(bench, claim)

    expect.that(bool(error), "an error while the spec is left", path=UNPREPARED, observed="none")
    expect.same(later, "", path=UNPREPARED)
    expect.same(bench.folder.read().left(before, claim, answer), [], path="CDI specs")


@pytest.mark.requirement("DRA-CDI-21")
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_prepared_claim_needs_no_room(bench: Bench, trouble: int) -> None:
    """A claim that is prepared already is answered as before: its spec is there."""
    claim = bench.claim("claim", room.described(bench))
    first = room.answered_twice(bench, claim)
    with room.short(bench, trouble):
        again = answered(bench.prepare(claim))

    expect.same(again, first, path=PREPARED)

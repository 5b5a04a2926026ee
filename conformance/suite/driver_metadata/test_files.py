"""The metadata files of a claim on the node, from its first preparation to its end."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import metadata
from conformance.harness.target import NODE_ACCESS

pytestmark = [pytest.mark.needs(NODE_ACCESS), pytest.mark.driver(features=("metadata",))]


@pytest.mark.requirement("DRA-DMD-01")
def test_files_go_with_the_claim(bench: Bench) -> None:
    """Once a claim is undone, what was mounted for it is no longer on the node."""
    claim = bench.simple()
    files = metadata.mounted(bench, bench.prepared(claim))

    bench.unprepared(claim)

    left = sorted(str(one) for one in files if one.exists())
    expect.same(left, [], path="metadata files on the node")


@pytest.mark.requirement("DRA-DMD-02")
def test_preparing_again_leaves_the_files_alone(bench: Bench) -> None:
    """A claim that is prepared already keeps its metadata, as containers see it."""
    claim = bench.simple()
    files = metadata.mounted(bench, bench.prepared(claim))
    before = metadata.contents(files)

    bench.prepared(claim)

    expect.same(metadata.contents(files), before, path="metadata files on the node")


@pytest.mark.requirement("DRA-DMD-03")
def test_files_are_mounted_again_after_a_reboot(bench: Bench) -> None:
    """Where the CDI specs are lost, preparing brings back what mounts the metadata."""
    claim = bench.simple()
    answer = bench.prepared(claim)
    files = metadata.mounted(bench, answer)
    bench.reboot(answer)

    again = metadata.mounted_by(bench, bench.prepare(claim))

    expect.same(sorted(map(str, again)), sorted(map(str, files)), path="mounts of the CDI specs")


@pytest.mark.requirement("DRA-DMD-04")
def test_files_of_two_claims_are_apart(bench: Bench) -> None:
    """Each claim has files of its own."""
    places = bench.devices(2)
    claims = [bench.claim(f"claim-{number}", one) for number, one in enumerate(places)]

    files = [set(metadata.mounted(bench, bench.prepared(claim))) for claim in claims]

    shared = sorted(str(one) for one in files[0] & files[1])
    expect.same(shared, [], path="metadata files on the node")

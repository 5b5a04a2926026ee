"""A folder of CDI specs that takes no file for a while: it is full, or read-only."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from conformance.harness import expect
from conformance.harness.bench.bench import Bench, answered
from conformance.harness.bench.cdi import Specs
from conformance.harness.bench.conduct import lifecycle
from conformance.harness.bench.handmade import Place
from conformance.harness.errors import Undecided
from conformance.harness.kubeletside import claims as calls
from conformance.harness.kubeletside.claims import Answer
from conformance.kube.objects import Object

#: So often a kubelet asks: a driver may answer for what it has noted the first time.
_TIMES = 3


def described(bench: Bench) -> Place:
    """Stand on a driver that writes a spec for a claim and removes it; return a device for others.

    Raises ``Unsupported`` for a driver that writes none.
    """
    (place,) = bench.devices(1)
    before = bench.folder.read()
    claim, answer = lifecycle.describes(bench)
    if bench.folder.read().left(before, claim, answer):
        raise Undecided("not judged, since a CDI spec is left of a claim that is undone")
    return place


@contextlib.contextmanager
def short(bench: Bench, trouble: int) -> Iterator[None]:
    """Have the folder take no file for a while; raises ``Unsupported``."""
    bench.driver.must_be_ours("makes the folder of CDI specs take no file")
    bench.registration()
    with bench.driver.hampered(trouble):
        yield


def refusals(bench: Bench, claim: Object) -> list[str]:
    """Ask for a claim as a kubelet does, and return why it is not prepared, each time.

    Raises ``Undecided`` where its spec is written all the same.
    """
    return [_refusal(bench, claim) for _ in range(_TIMES)]


def refused(bench: Bench, claim: Object) -> None:
    """Stand on a claim that is not prepared, however often it is asked for."""
    if not all(refusals(bench, claim)):
        raise Undecided("not judged, since a claim without its CDI spec is no error")


def recovered(bench: Bench, claim: Object) -> None:
    """Wait until a claim is prepared and its devices are described; raises ``Violation``."""
    lifecycle.served_again(bench, claim)
    missing = _undescribed(bench, bench.prepare(claim))
    expect.same(missing, [], path="devices[].cdi_device_ids that no CDI spec describes")


def answered_twice(bench: Bench, claim: Object) -> Any:
    """Stand on a claim that is answered as before when it is prepared again: what is answered."""
    first, again = (answered(bench.prepared(claim)) for _ in range(2))
    if again != first:
        raise Undecided("not judged, since a prepared claim is answered in another way anyway")
    return first


def undone(bench: Bench, claim: Object) -> str:
    """Return why a claim is not undone, empty where it is."""
    try:
        return bench.unprepare(claim).error
    except calls.CallFailed as failed:
        return str(failed.observed)


def kept(bench: Bench, claim: Object, was: tuple[Specs, Answer]) -> str:
    """Return why a claim is not undone whose spec can't be removed, empty where it is said to be.

    ``was`` are the specs before the claim and its answer. Raises ``Undecided`` for a spec that
    is removed all the same.
    """
    error = undone(bench, claim)
    if not bench.folder.read().left(was[0], claim, was[1]):
        raise Undecided("not judged, since the driver has removed the CDI spec")
    return error


def _refusal(bench: Bench, claim: Object) -> str:
    try:
        answer = bench.prepare(claim)
    except calls.CallFailed as failed:
        return str(failed.observed)
    if not answer.error and not _undescribed(bench, answer):
        raise Undecided("not judged, since the driver has found room for the CDI spec")
    return answer.error


def _undescribed(bench: Bench, answer: Answer) -> list[str]:
    """Return the devices of an answer that nothing describes; a claim has one at least."""
    ids = sorted({one for device in answer.devices for one in device.cdi_ids})
    return bench.folder.read().undescribed(ids) if ids else ["none"]

"""A driver that finds other clocks: its machine was started anew, or somebody has set them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from conformance.harness.bench.bench import Bench, answered
from conformance.harness.errors import Undecided, Violation
from conformance.kube.objects import Object

#: Seconds by which two boots differ: more than any driver could take for one.
MONTH = 30 * 24 * 3600


@contextlib.contextmanager
def booted(bench: Bench, ahead: int) -> Iterator[None]:
    """Start the driver anew on a machine that was up for so many seconds longer than ours.

    Raises ``Unsupported``, and ``Undecided`` for a driver that does not come up there.
    """
    bench.driver.must_be_ours("starts the driver anew")
    with bench.driver.shifted(ahead):
        try:
            bench.restart("terminate")
        except Undecided:
            # What it does on this clock says nothing of what it does on its own.
            bench.driver.broken.pop("registered", None)
            raise
        yield


@contextlib.contextmanager
def another_time_of_day(bench: Bench, ahead: int) -> Iterator[None]:
    """Set the driver's wall clock while it runs, and set it back; raises ``Unsupported``."""
    bench.driver.must_be_ours("sets the driver's wall clock")
    bench.driver.set_wall(ahead)
    try:
        yield
    finally:
        bench.driver.set_wall(0)


def steady(bench: Bench, claim: Object) -> Any:
    """Stand on a claim that is answered alike, asked for again: the answer, or ``Undecided``."""
    first = answered(bench.prepared(claim))
    if answered(bench.prepared(claim)) != first:
        raise Undecided("not judged, since a prepared claim is not answered alike at any time")
    return first


def kept(bench: Bench, claim: Object) -> Any:
    """Stand on a claim that survives a restart on one clock: what is answered for it."""
    first = answered(bench.prepared(claim))
    bench.restart("terminate")
    if answered(bench.prepared(claim)) != first:
        raise Undecided("not judged, since a prepared claim does not survive any restart")
    return first


def asked_after_reboot(bench: Bench, claim: Object, ahead: int) -> tuple[Any, str]:
    """Return what is answered for a claim on another clock, and why it is not undone there.

    The latter is empty where it is; raises ``Violation`` for a driver that does not come up.
    """
    with contextlib.ExitStack() as boot:
        try:
            boot.enter_context(booted(bench, ahead))
        except Undecided as undecided:
            observed = bench.driver.ended() or str(undecided)
            raise Violation("a driver that comes up after a reboot", observed=observed) from None
        return answered(bench.prepare(claim)), bench.unprepare(claim).error

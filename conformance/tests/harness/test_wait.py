"""Waits let time pass, end early, and tell inconclusive from wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.harness.errors import BoundTooLong, Violation
from conformance.harness.timeouts import Bounds
from conformance.harness.wait import Patience


class Clock:
    """Time that moves in steps of one second at most, or as far as it may."""

    def __init__(self, *, virtual: bool = True, step: float = 1.0) -> None:
        self.virtual = virtual
        self.elapsed = 0.0
        self._step = step

    def now(self) -> float:
        """Return the seconds that passed."""
        return self.elapsed

    def pass_(self, limit: float) -> None:
        """Move by a step, but not beyond ``limit``."""
        self.elapsed += min(limit, self._step)


def after(clock: Clock, seconds: float) -> Callable[[], bool]:
    return lambda: clock.now() >= seconds


def patience(clock: Clock, allowed: float | None = None) -> Patience:
    return Patience(clock, Bounds(seconds={"short": 10, "long": 600}, allowed=allowed))


def test_until_returns_what_the_probe_finds() -> None:
    clock = Clock()

    patience(clock).until("it is late", after(clock, 5), bound="short")

    assert clock.now() == 5


def test_until_gives_up_at_the_bound_with_what_was_seen_last() -> None:
    clock = Clock()

    def probe() -> bool:
        raise Violation("a node", path="spec.nodeName", observed="nothing")

    with pytest.raises(Violation, match=r"within 10 s that it is bound at `spec\.nodeName`"):
        patience(clock).until("it is bound", probe, bound="short")
    assert clock.now() == 10


def test_a_wait_that_was_cut_short_is_inconclusive() -> None:
    clock = Clock()

    with pytest.raises(BoundTooLong, match="at most 60 s"):
        patience(clock, allowed=60).until("it is late", after(clock, 100), bound="long")
    assert clock.now() == 60


def test_a_wait_that_may_be_long_still_passes_when_it_is_short() -> None:
    clock = Clock()

    patience(clock, allowed=60).until("it is late", after(clock, 30), bound="long")

    assert clock.now() == 30


def test_stays_watches_until_the_end() -> None:
    clock = Clock()

    patience(clock).stays("it is early", lambda: clock.now() < 11, for_="short")

    assert clock.now() == 10


def test_stays_says_after_how_long_it_ended() -> None:
    clock = Clock()

    with pytest.raises(Violation, match="ended after 4 s"):
        patience(clock).stays("it is early", lambda: clock.now() < 4, for_="short")


def test_stays_for_longer_than_allowed_is_inconclusive_at_once() -> None:
    clock = Clock()

    with pytest.raises(BoundTooLong):
        patience(clock, allowed=60).stays("it is there", lambda: True, for_="long")
    assert clock.now() == 0


def test_elapse_passes_all_of_it() -> None:
    clock = Clock(step=0.3)

    patience(clock).elapse(5)

    assert clock.now() == pytest.approx(5)


def test_a_live_clock_is_looked_at_often() -> None:
    clock = Clock(virtual=False, step=100)

    patience(clock).until("it is late", after(clock, 0.1), bound="short")

    assert clock.now() < 0.5

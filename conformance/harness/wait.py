"""Letting time pass until something holds, or while something must go on holding.

A probe returns what it found, or raises ``Violation`` (see ``expect``) or returns something
false while it has not found it. On a target with virtual time a wait costs no real time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from conformance.harness.errors import BoundTooLong, Violation
from conformance.harness.target import Time
from conformance.harness.timeouts import Bounds

Found = TypeVar("Found")

#: Longest step in seconds between two looks on a live cluster: short at first, so that
#: what happens at once is seen at once.
_FIRST_LOOK, _LAST_LOOK = 0.02, 0.5


@attrs.frozen
class Patience:
    """Waits on one cluster's time, within bounds that have names."""

    time: Time
    bounds: Bounds

    def until(self, what: str, probe: Callable[[], Found], *, bound: str) -> Found:
        """Return what the probe finds, as soon as it finds it.

        A wait that may take longer than allowed is cut short: it is inconclusive
        (``BoundTooLong``) if nothing was found by then, and a ``Violation`` only after the
        whole bound.
        """
        reach = self.bounds.reach(bound)
        start = self.time.now()
        look = _FIRST_LOOK
        self.time.pass_(0)
        while True:
            found, trouble = _try(probe)
            if found:
                return found
            left = reach - (self.time.now() - start)
            if left <= 0:
                break
            self.time.pass_(left if self.time.virtual else min(left, look))
            look = min(look * 1.5, _LAST_LOOK)
        self.bounds.limit(bound, what)
        raise _too_late(what, self.bounds.seconds[bound], trouble)

    def stays(self, what: str, probe: Callable[[], Any], *, for_: str = "stays") -> None:
        """Look again and again for so long; raises ``Violation`` once the probe fails.

        Raises ``BoundTooLong`` where so long a look is not allowed.
        """
        seconds = self.bounds.limit(for_, what)
        start = self.time.now()
        self.time.pass_(0)
        while True:
            found, trouble = _try(probe)
            after = self.time.now() - start
            if not found:
                raise _changed(what, after, trouble)
            if after >= seconds:
                return
            left = seconds - after
            self.time.pass_(left if self.time.virtual else min(left, _LAST_LOOK))

    def elapse(self, seconds: float) -> None:
        """Let exactly so many seconds pass; raises ``BoundTooLong`` where that is too long."""
        if self.bounds.allowed is not None and seconds > self.bounds.allowed:
            raise BoundTooLong(
                f"{seconds:g} s have passed",
                bound="elapse",
                seconds=seconds,
                allowed=self.bounds.allowed,
            )
        end = self.time.now() + seconds
        self.time.pass_(0)
        while (left := end - self.time.now()) > 0:
            self.time.pass_(left)


def _try(probe: Callable[[], Found]) -> tuple[Found | None, Violation | None]:
    try:
        return probe(), None
    except Violation as violation:
        return None, violation


def _too_late(what: str, seconds: float, last: Violation | None) -> Violation:
    path = last.path if last else ""
    observed = last.observed if last else "nothing of that"
    hint = last.hint if last else ""
    return Violation(f"within {seconds:g} s that {what}", path=path, observed=observed, hint=hint)


def _changed(what: str, after: float, last: Violation | None) -> Violation:
    path = last.path if last else ""
    observed = last.observed if last else "the opposite"
    return Violation(f"that {what}, which ended after {after:g} s", path=path, observed=observed)

"""The bounds of every wait, resolved by name from the catalogue's table of waits."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from conformance.harness.errors import BoundTooLong


@attrs.frozen(kw_only=True)
class Bounds:
    """Seconds by name, and how much of that we are willing to wait."""

    seconds: Mapping[str, float]
    #: Longest single wait in real seconds; None where time is virtual and waiting is free.
    allowed: float | None = None

    def limit(self, bound: str, what: str) -> float:
        """Return the seconds of a bound; raises ``BoundTooLong``, ``KeyError`` for no name."""
        seconds = self.seconds[bound]
        if self.allowed is not None and seconds > self.allowed:
            raise BoundTooLong(what, bound=bound, seconds=seconds, allowed=self.allowed)
        return seconds

    def reach(self, bound: str) -> float:
        """Return the seconds of a bound, cut to what is allowed; ``KeyError`` for no name."""
        seconds = self.seconds[bound]
        return seconds if self.allowed is None else min(seconds, self.allowed)

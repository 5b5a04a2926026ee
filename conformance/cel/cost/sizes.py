"""Lower and upper bounds, for sizes and for costs; the largest number stands for no bound."""

from __future__ import annotations

import math

import attrs

UNBOUNDED = 2**64 - 1


@attrs.frozen
class Bounds:
    """From ``low`` to ``high``, both included."""

    low: int
    high: int

    def __add__(self, other: Bounds) -> Bounds:
        """Add bound by bound."""
        return Bounds(_capped(self.low + other.low), _capped(self.high + other.high))

    def __mul__(self, other: Bounds) -> Bounds:
        """Multiply bound by bound."""
        return Bounds(_capped(self.low * other.low), _capped(self.high * other.high))

    def __or__(self, other: Bounds) -> Bounds:
        """Return bounds that hold for either."""
        return Bounds(min(self.low, other.low), max(self.high, other.high))

    def times(self, factor: float) -> Bounds:
        """Multiply with a factor, rounded up."""
        return Bounds(_scaled(self.low, factor), _scaled(self.high, factor))


#: Nothing is known.
ANY = Bounds(0, UNBOUNDED)
FREE = Bounds(0, 0)
ONCE = Bounds(1, 1)
#: The neutral element of ``|``.
NEVER = Bounds(UNBOUNDED, 0)


def exactly(number: int) -> Bounds:
    """Return bounds that leave no choice."""
    return Bounds(number, number)


def _capped(number: int) -> int:
    return min(number, UNBOUNDED)


def _scaled(number: int, factor: float) -> int:
    scaled = float(number) * factor
    return UNBOUNDED if scaled >= 2.0**64 else math.ceil(scaled)


@attrs.frozen
class Entries:
    """Sizes of the keys and the values of a list or a map."""

    of: str
    key: Bounds
    value: Bounds

    def either(self, other: Entries | None) -> Entries | None:
        """Return what holds for both, if both are known."""
        if other is None:
            return None
        return Entries(self.of, self.key | other.key, self.value | other.value)

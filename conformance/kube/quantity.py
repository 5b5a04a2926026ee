"""Quantities: exact decimal amounts with a suffix, as ``resource.Quantity`` has them."""

from __future__ import annotations

import functools
import re
from decimal import ROUND_UP, Decimal, localcontext
from functools import total_ordering
from typing import Any

import attrs

_SHAPE = re.compile(r"([+-]?)(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+|[numkMGTPE]|[KMGTPE]i)?")

_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}

#: The smallest amount that a quantity can hold; less is rounded up, away from zero.
_NANO = Decimal("1e-9")
#: Spellings whose amounts are remembered: a cluster repeats a few of them all the time.
_KEPT = 1024
#: The largest amount with a binary suffix; more is capped.
_CAP = Decimal(2**63 - 1)
#: The largest amount at all, and digits enough for it: nobody has more, or could tell it apart.
_HUGE = Decimal("1e300")
_DIGITS = 350


class QuantityError(ValueError):
    """A text is no quantity."""


@total_ordering
@attrs.frozen(eq=False)
class Quantity:
    """An amount and the family of suffixes that it was written with."""

    amount: Decimal
    format: str = "DecimalSI"

    def __eq__(self, other: object) -> bool:
        """Compare the amounts; the spelling does not count."""
        return isinstance(other, Quantity) and self.amount == other.amount

    def __lt__(self, other: Quantity) -> bool:
        """Compare the amounts."""
        return self.amount < other.amount

    def __hash__(self) -> int:
        return hash(self.amount)

    def __add__(self, other: Quantity) -> Quantity:
        """Add exactly; the spelling of the left one stays."""
        return Quantity(self.amount + other.amount, self.format)

    def __sub__(self, other: Quantity) -> Quantity:
        """Subtract exactly; the spelling of the left one stays."""
        return Quantity(self.amount - other.amount, self.format)

    def __str__(self) -> str:
        """Return the canonical spelling: no fraction, the largest suffix that allows it."""
        if self.format == "BinarySI" and abs(self.amount) >= 1024 and self.amount % 1 == 0:
            return _binary(int(self.amount))
        return _decimal(self.amount, exponent=self.format == "DecimalExponent")


def parse(value: Any) -> Quantity:
    """Return the quantity that a text or a number spells; raises ``QuantityError``."""
    # True is a number to Python; its spelling is no quantity.
    return _spelled(str(value))


@functools.lru_cache(maxsize=_KEPT)
def _spelled(text: str) -> Quantity:
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        raise QuantityError(
            "quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        )
    sign, digits, suffix = shape.group(1), shape.group(2), shape.group(3) or ""
    with localcontext(prec=_DIGITS):
        amount = Decimal(sign + digits)
        if suffix in _BINARY:
            family, scaled = "BinarySI", amount * 1024 ** _BINARY[suffix]
        elif suffix in _DECIMAL:
            family, scaled = "DecimalSI", amount.scaleb(_DECIMAL[suffix])
        else:
            family, scaled = "DecimalExponent", amount.scaleb(int(suffix[1:]))
        cap = _CAP if family == "BinarySI" else _HUGE
        scaled = min(max(scaled, -cap), cap)
        exact = scaled.quantize(_NANO, rounding=ROUND_UP) if scaled % _NANO else scaled
    return Quantity(exact, family)


def is_multiple(amount: Decimal, step: Decimal) -> bool:
    """Return whether an amount is some number of steps, however many."""
    with localcontext(prec=_DIGITS):
        return amount % step == 0


def _binary(amount: int) -> str:
    power = 0
    while power < 6 and amount % 1024 == 0:
        amount //= 1024
        power += 1
    return f"{amount}{['', *_BINARY][power]}"


def _decimal(amount: Decimal, *, exponent: bool) -> str:
    if amount == 0:
        return "0"
    power = 18 if not exponent else max(amount.adjusted() // 3 * 3, 0)
    with localcontext(prec=_DIGITS):
        while power > -9 and amount.scaleb(-power) % 1 != 0:
            power -= 3
        digits = int(amount.scaleb(-power))
    if exponent:
        return f"{digits}e{power}" if power else str(digits)
    suffix = next(name for name, one in _DECIMAL.items() if one == power)
    return f"{digits}{suffix}"

"""Quantities: exact decimal amounts with a suffix, as ``resource.Quantity`` has them."""

from __future__ import annotations

import functools
import re
from decimal import ROUND_UP, Decimal, localcontext
from functools import total_ordering
from typing import Any

import attrs

#: Sign, digits before and behind the point, suffix; none of them must be there, as in Kubernetes.
_SHAPE = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)")
_EXPONENT = re.compile(r"[eE][+-]?[0-9]+")

#: Powers of two and of ten for which suffixes stand.
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
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
#: Decimal digits that surely fit into 64 bits.
_EXACT = 18
#: The power of ten of the smallest amount.
_LEAST = -9


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


def stored(value: Any) -> str:
    """Return the spelling in which an API server keeps what a client wrote in JSON.

    That is the client's own as long as it is short and of a suffix that suits it, even with a
    plus or leading zeros. Raises ``QuantityError``.
    """
    return _kept(str(value).strip(" "))


@attrs.frozen(kw_only=True)
class Spelling:
    """A text that was taken apart: ``number``.``fraction`` times ``base`` to the ``exponent``."""

    is_negative: bool
    number: str
    fraction: str
    base: int
    exponent: int
    #: The exponent was written as one.
    is_scientific: bool

    @property
    def scale(self) -> int:
        """The power of ten by which the digits are multiplied, for a base of ten."""
        return self.exponent - len(self.fraction)

    @property
    def is_small(self) -> bool:
        """Tell whether Kubernetes holds the amount in 64 bits, with a power of ten."""
        if self.base == 2:
            return not self.fraction and len(self.number) + self.exponent * 3 // 10 < 15
        return len(self.number + self.fraction) <= _EXACT and self.scale >= _LEAST


def split(text: str) -> Spelling:
    """Take a text apart; raises ``QuantityError`` where it spells no quantity."""
    # Source: ParseQuantity in k8s.io/apimachinery/pkg/api/resource 0.37.2.
    shape = _SHAPE.fullmatch(text) if text else None
    if shape is None:
        raise QuantityError(
            "quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        )
    sign, digits, fraction, suffix = shape.groups(default="")
    exponent = _BINARY.get(suffix, _DECIMAL.get(suffix))
    if exponent is None and _EXPONENT.fullmatch(suffix) is None:
        raise QuantityError("unable to parse quantity's suffix")
    found = Spelling(
        is_negative=sign == "-",
        number=digits.lstrip("0") or "0",
        fraction=fraction,
        base=2 if suffix in _BINARY else 10,
        exponent=int(suffix[1:]) if exponent is None else exponent,
        is_scientific=exponent is None,
    )
    # No digits at all, as in "-" or "Ki", are zero, but not where that takes more than 64 bits.
    if not digits and not fraction and not found.is_small:
        raise QuantityError("unable to parse numeric part of quantity")
    return found


@functools.lru_cache(maxsize=_KEPT)
def _kept(text: str) -> str:
    found = split(text)
    digits = found.number + found.fraction
    if found.base == 2:
        own = int(found.number) & 7
    else:
        own = found.scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
    return text if own and found.is_small else str(_spelled(text))


@functools.lru_cache(maxsize=_KEPT)
def _spelled(text: str) -> Quantity:
    found = split(text)
    with localcontext(prec=_DIGITS):
        amount = Decimal(f"{found.number}.{found.fraction or 0}")
        # Zero has no sign.
        amount = 0 - amount if found.is_negative else amount
        if found.base == 2:
            family, scaled = "BinarySI", amount * 2**found.exponent
        else:
            family = "DecimalExponent" if found.is_scientific else "DecimalSI"
            scaled = amount.scaleb(found.exponent)
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

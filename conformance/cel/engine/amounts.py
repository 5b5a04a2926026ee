"""Quantities in expressions: amounts that remember how precisely they are held.

Kubernetes holds small amounts as an integer and a power of ten and others as decimals
(``resource.Quantity``). Expressions see the difference: only the former are integers.
"""

from __future__ import annotations

import functools
from decimal import ROUND_UP, Decimal, localcontext

import attrs

from conformance.cel.errors import EvaluationError
from conformance.kube import quantity
from conformance.kube.quantity import QuantityError, Spelling

_INT64 = range(-(2**63), 2**63)
#: Exponents beyond this one are taken for mistakes.
_FARTHEST = 300
_LARGEST = Decimal(2**63 - 1)


@attrs.frozen(eq=False)
class Amount:
    """``value`` times ten to the power of ``scale``; ``small`` when held in 64 bits.

    ``derived`` marks the result of a sum. On the right of ``==`` such a one is of no known type
    for Kubernetes' comparison, which fails.
    """

    value: int
    scale: int
    small: bool = True
    derived: bool = False

    @property
    def exact(self) -> Decimal:
        """Return the amount."""
        return _scaled(Decimal(self.value), self.scale)

    def whole(self) -> int | None:
        """Return the integer that the amount is held as, if it is."""
        if not self.small or self.scale < 0:
            return None
        found = self.value * 10**self.scale
        return found if found in _INT64 else None

    def approximate(self) -> float:
        """Return the amount as a floating-point number."""
        return float(self.value) * float(f"1e{self.scale}") if self.scale else float(self.value)

    def plus(self, other: Amount, sign: int) -> Amount:
        """Return the sum or, with ``sign`` -1, the difference."""
        term = sign * other.value
        if self.small and other.small:
            # Kubernetes negates in 64 bits, where the smallest number is its own negative.
            found = self._sum(term if term in _INT64 else -term, other.scale)
            if found is not None:
                return found
        scale = min(self.scale, other.scale)
        value = self.value * 10 ** (self.scale - scale) + term * 10 ** (other.scale - scale)
        return Amount(value, scale, small=False, derived=True)

    def _sum(self, term: int, scale: int) -> Amount | None:
        if term == 0:
            return attrs.evolve(self, derived=True)
        if self.value == 0:
            return Amount(term, scale, derived=True)
        least = min(self.scale, scale)
        left, right = self.value * 10 ** (self.scale - least), term * 10 ** (scale - least)
        fits = left in _INT64 and right in _INT64 and left + right in _INT64
        return Amount(left + right, least, derived=True) if fits else None


def of_integer(value: int) -> Amount:
    """Return an integer as an amount."""
    return Amount(value, 0)


@functools.lru_cache(maxsize=4096)
def parse(text: str) -> Amount:
    """Return the amount that a text spells; raises ``EvaluationError``."""
    try:
        spelling = quantity.split(text)
    except QuantityError as error:
        raise EvaluationError(str(error)) from error
    sign = -1 if spelling.is_negative else 1
    if spelling.base == 2:
        return _binary(sign, spelling)
    if abs(spelling.exponent) > _FARTHEST:
        raise EvaluationError("unable to parse quantity's suffix")
    digits = spelling.number + spelling.fraction
    if spelling.is_small:
        return Amount(sign * int(digits), spelling.scale)
    return _large(sign, _scaled(Decimal(digits), spelling.scale))


def _binary(sign: int, spelling: Spelling) -> Amount:
    if spelling.is_small:
        return Amount(sign * (int(spelling.number) << spelling.exponent), 0)
    with localcontext(prec=200):
        digits = Decimal(spelling.number + spelling.fraction)
        exact = _scaled(digits, -len(spelling.fraction)) * 2**spelling.exponent
    return _large(sign, min(exact, _LARGEST))


def _large(sign: int, amount: Decimal) -> Amount:
    with localcontext(prec=400):
        nano = int((amount * 10**9).to_integral_value(rounding=ROUND_UP))
    return Amount(sign * nano, -9, small=False)


def _scaled(number: Decimal, scale: int) -> Decimal:
    with localcontext(prec=400):
        return number.scaleb(scale)

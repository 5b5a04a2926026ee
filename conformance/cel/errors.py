"""What can go wrong with an expression."""

from __future__ import annotations


class CompileError(ValueError):
    """The text is no expression, or not one that says yes or no about a device."""


class EvaluationError(ValueError):
    """The expression has no answer for this device."""


class AbortedError(EvaluationError):
    """The evaluation ended at once; ``||`` and ``&&`` do not forgive it."""


class CostExceededError(AbortedError):
    """Finding the answer for this device takes more steps than are allowed."""

"""One evaluation: what it sees, what it remembers, and what it has spent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from conformance.cel.errors import AbortedError, CostExceededError, EvaluationError


class Frame:
    """One evaluation: the device's fields, local variables, and what has been spent."""

    __slots__ = ("device", "limit", "locals", "spent")

    def __init__(self, device: dict[str, Any], limit: int) -> None:
        self.device = device
        self.locals: dict[int, Any] = {}
        self.spent = 0
        self.limit = limit

    def charge(self, cost: int) -> None:
        """Spend; raises ``CostExceededError`` beyond the limit."""
        self.spent += cost
        if self.spent > self.limit:
            raise CostExceededError("operation cancelled: actual cost limit exceeded")


Run = Callable[[Frame], Any]


@attrs.frozen
class Failed:
    """What a local variable holds whose value could not be computed."""

    error: EvaluationError


@attrs.frozen
class Later:
    """What ``cel.bind`` names: computed when it is first read."""

    run: Run


def attempt(run: Run, frame: Frame) -> Any:
    """Return the value, or the error where there is none."""
    try:
        return run(frame)
    except AbortedError:
        raise
    except EvaluationError as error:
        return Failed(error)


def variable(slot: int) -> Run:
    """Return what reads a local variable."""

    def run(frame: Frame) -> Any:
        frame.charge(1)
        value = frame.locals[slot]
        if isinstance(value, Later):
            value = frame.locals[slot] = attempt(value.run, frame)
        if isinstance(value, Failed):
            raise value.error
        return value

    return run

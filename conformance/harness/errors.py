"""What can go wrong while asking, and the one error that accuses the target.

``HarnessError`` means that we could not ask; ``Violation`` that the target answered wrongly.
They share no parent, so that no ``except`` can take one for the other.
"""

from __future__ import annotations

from typing import Any


class HarnessError(Exception):
    """We could not ask; says nothing about the target's conformance."""


class TargetUnreachable(HarnessError):
    """The target does not answer, or refuses us: no connection, no permission."""


class TargetMisconfigured(HarnessError):
    """We were told of a target in a way that cannot be right: a kubeconfig, an option."""


class Unsupported(HarnessError):
    """The target lacks what a check needs; ``reason`` is one sentence for the report."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Undecided(HarnessError):
    """Something else stood in the way before the check could judge: inconclusive."""


class BoundTooLong(Undecided):
    """A wait of the check is longer than the wait that was allowed: inconclusive."""

    def __init__(self, what: str, *, bound: str, seconds: float, allowed: float) -> None:
        super().__init__(
            f"waiting until {what} may take {seconds:g} s ({bound}), "
            f"but at most {allowed:g} s were allowed; try a longer --max-wait"
        )
        self.seconds = seconds
        self.allowed = allowed


class Violation(AssertionError):
    """The target answered wrongly: expected X at ``path``, observed Y."""

    def __init__(
        self, expected: str, *, path: str = "", observed: Any = None, hint: str = ""
    ) -> None:
        self.expected = expected
        self.path = path
        self.observed = observed
        self.hint = hint
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        where = f" at `{self.path}`" if self.path else ""
        tail = f"; try {self.hint}" if self.hint else ""
        return f"expected {self.expected}{where}, observed {_short(self.observed)}{tail}"


class Absent:
    """What is observed where nothing stands."""

    def __repr__(self) -> str:
        """Spell the absence for a message."""
        return "nothing"

    def __bool__(self) -> bool:
        """Nothing is false."""
        return False


#: The one value of ``Absent``.
ABSENT = Absent()


def _short(value: Any, limit: int = 400) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"

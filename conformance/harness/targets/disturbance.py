"""What is seen of a driver while it meets trouble at the API server, where a target can give it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

#: What a driver does to write its slices.
WRITES = frozenset({"create", "update", "patch", "delete"})

#: Everything that it asks of them.
ALL = WRITES | {"get", "list", "watch"}


class Request(Protocol):
    """One request of the driver: when, which verb, and the code of the answer (0: none)."""

    @property
    def at(self) -> float:
        """Seconds of the target's time."""
        ...

    @property
    def verb(self) -> str:
        """Such as ``create`` or ``watch``."""
        ...

    @property
    def code(self) -> int:
        """What was answered; 0 where the connection broke."""
        ...


class Disturbance(Protocol):
    """Trouble while it lasts."""

    def requests(self) -> Sequence[Request]:
        """Return what the driver has asked since it began, in order of the answers."""
        ...

    def cut_watches(self) -> None:
        """Break the watches of the driver."""
        ...

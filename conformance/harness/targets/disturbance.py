"""Trouble that a driver meets at the API server, where a target can give it on request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs

#: What a driver does to write its slices.
WRITES = frozenset({"create", "update", "patch", "delete"})

#: Everything that it asks of them.
ALL = WRITES | {"get", "list", "watch"}


@attrs.frozen(kw_only=True)
class Trouble:
    """What requests of a driver about its ResourceSlices meet; by default they are only seen."""

    #: The verbs that are concerned.
    verbs: frozenset[str] = frozenset()
    #: The code of a refusal, 0 for none.
    code: int = 0
    #: Seconds in the header Retry-After of a refusal, 0 for no header.
    retry_after: int = 0
    #: How many requests meet it; None for all.
    times: int | None = None
    #: Real seconds before a request is looked at.
    delay: float = 0.0
    #: The connection breaks before there is an answer.
    broken: bool = False
    #: Fields of devices and slices that are dropped, as those of a disabled gate are.
    dropped: frozenset[str] = frozenset()


#: Nothing but eyes.
WATCHED = Trouble()


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

"""What was said to whoever is judged and what was answered, kept as evidence within bounds."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

import attrs

#: How many exchanges of one check are kept: the first ones set the scene, the last ones
#: are where it went wrong.
FIRST, LAST = 12, 28

#: Longest body that is kept, in characters.
BODY = 6000


@attrs.define(kw_only=True)
class Exchange:
    """One request and its answer; ``times`` counts identical ones in a row.

    ``kind`` is that of an exhibit. Of HTTP ``status`` is a number, 0 without an answer; of gRPC it
    is the name of a code, OK for an answer.
    """

    kind: str = "http"
    method: str
    path: str
    request: Any = None
    status: int | str = 0
    response: Any = None
    at: float = 0.0
    times: int = 1

    def title(self) -> str:
        """Return the exchange in one line."""
        again = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.method} {self.path} → {self.status}{again}"

    def body(self) -> str:
        """Return request and answer as text, bounded; JSON is one line, which reports lay out."""
        parts = [f"> {self.method} {self.path}"]
        if self.request is not None:
            parts.append(_text(self.request))
        parts.append(f"< {self.status} after {self.at:.3f} s")
        parts.append(_text(self.response))
        return "\n".join(parts)


class Exchanges:
    """The exchanges of one check, bounded; polling that hears the same counts once."""

    def __init__(self) -> None:
        self._first: list[Exchange] = []
        self._last: deque[Exchange] = deque(maxlen=LAST)
        self.left_out = 0

    def add(self, exchange: Exchange) -> None:
        """Append one exchange."""
        previous = self._last[-1] if self._last else (self._first or [None])[-1]
        if previous is not None and _same(previous, exchange):
            previous.times += 1
            return
        if len(self._first) < FIRST:
            self._first.append(exchange)
            return
        if len(self._last) == LAST:
            self.left_out += 1
        self._last.append(exchange)

    def all(self) -> list[Exchange]:
        """Return what was kept, in order."""
        return [*self._first, *self._last]


def _same(one: Exchange, other: Exchange) -> bool:
    return (
        (one.kind == "grpc" or one.method == "GET")
        and (one.kind, one.method, one.path) == (other.kind, other.method, other.path)
        and one.request == other.request
        and one.status == other.status
        and one.response == other.response
    )


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= BODY else f"{text[:BODY]}\n… ({len(text)} characters)"

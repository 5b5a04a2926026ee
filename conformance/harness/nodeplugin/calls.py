"""What a kubelet asked of the double, in the order in which it asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import attrs


@attrs.frozen(kw_only=True)
class Call:
    """One gRPC call as the double received it, and what it answered."""

    method: str
    version: str
    claim_uids: tuple[str, ...] = ()
    detail: str = ""
    error: str = ""

    def __str__(self) -> str:
        """Return the call in one line, as evidence."""
        claims = f" claims={','.join(self.claim_uids)}" if self.claim_uids else ""
        detail = f" {self.detail}" if self.detail else ""
        answer = f" -> error: {self.error}" if self.error else ""
        return f"{self.version}/{self.method}{claims}{detail}{answer}"


class Calls:
    """A thread-safe, append-only record of calls."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: list[Call] = []

    def add(self, call: Call) -> None:
        """Append one call."""
        with self._lock:
            self._calls.append(call)

    def __iter__(self) -> Iterator[Call]:
        """Iterate over a snapshot of the calls so far."""
        with self._lock:
            return iter(list(self._calls))

    def of(self, method: str, claim_uid: str | None = None) -> list[Call]:
        """Return the calls of one method, of one claim where a uid is given."""
        return [
            call
            for call in self
            if call.method == method and (claim_uid is None or claim_uid in call.claim_uids)
        ]

    def transcript(self) -> str:
        """Return every call, one a line."""
        return "\n".join(str(call) for call in self)

"""Orders for the double's next answers: fail, wait, or forget a claim."""

from __future__ import annotations

import threading
from collections.abc import Callable

import attrs

#: Fail until told otherwise.
FOREVER = 1_000_000


@attrs.define(kw_only=True)
class Orders:
    """What the next answers of one method shall be."""

    failures: int = 0
    error: str = ""
    whole_call: bool = False
    #: No error, but an answer that is not what was asked for: see ``Plan.answer``.
    oddity: str = ""


#: Leave every claim out of the answer; answer for a claim too that nobody asked for; name no
#: device of any claim.
OMIT, STRAY, BARE = "omit", "stray", "bare"


class Plan:
    """The orders per method; thread-safe, since the kubelet calls from outside."""

    def __init__(self, hold_back: Callable[[int], None] = lambda _: None) -> None:
        """``hold_back`` is called with how many calls more, or fewer, will not be answered."""
        self._hold_back = hold_back
        self._waiting = 0
        self._lock = threading.Lock()
        self._orders: dict[str, Orders] = {}
        self._open = threading.Event()
        self._open.set()

    def fail(
        self, method: str, *, times: int = FOREVER, error: str, whole_call: bool = False
    ) -> None:
        """Answer the next ``times`` calls of ``method`` with an error.

        The error stands in each claim's entry, or fails the whole call.
        """
        with self._lock:
            self._orders[method] = Orders(failures=times, error=error, whole_call=whole_call)

    def answer(self, method: str, oddity: str) -> None:
        """Answer ``method`` without an error and oddly until told otherwise."""
        with self._lock:
            self._orders[method] = Orders(failures=FOREVER, oddity=oddity)

    def obey(self, method: str) -> None:
        """Answer ``method`` correctly again."""
        with self._lock:
            self._orders.pop(method, None)

    def hang(self) -> None:
        """Answer nothing until ``resume``."""
        with self._lock:
            self._open.clear()

    @property
    def hangs(self) -> bool:
        """Whether a call waits for ``resume``."""
        return not self._open.is_set()

    def resume(self) -> None:
        """Answer again, also the calls that hang."""
        with self._lock:
            if self._waiting:
                self._hold_back(-self._waiting)
            self._waiting = 0
            self._open.set()

    def take(self, method: str) -> Orders | None:
        """Return the order for the next answer of ``method``, and count it as used.

        Blocks while the double hangs.
        """
        with self._lock:
            if self.hangs:
                self._waiting += 1
                self._hold_back(1)
        self._open.wait()
        return self.take_at_once(method)

    def take_at_once(self, method: str) -> Orders | None:
        """Do the same for a method that never hangs."""
        with self._lock:
            order = self._orders.get(method)
            if order is None or order.failures <= 0:
                return None
            order.failures -= 1
            return order

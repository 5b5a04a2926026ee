"""The window of past events of one resource, and subscriptions to what follows."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import attrs

from conformance.kube.objects import Object

#: Events that are remembered per resource; older ones count as compacted.
WINDOW = 1000


class Compacted(LookupError):
    """The revision asked for is older than the window."""


@attrs.frozen(kw_only=True)
class Event:
    """One change: what the object is now, and what it was before."""

    #: ADDED, MODIFIED or DELETED.
    type: str
    revision: int
    object: Object
    old: Object | None
    #: Encoded forms by API version, so that many watches encode one event once.
    encoded: dict[str, bytes] = attrs.field(factory=dict[str, bytes], eq=False, repr=False)


class Subscription:
    """The events of one resource from some revision on, in order."""

    def __init__(self, backlog: list[Event], leave: Callable[[Subscription], None]) -> None:
        self._events = deque(backlog)
        self._leave = leave
        self._ready = asyncio.Event()
        self._ended = False
        if backlog:
            self._ready.set()

    def push(self, event: Event) -> None:
        """Append an event."""
        self._events.append(event)
        self._ready.set()

    def end(self) -> None:
        """Let ``next`` return nothing once all events were taken."""
        self._ended = True
        self._ready.set()

    def close(self) -> None:
        """Receive nothing more."""
        self._leave(self)

    async def next(self) -> list[Event]:
        """Wait for events and take all that are there; an empty list means the end."""
        await self._ready.wait()
        taken = list(self._events)
        self._events.clear()
        if not self._ended:
            self._ready.clear()
        return taken


class History:
    """What happened to one resource lately."""

    def __init__(self, window: int = WINDOW) -> None:
        self._window = window
        self._events: deque[Event] = deque()
        self._subscriptions: set[Subscription] = set()
        #: The newest revision that is no longer remembered.
        self._forgotten = 0

    def append(self, event: Event) -> None:
        """Remember an event and hand it to every subscription."""
        self._events.append(event)
        while len(self._events) > self._window:
            self._forgotten = self._events.popleft().revision
        for subscription in self._subscriptions:
            subscription.push(event)

    def since(self, revision: int) -> list[Event]:
        """Return the events after a revision, newest first. Raises ``Compacted``."""
        if revision < self._forgotten:
            raise Compacted(revision)
        return [event for event in reversed(self._events) if event.revision > revision]

    def compact(self, revision: int) -> None:
        """Forget every event up to and including ``revision``."""
        self._forgotten = max(self._forgotten, revision)
        while self._events and self._events[0].revision <= revision:
            self._events.popleft()

    def subscribe(self, since: int) -> Subscription:
        """Return the events after revision ``since``.

        Raises ``Compacted`` when some of them are no longer remembered.
        """
        if since < self._forgotten:
            raise Compacted(since)
        backlog = [event for event in self._events if event.revision > since]
        subscription = Subscription(backlog, self._subscriptions.discard)
        self._subscriptions.add(subscription)
        return subscription

    def end(self) -> None:
        """End every subscription."""
        for subscription in tuple(self._subscriptions):
            subscription.end()

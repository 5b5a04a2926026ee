"""Following the health streams of drivers, and the silence between their reports."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable

from conformance.reference.clock import Clock
from conformance.reference.faults.seams import Faults
from conformance.reference.kubelet.health.cache import HealthCache
from conformance.reference.kubelet.registration.calls import CallError
from conformance.reference.kubelet.registration.plugin import Plugin

#: Seconds between two attempts to open a stream that ended.
REOPEN_DELAY = 5.0

#: Told of the devices of a driver, as (pool, device), whose health looks different now.
OnChange = Callable[[str, Iterable[tuple[str, str]]], None]


class HealthWatch:
    """Keeps the cache true to what drivers say, and to what they stopped saying."""

    def __init__(
        self, cache: HealthCache, *, clock: Clock, faults: Faults, on_change: OnChange
    ) -> None:
        self._cache = cache
        self._clock = clock
        self._on_change: OnChange = faults.wrap("kubelet.notify_health", on_change)
        self._open = faults.wrap("kubelet.open_health_stream", Plugin.watch_health)
        self._timer: asyncio.Task[None] | None = None
        self._stopped = False

    def start(self) -> None:
        """Begin to watch over the reports that are already there."""
        self._rearm()

    def stop(self) -> None:
        """End; what is known stays known."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()

    async def follow(self, plugin: Plugin) -> None:
        """Follow one plugin until it is cancelled, or says that it has no health to report."""
        while True:
            try:
                await self._follow_once(plugin)
            except CallError as error:
                if error.code == "Unimplemented":
                    return
            await self._clock.sleep(REOPEN_DELAY)

    async def _follow_once(self, plugin: Plugin) -> None:
        try:
            async with contextlib.aclosing(self._open(plugin)) as reports:
                async for devices in reports:
                    self._take(plugin.driver, devices)
        finally:
            # A stream that ended says nothing any more; a kubelet that stops keeps its file.
            if not self._stopped:
                self._notify(plugin.driver, self._cache.clear(plugin.driver))

    def _take(self, driver: str, devices: Iterable[object]) -> None:
        self._notify(driver, self._cache.update(driver, devices))
        self._rearm()

    def _notify(self, driver: str, devices: Iterable[tuple[str, str]]) -> None:
        changed = list(devices)
        if changed:
            self._on_change(driver, changed)

    def _rearm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.ensure_future(self._expire())

    async def _expire(self) -> None:
        while True:
            due = self._cache.next_expiry()
            if due is None:
                return
            await self._clock.sleep(max(0.0, (due - self._clock.now()).total_seconds()))
            for driver, devices in self._cache.expire().items():
                self._notify(driver, devices)
            await asyncio.sleep(0)

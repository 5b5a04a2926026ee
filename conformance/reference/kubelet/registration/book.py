"""The book of plugins: which instances of which driver are usable, and what follows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from conformance.reference.clock import Clock
from conformance.reference.faults.seams import Faults
from conformance.reference.kubelet.registration.plugin import Plugin, cancelled
from conformance.reference.kubelet.registration.services import UnusablePluginError

#: Removes the node's ResourceSlices of one driver, or of all of them.
Wipe = Callable[[str | None], Awaitable[None]]

#: Follows the health of one plugin's devices for as long as it is registered.
Follow = Callable[[Plugin], Awaitable[None]]

#: Is told of each call of a driver: driver, full method, how it ended, seconds.
Observe = Callable[[str, str, str, float], None]


class DriverUnavailableError(LookupError):
    """No instance of the driver is registered on this node."""


def newest_connected(plugins: list[Plugin]) -> Plugin | None:
    """Return the plugin to call: the latest one, one that is connected before all others."""
    connected = [plugin for plugin in plugins if plugin.connected]
    return (connected or plugins or [None])[-1]


class PluginBook:
    """Registered plugins by driver, in the order in which they came."""

    def __init__(
        self,
        *,
        clock: Clock,
        faults: Faults,
        wiping_delay: float,
        wipe: Wipe,
        follow: Follow,
        observe: Observe,
    ) -> None:
        """``wiping_delay`` is how long a driver may be gone before ``wipe`` is called."""
        self._observe = observe
        self._clock = clock
        self._wiping_delay = faults.wrap("kubelet.wiping_delay", float)(wiping_delay)
        self._wipe = wipe
        self._follow = follow
        self._pick = faults.wrap("kubelet.pick_plugin", newest_connected)
        self._plugins: dict[str, list[Plugin]] = {}
        self._tasks: dict[Plugin, list[asyncio.Task[None]]] = {}
        self._wipes: dict[str, asyncio.Task[None]] = {}

    def add(self, plugin: Plugin) -> None:
        """Take a plugin into use; raises ``UnusablePluginError`` where its endpoint is taken."""
        siblings = self._plugins.setdefault(plugin.driver, [])
        if any(other.endpoint == plugin.endpoint for other in siblings):
            raise UnusablePluginError(
                f"endpoint {plugin.endpoint} already registered "
                f"for DRA driver plugin {plugin.driver}"
            )
        plugin.observe = self._observe
        siblings.append(plugin)
        monitor = plugin.monitor(lambda: self._connection_changed(plugin.driver))
        self._tasks[plugin] = [asyncio.ensure_future(monitor)]
        if plugin.services.health:
            self._tasks[plugin].append(asyncio.ensure_future(self._follow(plugin)))
        self._connection_changed(plugin.driver)

    async def remove(self, plugin: Plugin) -> None:
        """Forget a plugin: its registration socket is gone."""
        self._plugins[plugin.driver].remove(plugin)
        for task in self._tasks.pop(plugin):
            await cancelled(task)
        await plugin.close()
        self._connection_changed(plugin.driver)

    def get(self, driver: str) -> Plugin:
        """Return the plugin to call; raises ``DriverUnavailableError`` where there is none."""
        plugin = self._pick(self._plugins.get(driver, []))
        if plugin is None:
            raise DriverUnavailableError(f"DRA driver {driver} is not registered")
        return plugin

    def drivers(self) -> list[str]:
        """Return the names of the drivers that have a registered plugin, sorted."""
        return sorted(name for name, plugins in self._plugins.items() if plugins)

    async def close(self) -> None:
        """End every connection and every pending removal; nothing else changes."""
        for task in self._wipes.values():
            await cancelled(task)
        self._wipes.clear()
        for plugins in self._plugins.values():
            for plugin in plugins:
                for task in self._tasks.pop(plugin):
                    await cancelled(task)
                await plugin.close()
        self._plugins.clear()

    def _connection_changed(self, driver: str) -> None:
        usable = any(plugin.connected for plugin in self._plugins.get(driver, []))
        pending = self._wipes.get(driver)
        if usable and pending is not None:
            pending.cancel()
            del self._wipes[driver]
        elif not usable and pending is None:
            self._wipes[driver] = asyncio.ensure_future(self._wipe_later(driver))

    async def _wipe_later(self, driver: str) -> None:
        await self._clock.sleep(self._wiping_delay)
        await self._wipe(driver)
        self._wipes.pop(driver, None)

"""The ports on which a driver listens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import grpc.aio

from conformance.reference.driver import plugin
from conformance.reference.driver.config import DriverConfig
from conformance.reference.driver.telling.metrics import DriverMetrics
from conformance.reference.faults.seams import Faults
from conformance.reference.measuring.endpoint import Endpoint


async def end_metrics(endpoint: Endpoint) -> None:
    """Stop to tell metrics."""
    await endpoint.stop()


class Ports:
    """Those of one instance, as far as its configuration names them."""

    def __init__(self, config: DriverConfig, metrics: DriverMetrics, faults: Faults) -> None:
        self._config = config
        self._join = faults.wrap("driver.probes", plugin.join)
        self._end_metrics: Callable[[Endpoint], Awaitable[None]] = faults.wrap(
            "driver.end_metrics", end_metrics
        )
        self._metrics = Endpoint(metrics.answer)
        self._probes: grpc.aio.Server | None = None

    async def start(self, probe: plugin.Probe) -> None:
        """Listen; raises ``OSError`` for a port that is taken."""
        if self._config.healthcheck_port:
            self._probes = grpc.aio.server()
            self._join(probe, self._probes)
            self._probes.add_insecure_port(f"127.0.0.1:{self._config.healthcheck_port}")
            await self._probes.start()
        if self._config.metrics_port:
            await self._metrics.start(self._config.metrics_port)

    async def stop(self) -> None:
        """Listen no more."""
        if self._probes is not None:
            await self._probes.stop(0)
        await self._end_metrics(self._metrics)

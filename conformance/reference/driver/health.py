"""The health service of the driver: one stream per kubelet, renewed before it expires."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.clock import Clock
from conformance.reference.driver.config import HealthConfig
from conformance.reference.faults.seams import Faults
from conformance.wire import (
    dra_health_v1_pb2,
    dra_health_v1_pb2_grpc,
    dra_health_v1alpha1_pb2,
    dra_health_v1alpha1_pb2_grpc,
)

#: Per service: its messages, and how a servicer joins a server.
SERVICES: Mapping[str, tuple[Any, Callable[..., None]]] = {
    "v1.DRAResourceHealth": (
        dra_health_v1_pb2,
        dra_health_v1_pb2_grpc.add_DRAResourceHealthServicer_to_server,
    ),
    "v1alpha1.DRAResourceHealth": (
        dra_health_v1alpha1_pb2,
        dra_health_v1alpha1_pb2_grpc.add_DRAResourceHealthServicer_to_server,
    ),
}

_NUMBERS = {"Unknown": 0, "Healthy": 1, "Unhealthy": 2}


@attrs.frozen(kw_only=True)
class DeviceState:
    """The health of one device: Healthy, Unhealthy or Unknown, and why.

    ``timeout_seconds`` 0 stands for the driver's own setting.
    """

    health: str = "Healthy"
    message: str = ""
    timeout_seconds: int = 0


class Health:
    """The state of every device of a pool; devices are healthy until somebody says otherwise."""

    def __init__(self, pool: str, devices: Iterable[str], config: HealthConfig) -> None:
        self._pool = pool
        self._config = config
        self._states = {name: DeviceState() for name in devices}
        self._present = frozenset(self._states)
        self._changed = asyncio.Event()
        self.silent = False
        #: How many streams are open, of any version.
        self.listeners = 0

    @property
    def changed(self) -> asyncio.Event:
        """Set, and replaced by a fresh one, with every change."""
        return self._changed

    @property
    def period(self) -> float:
        """Seconds between two reports while nothing changes."""
        return self._config.period

    def set(self, device: str, state: DeviceState) -> None:
        """Give a device another state; raises ``KeyError`` for a device that is not there."""
        if device not in self._states:
            raise KeyError(device)
        self._states[device] = state
        self._announce()

    def state(self, device: str) -> DeviceState:
        """Return the state of a device; raises ``KeyError`` for one that never was there."""
        return self._states[device]

    def present(self, devices: Iterable[str]) -> None:
        """Report these devices from now on, and no others."""
        self._present = frozenset(devices)
        self._states = {name: DeviceState() for name in self._present} | self._states
        self._announce()

    def be_silent(self, silent: bool) -> None:
        """Send no further report (or send again), while the stream stays open."""
        self.silent = silent
        self._announce()

    def report(self, messages: Any, now: int) -> Any:
        """Return a report of all devices in the messages of one version."""
        return messages.NodeWatchResourcesResponse(
            devices=[self._device(messages, name, now) for name in sorted(self._present)]
        )

    def _device(self, messages: Any, name: str, now: int) -> Any:
        state = self._states[name]
        device = messages.DeviceHealth(
            device=messages.DeviceIdentifier(pool_name=self._pool, device_name=name),
            health=_NUMBERS[state.health],
            last_updated_time=now,
        )
        fields = messages.DeviceHealth.DESCRIPTOR.fields_by_name
        if "message" in fields:
            device.message = state.message
        if "health_check_timeout_seconds" in fields:
            timeout = state.timeout_seconds or self._config.timeout_seconds
            device.health_check_timeout_seconds = timeout
        return device

    def _announce(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def taints(driver: str, states: Mapping[str, DeviceState]) -> Mapping[str, list[Object]]:
    """Return the taints of each device: one of the driver's where it is unhealthy."""
    key = f"{driver}/unhealthy"
    return {
        name: [{"key": key, "effect": "NoSchedule"}] if state.health == "Unhealthy" else []
        for name, state in states.items()
    }


class HealthService:
    """The servicer of one version of DRAResourceHealth."""

    def __init__(
        self,
        health: Health,
        service: str,
        *,
        driver: str,
        endpoint: str,
        clock: Clock,
        faults: Faults,
    ) -> None:
        """``endpoint`` is the path of the socket that it is served on."""
        self._endpoint = endpoint
        self._health = health
        self._driver = driver
        self._messages = SERVICES[service][0]
        self._clock = clock
        self._report = faults.wrap("driver.health_report", health.report)
        self._service = service
        self._stream = faults.wrap("driver.health_stream", self._reports)

    async def NodeWatchResources(  # noqa: N802 - the wire's
        self,
        request: Any,  # noqa: ARG002 - the wire's
        context: Any,  # noqa: ARG002 - the wire's
    ) -> AsyncIterator[Any]:
        """Send reports for as long as somebody listens."""
        self._health.listeners += 1
        self._clock.expect(self._endpoint, self._health.listeners, messages=0)
        try:
            async for report in self._stream(self._service, self._driver):
                self._clock.expect(self._endpoint, self._health.listeners)
                # Held until the report was sent: time must not outrun it to the kubelet.
                with self._clock.calling():
                    yield report
        finally:
            self._health.listeners -= 1

    async def _reports(self, _service: str, _driver: str) -> AsyncIterator[Any]:
        """Report now, with every change, and once per period."""
        while True:
            changed = self._health.changed
            if not self._health.silent:
                report = self._report(self._messages, int(self._clock.now().timestamp()))
                yield report
            await self._change_or_period(changed)

    async def _change_or_period(self, changed: asyncio.Event) -> None:
        waits: set[asyncio.Future[Any]] = {
            asyncio.ensure_future(changed.wait()),
            asyncio.ensure_future(self._clock.sleep(self._health.period)),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

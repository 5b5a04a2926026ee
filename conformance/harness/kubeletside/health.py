"""Watching the health of a driver's devices, as a kubelet does: one stream, read as it comes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs
import grpc

from conformance.harness.kubeletside.noting import exchange
from conformance.harness.kubeletside.registration import Registration, channel, reason
from conformance.wire import (
    dra_health_v1_pb2,
    dra_health_v1_pb2_grpc,
    dra_health_v1alpha1_pb2,
    dra_health_v1alpha1_pb2_grpc,
)

#: The versions of the health service, the one that a kubelet prefers first.
SERVICES: Mapping[str, tuple[Any, Callable[[grpc.Channel], Any]]] = {
    "v1.DRAResourceHealth": (dra_health_v1_pb2, dra_health_v1_pb2_grpc.DRAResourceHealthStub),
    "v1alpha1.DRAResourceHealth": (
        dra_health_v1alpha1_pb2,
        dra_health_v1alpha1_pb2_grpc.DRAResourceHealthStub,
    ),
}

#: What the numbers of a report mean.
_STATES = {0: "Unknown", 1: "Healthy", 2: "Unhealthy"}

#: Real seconds that a report is on its way at most: a target whose time is virtual sends it
#: while no time passes.
_ON_ITS_WAY = 0.3


@attrs.frozen(kw_only=True)
class DeviceHealth:
    """The health of one device in one report.

    ``updated`` is a Unix time in seconds, ``timeout`` in seconds; 0 leaves it to the kubelet.
    """

    pool: str
    name: str
    health: str
    message: str = ""
    updated: int = 0
    timeout: int = 0


@attrs.frozen
class Report:
    """One message of the stream."""

    devices: tuple[DeviceHealth, ...]

    @property
    def names(self) -> frozenset[tuple[str, str]]:
        """Pool and name of every device."""
        return frozenset((one.pool, one.name) for one in self.devices)

    def of(self, pool: str, name: str) -> DeviceHealth | None:
        """Return what it says of one device, None where it says nothing."""
        for one in self.devices:
            if (one.pool, one.name) == (pool, name):
                return one
        return None


class Stream:
    """What a driver has sent since the stream was opened; read in a thread of its own."""

    def __init__(self, call: Any, take: Callable[[Any], None]) -> None:
        """``take`` is handed every message as it comes."""
        self._call = call
        self._heard = take
        self._reports: list[Report] = []
        self._ended = ""
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def reports(self, enough: Callable[[list[Report]], bool]) -> list[Report]:
        """Return what has come so far, after a moment more where that is not yet enough."""
        with self._news:
            self._news.wait_for(lambda: self._ended or enough(self._reports), _ON_ITS_WAY)
            return list(self._reports)

    @property
    def ended(self) -> str:
        """Return how the driver ended the stream, empty while it is open."""
        with self._news:
            return self._ended

    def close(self) -> None:
        """Let go of the stream, as a kubelet that ends."""
        self._call.cancel()
        self._thread.join()

    def _read(self) -> None:
        end = "the driver closed it"
        try:
            for message in self._call:
                self._take(message)
        except grpc.RpcError as error:
            end = reason(error)
        with self._news:
            self._ended = end
            self._news.notify_all()

    def _take(self, message: Any) -> None:
        self._heard(message)
        report = Report(tuple(map(_device, message.devices)))
        with self._news:
            self._reports.append(report)
            self._news.notify_all()


def offered(driver: Registration) -> list[str]:
    """Return the versions of the health service that a driver announces."""
    return [one for one in driver.services if one in SERVICES]


@contextlib.contextmanager
def watched(driver: Registration, service: str) -> Iterator[Stream]:
    """Open a stream of one version, and let go of it at the end."""
    messages, stub = SERVICES[service]
    with channel(driver.endpoint) as opened:
        request = messages.NodeWatchResourcesRequest()
        name = (service, "NodeWatchResources")
        call = stub(opened).NodeWatchResources(request)
        stream = Stream(call, lambda one: driver.note(exchange(name, request, "a report", one)))
        try:
            yield stream
        finally:
            stream.close()


def _device(entry: Any) -> DeviceHealth:
    return DeviceHealth(
        pool=entry.device.pool_name,
        name=entry.device.device_name,
        health=_STATES.get(entry.health, str(entry.health)),
        message=getattr(entry, "message", ""),
        updated=entry.last_updated_time,
        timeout=getattr(entry, "health_check_timeout_seconds", 0),
    )

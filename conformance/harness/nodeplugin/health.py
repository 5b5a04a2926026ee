"""The health stream of the double: what it says of each device, and when it falls silent."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from conformance.harness.nodeplugin.calls import Call, Calls
from conformance.wire import (
    dra_health_v1_pb2,
    dra_health_v1_pb2_grpc,
    dra_health_v1alpha1_pb2,
    dra_health_v1alpha1_pb2_grpc,
)

#: Per version of the health API: its messages, and how a servicer joins a server.
VERSIONS: Mapping[str, tuple[Any, Callable[..., None]]] = {
    "v1": (dra_health_v1_pb2, dra_health_v1_pb2_grpc.add_DRAResourceHealthServicer_to_server),
    "v1alpha1": (
        dra_health_v1alpha1_pb2,
        dra_health_v1alpha1_pb2_grpc.add_DRAResourceHealthServicer_to_server,
    ),
}

#: How often, in real seconds, an idle stream looks whether its peer has gone.
_LOOK = 0.2

#: How long, in real seconds, a message may take to leave, and how often that is looked at.
_PATIENCE = 2.0
_BLINK = 0.0005


@attrs.frozen(kw_only=True)
class DeviceHealth:
    """What the double says of one device."""

    pool: str
    device: str
    health: str
    message: str = ""
    timeout_seconds: int = 0


class HealthService:
    """DRAResourceHealth of one version: a server stream to every kubelet that asks."""

    def __init__(
        self,
        version: str,
        *,
        calls: Calls,
        clock: Callable[[], float],
        announce: Callable[[int, int], None] = lambda *_: None,
    ) -> None:
        """Describe the service.

        ``announce`` is called with the number of streams and of messages: before each message of
        each stream, and with every new stream.
        """
        self._announce = announce
        self._version = version
        self._messages = VERSIONS[version][0]
        self._calls = calls
        self._clock = clock
        self._lock = threading.Lock()
        self._forgetful = False
        self._known: dict[tuple[str, str], DeviceHealth] = {}
        self._streams: list[queue.Queue[Any]] = []

    def NodeWatchResources(self, request: Any, context: Any) -> Iterator[Any]:  # noqa: N802
        """Stream what is known, then every report, until either side ends it."""
        self._calls.add(Call(method="NodeWatchResources", version=f"health/{self._version}"))
        reports: queue.Queue[Any] = queue.Queue()
        # A stream that has ended must not count as one that listens.
        context.add_callback(lambda: reports.put(None))
        with self._lock:
            self._streams.append(reports)
            at_once = bool(self._known) and not self._forgetful
            self._announce(len(self._streams), int(at_once))
            if at_once:
                reports.put(self._response(list(self._known.values())))
        try:
            yield from self._reports(reports, context)
        finally:
            with self._lock:
                self._streams.remove(reports)

    def report(self, *devices: DeviceHealth) -> int:
        """Send one message about these devices; return how many streams it went to.

        Returns once each stream has handed the message to its transport.
        """
        with self._lock:
            for device in devices:
                self._known[(device.pool, device.device)] = device
            streams = list(self._streams)
        for stream in streams:
            self._announce(len(streams), 1)
            stream.put(self._response(list(devices)))
        for stream in streams:
            _sent(stream)
        return len(streams)

    def forget(self) -> None:
        """Send nothing by itself to a kubelet that opens a stream from now on."""
        self._forgetful = True

    def streams(self) -> int:
        """Return how many kubelets are listening."""
        with self._lock:
            return len(self._streams)

    def end_streams(self) -> None:
        """End every open stream, as a driver does that restarts its health service."""
        with self._lock:
            for stream in self._streams:
                stream.put(None)

    def _reports(self, reports: queue.Queue[Any], context: Any) -> Iterator[Any]:
        while context.is_active():
            try:
                report = reports.get(timeout=_LOOK)
            except queue.Empty:
                continue
            if report is None:
                reports.task_done()
                return
            yield report
            # gRPC asks for the next message only after it has sent this one.
            reports.task_done()

    def _response(self, devices: list[DeviceHealth]) -> Any:
        messages = self._messages
        return messages.NodeWatchResourcesResponse(
            devices=[
                messages.DeviceHealth(
                    device=messages.DeviceIdentifier(
                        pool_name=device.pool, device_name=device.device
                    ),
                    health=messages.HealthStatus.Value(device.health.upper()),
                    last_updated_time=int(self._clock()),
                    health_check_timeout_seconds=device.timeout_seconds,
                    message=device.message,
                )
                for device in devices
            ]
        )


def _sent(stream: queue.Queue[Any]) -> None:
    """Wait until a stream has sent all that was put in, or its peer has gone."""
    deadline = time.monotonic() + _PATIENCE
    while stream.unfinished_tasks and time.monotonic() < deadline:
        time.sleep(_BLINK)


def wall_clock() -> float:
    """Return the machine's Unix time, which a real kubelet compares with its own."""
    return time.time()

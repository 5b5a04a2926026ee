"""The health of devices as drivers last reported it, in memory and on disk."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Faults

HEALTHY = "Healthy"
UNHEALTHY = "Unhealthy"
UNKNOWN = "Unknown"

#: Seconds after which an unrenewed report says nothing any more, unless it names its own.
DEFAULT_TIMEOUT = 30.0

#: The longest message, in characters, that goes into a Pod status.
MESSAGE_LIMIT = 1024

#: Devices that are kept per driver: nobody checks reports against ResourceSlices.
DEVICES_PER_DRIVER = 16384


@attrs.frozen(kw_only=True)
class DeviceHealth:
    """One report of one device; ``timeout`` in seconds."""

    pool: str
    device: str
    health: str = UNKNOWN
    message: str = ""
    timeout: float = DEFAULT_TIMEOUT
    updated: datetime | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Pool and device."""
        return self.pool, self.device

    @property
    def expires(self) -> datetime | None:
        """The instant from which the report says nothing any more."""
        return self.updated + timedelta(seconds=self.timeout) if self.updated else None


def health_of(value: int) -> str:
    """Return the state that a number of the health API stands for."""
    return {1: HEALTHY, 2: UNHEALTHY}.get(value, UNKNOWN)


def timeout_of(seconds: int) -> float:
    """Return the timeout of a report: its own one if it is positive, else the default."""
    return float(seconds) if seconds > 0 else DEFAULT_TIMEOUT


def truncated(message: str) -> str:
    """Return a message that is short enough for a Pod status."""
    if len(message) <= MESSAGE_LIMIT:
        return message
    return message[: MESSAGE_LIMIT - 3] + "..."


def has_expired(report: DeviceHealth, now: datetime) -> bool:
    """Tell whether a report was not renewed in time."""
    return report.expires is None or now >= report.expires


def accept(_known: DeviceHealth | None, report: DeviceHealth) -> DeviceHealth:
    """Return what is kept of a device: the latest report, whatever was known before."""
    return report


class HealthCache:
    """Reports by driver and device; every reader sees expired ones as Unknown."""

    def __init__(self, path: Path, *, now: Callable[[], datetime], faults: Faults) -> None:
        """Read what a kubelet before this one has left; nothing readable is nothing known."""
        self._path = path
        self._now = now
        self._health_of = faults.wrap("kubelet.health_state", health_of)
        self._timeout_of = faults.wrap("kubelet.health_timeout", timeout_of)
        self._message_of = faults.wrap("kubelet.health_message", truncated)
        self._accept = faults.wrap("kubelet.health_report", accept)
        self._has_expired = faults.wrap("kubelet.health_expired", has_expired)
        self._save = faults.wrap("kubelet.save_health", _save)
        self._reports = faults.wrap("kubelet.load_health", _load)(path)

    def get(self, driver: str, pool: str, device: str) -> DeviceHealth:
        """Return what is known of a device now."""
        report = self._reports.get(driver, {}).get((pool, device))
        if report is None or self._has_expired(report, self._now()):
            return DeviceHealth(pool=pool, device=device)
        return report

    def update(self, driver: str, devices: Iterable[Any]) -> list[tuple[str, str]]:
        """Take one message of a driver; returns (pool, device) of what looks different now.

        Devices that the message leaves out keep their last report until it expires.
        """
        known = self._reports.setdefault(driver, {})
        changed: list[tuple[str, str]] = []
        for device in devices:
            report = self._report(device)
            if report.key not in known and len(known) >= DEVICES_PER_DRIVER:
                continue
            if self._looks(known.get(report.key)) != self._looks(report):
                changed.append(report.key)
            known[report.key] = self._accept(known.get(report.key), report)
        self._save(self._path, self._reports)
        return changed

    def expire(self) -> dict[str, list[tuple[str, str]]]:
        """Forget expired reports; returns the devices by driver that turned Unknown so."""
        gone: dict[str, list[tuple[str, str]]] = {}
        for driver, known in self._reports.items():
            for key in [k for k, r in known.items() if self._has_expired(r, self._now())]:
                if known.pop(key).health != UNKNOWN:
                    gone.setdefault(driver, []).append(key)
        if gone:
            self._save(self._path, self._reports)
        return gone

    def clear(self, driver: str) -> list[tuple[str, str]]:
        """Forget a driver, because its stream ended; returns the devices that it had."""
        known = self._reports.pop(driver, {})
        self._save(self._path, self._reports)
        return list(known)

    def next_expiry(self) -> datetime | None:
        """Return when the next report expires, if there is one."""
        instants = [
            report.expires
            for known in self._reports.values()
            for report in known.values()
            if report.expires is not None
        ]
        return min(instants, default=None)

    def _report(self, device: Any) -> DeviceHealth:
        timeout = getattr(device, "health_check_timeout_seconds", 0)
        return DeviceHealth(
            pool=device.device.pool_name,
            device=device.device.device_name,
            health=self._health_of(device.health),
            message=self._message_of(getattr(device, "message", "")),
            timeout=self._timeout_of(timeout),
            updated=self._now(),
        )

    def _looks(self, report: DeviceHealth | None) -> tuple[str, str, float] | None:
        if report is None or self._has_expired(report, self._now()):
            return None
        return report.health, report.message, report.timeout


def _save(path: Path, reports: dict[str, dict[tuple[str, str], DeviceHealth]]) -> None:
    document: Object = {
        driver: {"Devices": {"/".join(key): _state(report) for key, report in known.items()}}
        for driver, known in reports.items()
    }
    fresh = path.with_name(f"{path.name}.tmp")
    fresh.write_text(json.dumps(document), "utf-8")
    os.replace(fresh, path)  # noqa: PTH105 - atomic, as Path.replace is, and known to be


def _load(path: Path) -> dict[str, dict[tuple[str, str], DeviceHealth]]:
    try:
        document = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return {
        driver: {report.key: report for report in map(_known, state["Devices"].values())}
        for driver, state in document.items()
    }


def _state(report: DeviceHealth) -> Object:
    return {
        "PoolName": report.pool,
        "DeviceName": report.device,
        "Health": report.health,
        "LastUpdated": report.updated.isoformat() if report.updated else None,
        "HealthCheckTimeout": report.timeout,
        "Message": report.message,
    }


def _known(state: Object) -> DeviceHealth:
    updated = state["LastUpdated"]
    return DeviceHealth(
        pool=state["PoolName"],
        device=state["DeviceName"],
        health=state["Health"],
        message=state["Message"],
        timeout=state["HealthCheckTimeout"],
        updated=datetime.fromisoformat(updated) if updated else None,
    )

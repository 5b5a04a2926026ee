"""Saboteurs of a driver's health stream: what each does wrong stands in ``driver_health.yaml``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from conformance.reference.faults.seams import Saboteur

_HEALTHY, _UNHEALTHY = 1, 2

#: A stream of reports, by the version of the service and the name of the driver.
_Reports = Callable[[str, str], AsyncIterator[Any]]


def first_alone(real: Callable[..., Any], *given: Any) -> Any:
    """Leave out all devices but the first."""
    report = real(*given)
    del report.devices[1:]
    return report


def with_a_stranger(real: Callable[..., Any], *given: Any) -> Any:
    """Add a device that is nowhere published."""
    report = real(*given)
    report.devices.add().CopyFrom(report.devices[0])
    report.devices[-1].device.device_name = "a-strangers"
    report.devices[-1].health = _HEALTHY
    return report


def all_well(real: Callable[..., Any], *given: Any) -> Any:
    """Say that every device is healthy."""
    report = real(*given)
    for one in report.devices:
        one.health = _HEALTHY
    return report


def talkative(real: Callable[..., Any], *given: Any) -> Any:
    """Say more than fits."""
    report = real(*given)
    for one in report.devices:
        if "message" in one.DESCRIPTOR.fields_by_name:
            one.message = "x" * 2000
    return report


def in_milliseconds(real: Callable[..., Any], *given: Any) -> Any:
    """Tell another time."""
    report = real(*given)
    for one in report.devices:
        one.last_updated_time *= 1000
    return report


def infected(real: Callable[..., Any], *given: Any) -> Any:
    """Let the failure of one be the failure of all."""
    report = real(*given)
    if any(one.health == _UNHEALTHY for one in report.devices):
        for one in report.devices:
            one.health = _UNHEALTHY
    return report


async def without_alpha(real: _Reports, service: str, driver: str) -> AsyncIterator[Any]:
    """Serve v1 alone."""
    if service.startswith("v1alpha1"):
        raise NotImplementedError("method NodeWatchResources not implemented")
    async for report in real(service, driver):
        yield report


async def changes_alone(real: _Reports, service: str, driver: str) -> AsyncIterator[Any]:
    """Leave out what says the same as before."""
    last: list[int] | None = None
    async for report in real(service, driver):
        health = [one.health for one in report.devices]
        if health != last:
            yield report
        last = health


async def stub(real: _Reports, service: str, driver: str) -> AsyncIterator[Any]:
    """Send one report, and no more."""
    async for report in real(service, driver):
        yield report
        return


async def grudge(real: _Reports, service: str, driver: str) -> AsyncIterator[Any]:
    """Remember what has ever failed, and report it as unhealthy for ever."""
    failed: set[str] = set()
    async for report in real(service, driver):
        for one in report.devices:
            if one.health == _UNHEALTHY:
                failed.add(one.device.device_name)
            if one.device.device_name in failed:
                one.health = _UNHEALTHY
        yield report


class OneListener:
    """Notices when a stream of a driver's process is closed, and nothing after that."""

    def __init__(self) -> None:
        self._closed: set[tuple[_Reports, str]] = set()

    async def __call__(self, real: _Reports, service: str, driver: str) -> AsyncIterator[Any]:
        """Report until somebody hangs up; later listeners wait for ever."""
        if (real, driver) in self._closed:
            await asyncio.Event().wait()
        try:
            async for report in real(service, driver):
                yield report
        finally:
            self._closed.add((real, driver))


class AllWellAtStart:
    """Remembers by whom each stream of a driver was served first."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], Any] = {}

    async def __call__(self, real: _Reports, service: str, driver: str) -> AsyncIterator[Any]:
        """Report no failure by anybody else."""
        is_first = self._first.setdefault((service, driver), real) == real
        async for report in real(service, driver):
            yield report if is_first else all_well(lambda told: told, report)


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-health-half-a-snapshot": first_alone,
    "driver-health-version-unserved": without_alpha,
    "driver-health-of-strangers": with_a_stranger,
    "driver-health-said-once": changes_alone,
    "driver-health-good-news-only": all_well,
    "driver-health-without-recovery": grudge,
    "driver-health-stub": stub,
    "driver-health-one-listener": OneListener(),
    "driver-health-long-message": talkative,
    "driver-health-milliseconds": in_milliseconds,
    "driver-health-all-alike": infected,
    "driver-health-all-well-at-start": AllWellAtStart(),
}

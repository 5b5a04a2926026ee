"""Saboteurs of device health: what each one does wrong stands in ``health.yaml``."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur


async def open_second_stream(
    real: Callable[[Any], AsyncIterator[Any]], plugin: Any
) -> AsyncIterator[Any]:
    """Open another stream beside the one that is followed, and read nothing from it."""
    spare = asyncio.ensure_future(anext(real(plugin)))
    try:
        async for devices in real(plugin):
            yield devices
    finally:
        spare.cancel()
        with contextlib.suppress(BaseException):
            await spare


def demand_service(real: Callable[[Sequence[str]], Any], versions: Sequence[str]) -> Any:
    """Refuse a driver that offers no health service, as one that offers nothing."""
    offers = any(version.endswith("DRAResourceHealth") for version in versions)
    return real(versions if offers else ())


def unknown_is_healthy(real: Callable[[int], str], value: int) -> str:
    """Take 0 for 1."""
    return real(value or 1)


def first_container_only(
    real: Callable[[Object, Object], list[Object]], pod: Object, container: Object
) -> list[Object]:
    """Say nothing of any container but the first."""
    first = pod["spec"]["containers"][0]["name"]
    return real(pod, container) if container["name"] == first else []


def named_resourceclaim(real: Callable[[str, str], str], claim: str, request: str) -> str:
    """Use another prefix for one request: an API server takes none, and no health is told."""
    return f"resource{real(claim, request)}" if request else real(claim, request)


def id_of_its_own(real: Callable[[str, Any], str], driver: str, device: Any) -> str:
    """Put something in front of the id."""
    return f"kubelet/{real(driver, device)}"


def without_message(_real: Callable[..., Object], entry: Object, _health: Any) -> Object:
    """Leave the message out."""
    return entry


def default_of_300s(real: Callable[[int], float], seconds: int) -> float:
    """Wait longer where the driver says nothing."""
    return real(seconds) if seconds > 0 else 300.0


def capped_at_100s(real: Callable[[int], float], seconds: int) -> float:
    """Never wait longer than 100 s."""
    return min(real(seconds), 100.0)


def always_the_default(real: Callable[[int], float], _seconds: int) -> float:
    """Ignore what the driver says."""
    return real(0)


class SecondPodForgotten:
    """Remembers which Pod came first to a claim; later ones see what they saw first."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], str] = {}
        self._stale: dict[str, list[Object]] = {}

    def __call__(
        self, real: Callable[[Object, Object], list[Object]], pod: Object, container: Object
    ) -> list[Object]:
        """Answer from memory for every Pod of a claim but the first."""
        uid, namespace = pod["metadata"]["uid"], pod["metadata"]["namespace"]
        names = [one.get("resourceClaimName", uid) for one in pod["spec"]["resourceClaims"]]
        if all(self._first.setdefault((namespace, name), uid) == uid for name in names):
            return real(pod, container)
        if uid not in self._stale:
            self._stale[uid] = real(pod, container)
        return self._stale[uid]


class SpillsOver:
    """Remembers which devices of each driver were unhealthy."""

    def __init__(self) -> None:
        self._sick: dict[str, set[str]] = {}

    def __call__(self, real: Callable[[str, Any], Object], driver: str, device: Any) -> Object:
        """Show a healthy device as unhealthy where another one of the driver was."""
        entry = real(driver, device)
        sick = self._sick.setdefault(driver, set())
        if entry["health"] == "Unhealthy":
            sick.add(device.device)
        spilled = entry["health"] == "Healthy" and bool(sick - {device.device})
        return {**entry, "health": "Unhealthy"} if spilled else entry


def nothing_known(_real: Callable[..., Any], _path: Any) -> dict[str, Any]:
    """Read nothing."""
    return {}


def never_recovers(_real: Callable[..., Any], known: Any, fresh: Any) -> Any:
    """Keep an unhealthy device unhealthy."""
    sick = known is not None and known.health == "Unhealthy"
    return attrs.evolve(fresh, health="Unhealthy") if sick else fresh


def made_up(
    real: Callable[..., None], resource: str, new: Object, old: Object, features: Any, *rest: Any
) -> None:
    """Put an entry into each container's status while the gate is off."""
    real(resource, new, old, features, *rest)
    if resource != "pods" or features.enabled("ResourceHealthStatus"):
        return
    for status in new.get("status", {}).get("containerStatuses") or []:
        status["allocatedResourcesStatus"] = [{"name": "claim:device", "resources": []}]


def ignore_v1alpha1(real: Callable[[Sequence[str]], Any], versions: Sequence[str]) -> Any:
    """Overlook the old version of the health service."""
    return real([one for one in versions if one != "v1alpha1.DRAResourceHealth"])


def all_healthy(real: Callable[[Any, int], Any], messages: Any, now: int) -> Any:
    """Report 1 for every device."""
    report = real(messages, now)
    for device in report.devices:
        device.health = 1
    return report


def drop_status(real: Callable[..., None], resource: str, new: Object, *rest: Any) -> None:
    """Drop the field where no container is said to have an id, as before it runs."""
    real(resource, new, *rest)
    if resource != "pods":
        return
    for status in new.get("status", {}).get("containerStatuses") or []:
        if not status.get("containerID") and not status.get("imageID"):
            status.pop("allocatedResourcesStatus", None)


SABOTEURS: Mapping[str, Saboteur] = {
    "health-second-stream": open_second_stream,
    "health-service-demanded": demand_service,
    "health-unknown-as-healthy": unknown_is_healthy,
    "health-of-first-container-only": first_container_only,
    "health-entry-named-after-resource": named_resourceclaim,
    "health-id-of-its-own": id_of_its_own,
    "health-message-dropped": without_message,
    "health-default-timeout-of-300s": default_of_300s,
    "health-timeout-capped": capped_at_100s,
    "health-timeout-of-device-ignored": always_the_default,
    "health-second-pod-forgotten": SecondPodForgotten(),
    "health-spills-over": SpillsOver(),
    "health-forgotten-at-restart": nothing_known,
    "health-never-recovers": never_recovers,
    "health-gate-ignored": made_up,
    "health-v1alpha1-ignored": ignore_v1alpha1,
    "health-failure-not-reported": all_healthy,
    "health-status-dropped": drop_status,
}

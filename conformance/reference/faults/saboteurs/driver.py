"""Saboteurs of what every driver owes: what each one does wrong stands in ``driver.yaml``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from conformance.kube.objects import Object, uid_of
from conformance.reference.faults.seams import Saboteur


def another_type(real: Callable[..., Any], *given: Any) -> Any:
    """Change the type in the handshake."""
    info = real(*given)
    info.type = "DevicePlugin"
    return info


def no_slices(_real: Callable[..., list[Object]], *_given: Any) -> list[Object]:
    """Want no slices at all."""
    return []


def undescribed(real: Callable[..., list[Object]], *given: Any) -> list[Object]:
    """Leave nothing but the names of the devices."""
    return [
        {**spec, "devices": [{"name": one["name"]} for one in spec["devices"]]}
        for spec in real(*given)
    ]


def one_slice_short(real: Callable[..., list[Object]], *given: Any) -> list[Object]:
    """Count a slice that is not there."""
    specs = real(*given)
    return [
        {**spec, "pool": {**spec["pool"], "resourceSliceCount": len(specs) + 1}} for spec in specs
    ]


def allocate_elsewhere(
    real: Callable[..., list[Object] | None], *given: Any, **named: Any
) -> list[Object] | None:
    """Write the name of another device into the allocation."""
    found = real(*given, **named)
    for allocation in found or []:
        for result in allocation["devices"]["results"]:
            result["device"] += "-elsewhere"
    return found


def tainted(real: Callable[..., list[Object]], *given: Any) -> list[Object]:
    """Publish every device with a taint that no claim tolerates."""
    taint = {"key": "driver.example.com/not-ready", "effect": "NoSchedule"}
    return [
        {**spec, "devices": [{**one, "taints": [taint]} for one in spec["devices"]]}
        for spec in real(*given)
    ]


def for_another_request(real: Callable[..., tuple[Any, ...]], *given: Any) -> tuple[Any, ...]:
    """Call devices by the name of a request that the claim does not have."""
    return tuple(attrs.evolve(one, requests=("default",)) for one in real(*given))


class FirstCome:
    """Plays a driver's part in the container runtime, which remembers who used a claim first."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], str] = {}

    def __call__(self, real: Callable[..., list[str]], pod: Object, container: Object) -> list[str]:
        """Return the devices for that Pod, and none for another one."""
        space, uid = pod["metadata"]["namespace"], uid_of(pod)
        claims = [one.get("resourceClaimName") for one in pod["spec"].get("resourceClaims") or []]
        first = [self._first.setdefault((space, name), uid) for name in claims if name]
        return real(pod, container) if set(first) <= {uid} else []


def break_off(_real: Callable[[Object], Any], _claim: Object) -> Any:
    """Fail in a way that nobody catches."""
    raise RuntimeError("the driver has lost its mind")


def one_device_more(real: Callable[..., tuple[Any, ...]], *given: Any) -> tuple[Any, ...]:
    """Add a device that nobody allocated."""
    devices = real(*given)
    return (*devices, *(attrs.evolve(one, device="a-strangers") for one in devices[:1]))


def unknown_cdi_device(real: Callable[..., tuple[Any, ...]], *given: Any) -> tuple[Any, ...]:
    """Name CDI devices that are not there."""
    return tuple(
        attrs.evolve(one, cdi_ids=tuple(f"{name}-lost" for name in one.cdi_ids))
        for one in real(*given)
    )


def no_environment(_real: Callable[..., Mapping[str, str]], *_given: Any) -> Mapping[str, str]:
    """Have nothing to tell the container."""
    return {}


def refuse(_real: Callable[..., None], *_given: Any) -> None:
    """Undo nothing."""
    raise OSError("the device is stuck")


class OnlyOnce:
    """Remembers which claim a device was prepared for, whatever became of the claim."""

    def __init__(self) -> None:
        self._users: dict[tuple[str, str, str], str] = {}

    def __call__(self, real: Callable[[Object], Any], claim: Object) -> Any:
        """Refuse a device that another claim has had."""
        for one in claim["status"]["allocation"]["devices"]["results"]:
            key = (one["driver"], one["pool"], one["device"])
            if self._users.setdefault(key, uid_of(claim)) != uid_of(claim):
                raise OSError(f"{one['device']} is busy")
        return real(claim)


async def leave_file(
    real: Callable[[Any, Path], Awaitable[None]], server: Any, socket: Path
) -> None:
    """Put a file where the socket was."""
    await real(server, socket)
    socket.touch()  # noqa: ASYNC240 - one file, local


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-taints-all-devices": tainted,
    "driver-prepares-for-another-request": for_another_request,
    "driver-serves-the-first-pod-alone": FirstCome(),
    "driver-registers-as-something-else": another_type,
    "driver-publishes-nothing": no_slices,
    "driver-devices-undescribed": undescribed,
    "driver-pool-incomplete": one_slice_short,
    "driver-device-allocated-elsewhere": allocate_elsewhere,
    "driver-breaks-off-prepare": break_off,
    "driver-prepares-a-strangers-device": one_device_more,
    "driver-returns-unknown-cdi-device": unknown_cdi_device,
    "driver-injects-nothing": no_environment,
    "driver-refuses-to-unprepare": refuse,
    "driver-serves-a-device-once": OnlyOnce(),
    "driver-leaves-its-socket": leave_file,
}

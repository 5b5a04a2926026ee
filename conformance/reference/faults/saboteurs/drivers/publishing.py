"""Saboteurs of slices: what each one does wrong stands in ``driver_publishing.yaml``."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from conformance.kube.objects import Object, name_of
from conformance.reference.faults.seams import Saboteur

#: Seconds of the driver's clock between two writes that nobody needs.
_PERIOD = 2.0

#: So often something is written that nobody takes.
_INSISTS = 200


def _with_attribute(specs: Sequence[Object], name: str, value: Object) -> list[Object]:
    return [
        {
            **spec,
            "devices": [
                {**one, "attributes": {**one.get("attributes", {}), name: value}}
                for one in spec["devices"]
            ],
        }
        for spec in specs
    ]


def unknown_counter(real: Callable[..., list[Object]], *given: Any) -> list[Object]:
    """Draw from a counter set that nobody publishes."""
    drawn = {"counterSet": "lost", "counters": {"units": {"value": "1"}}}
    return [
        {**spec, "devices": [{**one, "consumesCounters": [drawn]} for one in spec["devices"]]}
        for spec in real(*given)
    ]


def own_domain(real: Callable[..., list[Object]], config: Any, *given: Any) -> list[Object]:
    """Name an attribute once more, with the domain that it has anyway."""
    return _with_attribute(real(config, *given), f"{config.name}/model", {"string": "conformance"})


def short_root(real: Callable[..., list[Object]], *given: Any) -> list[Object]:
    """Write a PCIe root in a form of its own."""
    return _with_attribute(real(*given), "resource.kubernetes.io/pcieRoot", {"string": "0000:00"})


class Once:
    """Publishes, and never again."""

    def __init__(self) -> None:
        self._done: list[Any] = []

    async def __call__(self, real: Callable[[str], Awaitable[None]], key: str) -> None:
        """Do nothing for whoever has published before."""
        if real not in self._done:
            self._done.append(real)
            await real(key)


async def restless(_real: Any, client: Any, clock: Any, driver: str) -> None:
    """Note in every slice how often it was written."""
    count = 0
    while True:
        await clock.sleep(_PERIOD)
        count += 1
        slices, _ = await client.list("resourceslices")
        for one in slices:
            if one["spec"]["driver"] == driver:
                patch = {"metadata": {"annotations": {"written": str(count)}}}
                await client.patch("resourceslices", name_of(one), patch)


class ByOrder:
    """Names devices by the order in which they are found, which is another at each start."""

    def __init__(self) -> None:
        self._starts: Counter[str] = Counter()

    def __call__(self, real: Callable[[Any], Sequence[Object]], config: Any) -> list[Object]:
        """Give each name to the next device at the second start."""
        devices = list(real(config))
        self._starts[config.name] += 1
        if self._starts[config.name] == 1:
            return devices
        turned = [*devices[1:], *devices[:1]]
        return [{**other, "name": one["name"]} for one, other in zip(devices, turned, strict=True)]


def ownerless(real: Callable[..., Object], *given: Any) -> Object:
    """Create slices that stay when their Node goes."""
    made = real(*given)
    return {**made, "metadata": {"generateName": made["metadata"]["generateName"]}}


async def once_only(real: Callable[[str], Awaitable[None]], key: str) -> None:
    """Take a failure for the end of the matter."""
    with contextlib.suppress(Exception):
        await real(key)


def at_once(_real: Callable[[float], float], _seconds: float) -> float:
    """Wait for nothing."""
    return 0.0


async def hammer(real: Callable[[str], Awaitable[None]], key: str) -> None:
    """Try again without a pause, a hundred times."""
    for _ in range(99):
        with contextlib.suppress(Exception):
            await real(key)
            return
    await real(key)


class Insisting:
    """Finds fault with what the server keeps, again and again."""

    def __init__(self) -> None:
        self._writes = 0

    def __call__(self, real: Callable[..., bool], *given: Any) -> bool:
        """Give in after many writes: virtual time would stand still for ever."""
        self._writes += 1
        return self._writes > _INSISTS and real(*given)


async def in_use(_real: Any, client: Any, clock: Any, driver: str) -> None:
    """Mark all devices of the driver while a claim has one of them."""
    while True:
        await clock.sleep(_PERIOD / 4)
        claims, _ = await client.list("resourceclaims")
        if driver not in str([one.get("status") for one in claims]):
            continue
        slices, _ = await client.list("resourceslices")
        for one in slices:
            if one["spec"]["driver"] == driver:
                (marked,) = _with_attribute([one["spec"]], "inUse", {"bool": True})
                await client.patch("resourceslices", name_of(one), {"spec": marked})


class WrongAtFirst:
    """Writes every slice twice: as the API refuses it, and as it is right."""

    def __init__(self) -> None:
        self._calls = 0

    def __call__(self, real: Callable[..., Object], *given: Any) -> Object:
        """Name an attribute as no attribute can be named, every other time."""
        self._calls += 1
        made = real(*given)
        if self._calls % 2 == 0:
            return made
        (wrong,) = _with_attribute([made["spec"]], "numa-1", {"int": 1})
        return {**made, "spec": wrong}


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-draws-from-a-lost-counter": unknown_counter,
    "driver-qualifies-its-own-names": own_domain,
    "driver-writes-a-short-pcie-root": short_root,
    "driver-publishes-once": Once(),
    "driver-rewrites-its-slices": restless,
    "driver-names-devices-by-order": ByOrder(),
    "driver-slices-without-owner": ownerless,
    "driver-gives-up-writing": once_only,
    "driver-ignores-retry-after": at_once,
    "driver-hammers": hammer,
    "driver-insists-on-dropped-fields": Insisting(),
    "driver-marks-devices-in-use": in_use,
    "driver-writes-an-invalid-slice": WrongAtFirst(),
}

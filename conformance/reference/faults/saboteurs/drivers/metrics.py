"""Saboteurs of a driver's metrics: what each does wrong stands in ``driver_metrics.yaml``.

One saboteur serves every driver of a run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import attrs

from conformance.reference.faults.seams import Saboteur

#: The text of samples, and the answer with it.
_Tell = Callable[[Any], str]
_Reply = Callable[[str, Any, int], Awaitable[Any]]

#: Real seconds for an answer that is not given at once.
_A_MOMENT = 0.1


def _edited(edit: Callable[[list[str]], list[str]]) -> Saboteur:
    """Return a saboteur that does so to the lines of the metrics."""

    def tell(real: _Tell, samples: Any) -> str:
        lines = edit(real(samples).splitlines())
        return "".join(f"{line}\n" for line in lines)

    return tell


def add_prose(lines: list[str]) -> list[str]:
    """Say what was on one's mind."""
    return [*lines, "the driver is well"]


def describe_late(lines: list[str]) -> list[str]:
    """Put what the first metric is at the end."""
    return [*lines[1:], lines[0]]


def twice(lines: list[str]) -> list[str]:
    """Tell the last series again."""
    return [*lines, lines[-1]]


def without_infinity(lines: list[str]) -> list[str]:
    """Leave the last buckets out."""
    return [one for one in lines if 'le="+Inf"' not in one]


def as_words(lines: list[str]) -> list[str]:
    """Sort buckets, each where buckets stand."""
    buckets = iter(sorted(one for one in lines if "_bucket{" in one))
    return [next(buckets) if "_bucket{" in one else one for one in lines]


def for_themselves(lines: list[str]) -> list[str]:
    """Take from each bucket but the last what was counted below."""
    below, found = 0.0, list[str]()
    for line in lines:
        head, _, value = line.rpartition(" ")
        if "_bucket{" not in line or 'le="+Inf"' in line:
            found.append(line)
            below = 0.0
        else:
            found.append(f"{head} {float(value) - below:g}")
            below = float(value)
    return found


def as_counter(lines: list[str]) -> list[str]:
    """Mistake a gauge for a counter."""
    return [f"{one[:-5]}counter" if one.endswith(" gauge") else one for one in lines]


class EveryOtherTime:
    """Remembers whether it told everything the last time."""

    def __init__(self) -> None:
        self._told = False

    def __call__(self, real: _Tell, samples: Any) -> str:
        """Leave out what failed every other time."""
        self._told = not self._told
        lines = real(samples).splitlines(keepends=True)
        return "".join(one for one in lines if self._told or 'result="error"' not in one)


def by_uid(
    real: Callable[..., Mapping[str, str]], operation: str, uid: str, error: str
) -> Mapping[str, str]:
    """Tell claims apart."""
    return {"claim": uid, **real(operation, uid, error)}


async def not_found(real: _Reply, body: str, client: Any, calls: int) -> Any:
    """Have nothing there."""
    return attrs.evolve(await real(body, client, calls), code=404)


async def as_page(real: _Reply, body: str, client: Any, calls: int) -> Any:
    """Take it for something to look at."""
    return attrs.evolve(await real(body, client, calls), content_type="text/html; charset=utf-8")


class OneAtATime:
    """Counts the answers that are being given."""

    def __init__(self) -> None:
        self._answering = 0

    async def __call__(self, real: _Reply, body: str, client: Any, calls: int) -> Any:
        """Turn whoever comes meanwhile away."""
        reply = await real(body, client, calls)
        if self._answering:
            return attrs.evolve(reply, code=503)
        self._answering += 1
        try:
            await asyncio.sleep(_A_MOMENT)
        finally:
            self._answering -= 1
        return reply


async def at_rest_alone(real: _Reply, body: str, client: Any, calls: int) -> Any:
    """Have other things to do."""
    return attrs.evolve(await real(body, client, calls), code=503 if calls else 200)


async def ask_first(real: _Reply, body: str, client: Any, calls: int) -> Any:
    """Look at slices before anything is told."""
    reply = await real(body, client, calls)
    try:
        await client.list("resourceslices")
    except Exception:  # noqa: BLE001 - whatever stands between them
        return attrs.evolve(reply, code=500)
    return reply


class Outlive:
    """Keeps one endpoint beyond its driver, until the next driver ends."""

    def __init__(self) -> None:
        self._kept: Any = None

    async def __call__(self, real: Callable[[Any], Awaitable[None]], endpoint: Any) -> None:
        """Let the one before go instead."""
        if self._kept not in (None, endpoint):
            await real(self._kept)
        self._kept = endpoint


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-tells-no-metrics": not_found,
    "driver-metrics-call-themselves-a-page": as_page,
    "driver-metrics-with-a-line-of-prose": _edited(add_prose),
    "driver-metrics-describe-themselves-late": _edited(describe_late),
    "driver-metrics-stand-there-twice": _edited(twice),
    "driver-histograms-end-too-early": _edited(without_infinity),
    "driver-histograms-sorted-as-text": _edited(as_words),
    "driver-buckets-count-for-themselves": _edited(for_themselves),
    "driver-counts-what-is-prepared": _edited(as_counter),
    "driver-forgets-its-failures": EveryOtherTime(),
    "driver-counts-for-each-claim": by_uid,
    "driver-tells-one-at-a-time": OneAtATime(),
    "driver-tells-nothing-at-work": at_rest_alone,
    "driver-metrics-ask-the-api-server": ask_first,
    "driver-outlived-by-its-metrics": Outlive(),
}

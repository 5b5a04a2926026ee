"""The reference beside a real control plane: one table, with what is ours over what is theirs."""

from __future__ import annotations

import itertools
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from conformance.tests.bench.scale import sides
from conformance.tests.bench.scale.scenario import Outcome, burst, documented
from conformance.tests.bench.scale.sides import Side, Start
from conformance.tests.bench.table import NotMeasuredError, aligned, seconds

_REFERENCE, _DEFAULT, _UNTHROTTLED = "reference", "real, default QPS", "real, unthrottled"

#: Every side by its name: ours, and the real one with and without its limits on clients.
SIDES: Mapping[str, Start] = {
    _REFERENCE: sides.reference,
    _UNTHROTTLED: lambda: sides.real(throttled=False),
    _DEFAULT: lambda: sides.real(throttled=True),
}

_WHAT: Mapping[str, Callable[[Side], Outcome]] = {
    "720 Pods at once": burst,
    "720 Pods and 10 x 80, 10/s": documented,
}

HEADER = (
    *("scenario", "side", "rounds", "ready", "Pods/s", "p50", "p99", "RSS", "CPU/Pod"),
    *("x Pods/s", "x RSS", "x CPU"),
)


@attrs.frozen(kw_only=True)
class Round:
    """One side, once."""

    ready: float
    outcome: Outcome


def compare(rounds: int) -> Iterator[str]:
    """Yield the lines of a table for each scenario.

    The rounds of the sides take turns, so that the machine's other work hits all of them. The
    scenario of the documentation runs once: its pace is given, and it takes three minutes.
    """
    for what, times in (("720 Pods at once", rounds), ("720 Pods and 10 x 80, 10/s", 1)):
        yield from aligned([HEADER, *rows_of(what, _measure(what, times))])
    yield (
        "x: the reference over that side. On 2 processors the creating threads compete with "
        "both; the reference runs with --real-time, as one process."
    )


def _measure(what: str, rounds: int) -> dict[str, list[Round] | str]:
    found: dict[str, list[Round] | str] = {name: [] for name in SIDES}
    for number, name in itertools.product(range(rounds), SIDES):
        so_far = found[name]
        if isinstance(so_far, str):
            continue
        try:
            so_far.append(_round(SIDES[name], _WHAT[what]))
        except NotMeasuredError as error:
            found[name] = str(error)
        print(f"measured: {what}, {name}, round {number + 1}", file=sys.stderr)
    return found


def _round(start: Start, measure: Callable[[Side], Outcome]) -> Round:
    with start() as side:
        return Round(ready=side.seconds_to_ready, outcome=measure(side))


def rows_of(what: str, found: Mapping[str, list[Round] | str]) -> Iterator[Sequence[str]]:
    """Yield the cells of one scenario, a side in each row; ``str`` says why one was not run."""
    ours = found[_REFERENCE]
    for name, measured in found.items():
        if isinstance(measured, str):
            yield (what, f"{name}: not run, {measured}", *[""] * (len(HEADER) - 2))
            continue
        ratios = ("", "", "")
        if name != _REFERENCE and isinstance(ours, list):
            ratios = _ratios(ours, measured)
        yield (
            what,
            name,
            str(len(measured)),
            seconds(min(one.ready for one in measured)),
            f"{_throughput(measured):.1f}",
            seconds(min(one.outcome.median for one in measured)),
            seconds(min(one.outcome.slowest for one in measured)),
            f"{_memory(measured):.0f} MiB",
            f"{_processor(measured):.1f} ms",
            *ratios,
        )


def _ratios(ours: Sequence[Round], theirs: Sequence[Round]) -> tuple[str, str, str]:
    values = [
        _throughput(ours) / _throughput(theirs),
        _memory(ours) / _memory(theirs),
        _processor(ours) / _processor(theirs),
    ]
    return (f"{values[0]:.2f}", f"{values[1]:.2f}", f"{values[2]:.2f}")


def _throughput(measured: Sequence[Round]) -> float:
    return max(one.outcome.throughput for one in measured)


def _memory(measured: Sequence[Round]) -> float:
    return statistics.median(one.outcome.memory for one in measured)


def _processor(measured: Sequence[Round]) -> float:
    return min(one.outcome.processor_milliseconds for one in measured)

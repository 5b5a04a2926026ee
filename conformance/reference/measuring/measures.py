"""Counting, and what was counted as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import attrs

from conformance.reference.measuring.families import FAMILIES

#: Labels in the order in which they are written.
Labels = tuple[tuple[str, str], ...]

#: Reads the values of a gauge, by their labels.
Read = Callable[[], Iterable[tuple[Mapping[str, str], float]]]


@attrs.frozen(kw_only=True)
class Sample:
    """One line of the text; ``family`` is the metric that it belongs to."""

    family: str
    name: str
    labels: Labels
    value: float


class Measures:
    """The metrics of one component."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, Labels], float] = {}
        self._times: dict[tuple[str, Labels], list[float]] = {}
        self._gauges: dict[str, Read] = {}

    def count(self, name: str, /, **labels: str) -> None:
        """Add one to a counter."""
        key = (name, _ordered(labels))
        self._counts[key] = self._counts.get(key, 0.0) + 1

    def start_at_zero(self, name: str, /, **labels: str) -> None:
        """Tell a counter before anything was counted."""
        self._counts.setdefault((name, _ordered(labels)), 0.0)

    def observe(self, name: str, seconds: float, /, **labels: str) -> None:
        """Enter a duration into a histogram."""
        self._times.setdefault((name, _ordered(labels)), []).append(seconds)

    def gauge(self, name: str, read: Read) -> None:
        """Have the values of a gauge read whenever somebody asks."""
        self._gauges[name] = read

    def samples(self) -> list[Sample]:
        """Return every line, sorted by name and labels."""
        found = [
            Sample(family=name, name=name, labels=labels, value=value)
            for (name, labels), value in self._counts.items()
        ]
        for name, read in self._gauges.items():
            for labels, value in read():
                found.append(Sample(family=name, name=name, labels=_ordered(labels), value=value))
        for (name, labels), seconds in self._times.items():
            found += _histogram(name, labels, seconds)
        return sorted(found, key=lambda one: (one.family, one.labels[:-1], one.name))


def text(samples: Iterable[Sample]) -> str:
    """Return the samples in the text format of Prometheus."""
    lines: list[str] = []
    told = ""
    for one in samples:
        if one.family != told:
            lines.append(f"# TYPE {one.family} {FAMILIES[one.family].kind}")
            told = one.family
        labels = ",".join(f'{name}="{value}"' for name, value in one.labels)
        lines.append(f"{one.name}{f'{{{labels}}}' if labels else ''} {one.value:g}")
    return "".join(f"{line}\n" for line in lines)


def _histogram(name: str, labels: Labels, seconds: list[float]) -> list[Sample]:
    bounds = [*((f"{bound:g}", bound) for bound in FAMILIES[name].buckets), ("+Inf", float("inf"))]
    rows = [
        Sample(
            family=name,
            name=f"{name}_bucket",
            labels=(*labels, ("le", told)),
            value=float(sum(one <= bound for one in seconds)),
        )
        for told, bound in bounds
    ]
    total = Sample(family=name, name=f"{name}_sum", labels=labels, value=sum(seconds))
    number = Sample(family=name, name=f"{name}_count", labels=labels, value=float(len(seconds)))
    return [*rows, total, number]


def _ordered(labels: Mapping[str, str]) -> Labels:
    return tuple(sorted(labels.items()))

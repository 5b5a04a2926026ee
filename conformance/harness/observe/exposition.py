"""Reading what a metrics endpoint answers as strictly as its format says.

The library for the text of Prometheus reads more than the format allows. Of the text format it
reads single lines here, and their order is judged beside it; OpenMetrics it reads by itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client.parser import text_string_to_metric_families

from conformance.harness.errors import Violation
from conformance.harness.observe.scraping import Answer

#: The media types that Prometheus takes as text, and the versions of each; none is the latest.
_VERSIONS: Mapping[str, Sequence[str]] = {
    "text/plain": ("", "0.0.4", "1.0.0"),
    "application/openmetrics-text": ("", "0.0.1", "1.0.0"),
}

#: What the names of samples end in, beside the plain name, by the type of their metric.
_ENDINGS: Mapping[str, Sequence[str]] = {
    "histogram": ("_bucket", "_sum", "_count"),
    "summary": ("", "_sum", "_count"),
}

#: Lines that describe a metric: its name, quoted where it is none of the old ones, and its type.
_NAME = r"""("(?:[^"\\]|\\.)+"|[a-zA-Z_:][\w:]*)"""
_DESCRIBED = re.compile(r"[ \t]*#[ \t]+(TYPE|HELP)(?!\S)")
_HELP = re.compile(rf"[ \t]*#[ \t]+HELP[ \t]+{_NAME}(?:[ \t].*)?")
_TYPE = re.compile(
    rf"[ \t]*#[ \t]+TYPE[ \t]+{_NAME}[ \t]+(counter|gauge|histogram|summary|untyped)[ \t]*"
)

#: A line of a sample, as far as the library reads more: after name and labels stand a value and
#: maybe a time in milliseconds, and nothing else.
_SAMPLE = re.compile(
    r"""[ \t]*[^\s{]*[ \t]*(\{([^"}]|"([^"\\]|\\.)*")*\})?[ \t]*\S+([ \t]+-?\d+)?[ \t]*"""
)


@attrs.frozen(kw_only=True)
class Sample:
    """One line; ``metric`` and ``kind`` are those of the metric that it belongs to."""

    metric: str
    kind: str
    name: str
    labels: Mapping[str, str]
    value: float

    @property
    def series(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """What tells it from all others."""
        return self.name, frozenset(self.labels.items())

    @property
    def only_rises(self) -> bool:
        """Whether it counts: a counter, or what a histogram or summary counts."""
        counts = {"histogram": ("_bucket", "_count"), "summary": ("_count",)}
        endings = counts.get(self.kind, ())
        return self.kind == "counter" or self.name.removeprefix(self.metric) in endings

    def __str__(self) -> str:
        """Spell it as a line of the format."""
        labels = ",".join(f'{name}="{value}"' for name, value in self.labels.items())
        return f"{self.name}{{{labels}}} {self.value:g}"


@attrs.frozen(kw_only=True)
class Exposition:
    """The samples of one answer in their order, and what does not stand where it belongs."""

    samples: tuple[Sample, ...]
    misplaced: tuple[str, ...] = ()

    def repeated(self) -> list[str]:
        """Return the samples of a series that stands there more than once."""
        number = Counter(one.series for one in self.samples)
        return [str(one) for one in self.samples if number[one.series] > 1]

    def histograms(self) -> list[Histogram]:
        """Return every histogram, one for each set of labels."""
        found: dict[tuple[str, frozenset[tuple[str, str]]], Histogram] = {}
        for one in self.samples:
            if one.kind == "histogram":
                labels = frozenset(pair for pair in one.labels.items() if pair[0] != "le")
                found.setdefault((one.metric, labels), Histogram(name=one.metric)).add(one)
        return list(found.values())

    def rising(self) -> dict[Any, Sample]:
        """Return what may never fall, by series."""
        return {one.series: one for one in self.samples if one.only_rises}

    def values(self) -> dict[tuple[str, str], set[str]]:
        """Return the values of each label of each name, but for bounds of buckets and quantiles."""
        found: dict[tuple[str, str], set[str]] = {}
        for one in self.samples:
            for label, value in one.labels.items():
                if label not in ("le", "quantile"):
                    found.setdefault((one.name, label), set()).add(value)
        return found


@attrs.define(kw_only=True)
class Histogram:
    """One histogram: its buckets by their order, upper bound and count each, and its count."""

    name: str
    buckets: list[tuple[float, float]] = attrs.field(factory=list)
    count: float | None = None

    def add(self, sample: Sample) -> None:
        """Take a sample in."""
        if sample.name == f"{self.name}_count":
            self.count = sample.value
        elif sample.name == f"{self.name}_bucket":
            self.buckets.append((float(sample.labels.get("le", "nan")), sample.value))

    @property
    def bounds(self) -> list[float]:
        """The upper bounds as they stand there."""
        return [bound for bound, _ in self.buckets]

    @property
    def total(self) -> float | None:
        """What is counted up to +Inf; None without such a bucket."""
        return dict(self.buckets).get(float("inf"))

    @property
    def counts(self) -> list[float]:
        """What each bucket counts, from the lowest bound to the highest."""
        return [count for _, count in sorted(self.buckets)]


def format_of(answer: Answer) -> str:
    """Return the media type of an answer; raises ``Violation`` for one that no scraper takes."""
    kind, *parameters = [one.strip() for one in answer.content_type.lower().split(";")]
    pairs = [one.partition("=") for one in parameters]
    versions = [value.strip('"') for name, _, value in pairs if name == "version"] or [""]
    if versions[0] not in _VERSIONS.get(kind, ()):
        raise Violation(
            "text/plain; version=0.0.4, or another text format of Prometheus",
            path="Content-Type",
            observed=answer.content_type or "none",
        )
    return kind


def read(answer: Answer) -> Exposition:
    """Return what an answer tells; raises ``Violation`` for a text that is not of its format."""
    if answer.garbled:
        raise Violation("UTF-8", path="metrics", observed=answer.garbled)
    if format_of(answer) == "text/plain":
        return _Text(answer.text).read()
    try:
        families = list(openmetrics.text_string_to_metric_families(answer.text))
    except ValueError as error:
        raise Violation("a text of OpenMetrics", path="metrics", observed=str(error)) from error
    return Exposition(samples=tuple(_samples(families)))


def _samples(families: Iterable[Any]) -> Iterator[Sample]:
    for family in families:
        for one in family.samples:
            yield Sample(
                metric=family.name,
                kind=family.type,
                name=one.name,
                labels=dict(one.labels),
                value=float(one.value),
            )


class _Text:
    """A text in the text format, while it is read line by line."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._kinds: dict[str, str] = {}
        self._helped: set[str] = set()
        self._samples: list[Sample] = []
        self._misplaced: list[str] = []
        #: The metrics whose lines have begun, in order; the last one may go on.
        self._begun: dict[str, None] = {}

    def read(self) -> Exposition:
        """Return the samples; raises ``Violation`` at a line that is none."""
        if self._lines[-1]:
            raise _no_line(len(self._lines), self._lines[-1], "it does not end with a line feed")
        for number, line in enumerate(self._lines, 1):
            if described := _DESCRIBED.match(line):
                self._describe(number, line, described[1])
            elif line.strip() and not line.lstrip().startswith("#"):
                self._sample(number, line)
        return Exposition(samples=tuple(self._samples), misplaced=tuple(self._misplaced))

    def _describe(self, number: int, line: str, word: str) -> None:
        found = {"TYPE": _TYPE, "HELP": _HELP}[word].fullmatch(line)
        if found is None:
            raise _no_line(number, line, "a name and a type must follow TYPE, a name HELP")
        name = found[1].strip('"')
        known = self._kinds if word == "TYPE" else self._helped
        if name in known:
            self._misplace(number, line, "there is one already")
        elif self._told_before(name, found[2] if word == "TYPE" else ""):
            self._misplace(number, line, "it stands behind a sample of its metric")
        if word == "TYPE":
            self._kinds.setdefault(name, found[2])
        else:
            self._helped.add(name)
        self._begin(number, line, name)

    def _told_before(self, name: str, kind: str) -> bool:
        names = {name + ending for ending in _ENDINGS.get(kind, ("",))}
        return any(one.name in names for one in self._samples)

    def _sample(self, number: int, line: str) -> None:
        if not _SAMPLE.fullmatch(line):
            raise _no_line(number, line, "a value and maybe a time stand at its end")
        try:
            (family,) = text_string_to_metric_families(line)
        except ValueError as error:
            raise _no_line(number, line, str(error)) from error
        (one,) = family.samples
        metric = self._metric(one.name)
        kind = self._kinds.get(metric, "untyped")
        self._samples.append(
            Sample(
                metric=metric, kind=kind, name=one.name, labels=one.labels, value=float(one.value)
            )
        )
        self._begin(number, line, metric)

    def _metric(self, name: str) -> str:
        """Return the metric to which samples of a name belong."""
        if name in self._kinds:
            return name
        for metric, kind in self._kinds.items():
            if name in (metric + ending for ending in _ENDINGS.get(kind, ("",))):
                return metric
        return name

    def _begin(self, number: int, line: str, metric: str) -> None:
        if metric in self._begun and metric != next(reversed(self._begun)):
            self._misplace(number, line, "lines of another metric stand before it")
        self._begun.setdefault(metric)

    def _misplace(self, number: int, line: str, why: str) -> None:
        self._misplaced.append(f"line {number}: {line} ({why})")


def _no_line(number: int, line: str, why: str) -> Violation:
    return Violation(
        "a line of the text format of Prometheus",
        path=f"line {number}",
        observed=f"{line!r}: {why or 'a metric, labels and a value are missing'}",
    )

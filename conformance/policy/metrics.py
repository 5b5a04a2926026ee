"""The work queue of the ResourceClaim controller, as its metrics tell.

The document watches three figures of the queue ``resource_claim`` in the metrics of
kube-controller-manager: how fast items are added, how many wait, and how long one takes (the
99th percentile). Counters are compared between two scrapes, or with the start of the process
where there is only one. Source: Good practices for Dynamic Resource Allocation as a Cluster
Admin, kube-controller-manager metrics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from attrs import field, frozen
from prometheus_client.parser import text_string_to_metric_families

from conformance.kube.objects import Object
from conformance.policy.manifests.documents import EVIDENCE

QUEUE = "resource_claim"
_ADDS = "workqueue_adds_total"
_DEPTH = "workqueue_depth"
_WORK = "workqueue_work_duration_seconds"
_START = "process_start_time_seconds"
_PERCENTILE = 0.99
#: So many characters of what a parser says are worth a sentence.
_SHOWN = 160


class MetricsError(ValueError):
    """A text is no metrics, or not those of a controller manager with claims."""


@frozen(kw_only=True)
class Scrape:
    """The figures of one moment."""

    #: Seconds since the epoch at which they were read, and at which the process started.
    at: float
    started: float | None
    adds: float
    depth: float
    work_count: float
    work_sum: float
    #: Upper bound in seconds to the number of items that took no longer.
    buckets: Mapping[float, float] = field(factory=dict)


def parse(text: str, at: float) -> Scrape:
    """Return the figures of a scrape that was made at that moment; raises ``MetricsError``."""
    found: dict[str, float] = {}
    buckets: dict[float, float] = {}
    try:
        for name, labels, value in _samples(text):
            if name == f"{_WORK}_bucket":
                bound = float(labels.get("le", "inf"))
                buckets[bound] = buckets.get(bound, 0.0) + value
            else:
                found[name] = found.get(name, 0.0) + value
    except (ValueError, KeyError, IndexError, TypeError) as error:
        reason = " ".join(str(error).split())[:_SHOWN]
        raise MetricsError(f"is no text of Prometheus: {reason}") from error
    for name in (_ADDS, _DEPTH, f"{_WORK}_sum", f"{_WORK}_count"):
        if name not in found:
            sentence = f'holds no {name}{{name="{QUEUE}"}}: is it of kube-controller-manager?'
            raise MetricsError(sentence)
    for name, value in (*found.items(), *((f"{_WORK}_bucket", one) for one in buckets.values())):
        if not isfinite(value):
            raise MetricsError(f"holds no number for {name}: {value}")
    return Scrape(
        at=at,
        started=found.get(_START),
        adds=found[_ADDS],
        depth=found[_DEPTH],
        work_count=found[f"{_WORK}_count"],
        work_sum=found[f"{_WORK}_sum"],
        buckets=buckets,
    )


def _samples(text: str) -> Iterator[tuple[str, Mapping[str, str], float]]:
    """Yield name, labels and value of what is about the queue, and when the process started."""
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == _START or sample.labels.get("name") == QUEUE:
                yield sample.name, sample.labels, sample.value


def figures(scrapes: Sequence[Scrape]) -> Object:
    """Return the object of kind ``Metrics`` that policies judge; raises ``MetricsError``."""
    last, first = scrapes[-1], _first(scrapes)
    seconds = last.at - first.at
    if seconds <= 0:
        raise MetricsError("no time has passed between the scrapes, or since the process started")
    count = last.work_count - first.work_count
    if last.adds < first.adds or count < 0:
        raise MetricsError("the counters fell between the scrapes: the process was restarted")
    buckets = {
        bound: number - first.buckets.get(bound, 0.0) for bound, number in last.buckets.items()
    }
    return {
        "apiVersion": EVIDENCE,
        "kind": "Metrics",
        "metadata": {"name": QUEUE},
        "seconds": round(seconds, 1),
        "adds": {
            "total": last.adds - first.adds,
            "perSecond": round((last.adds - first.adds) / seconds, 3),
        },
        "depth": last.depth,
        "work": {
            "count": count,
            "meanSeconds": round((last.work_sum - first.work_sum) / count, 4) if count else 0.0,
            "p99Seconds": round(percentile(buckets, _PERCENTILE), 4),
        },
    }


def told(measured: Object) -> str:
    """Return the figures in a sentence."""
    adds, work = measured["adds"], measured["work"]
    return (
        f"work queue {QUEUE}: {adds['perSecond']:g} adds per second over "
        f"{measured['seconds']:g} s, {measured['depth']:g} waiting, 99% done within "
        f"{work['p99Seconds']:g} s (mean {work['meanSeconds']:g} s)"
    )


def percentile(buckets: Mapping[float, float], share: float) -> float:
    """Return the percentile of a histogram, as ``histogram_quantile`` has it; 0 without items."""
    bounds = sorted(buckets)
    total = buckets[bounds[-1]] if bounds else 0.0
    if total <= 0:
        return 0.0
    rank, lower, below = share * total, 0.0, 0.0
    for bound in bounds:
        here = buckets[bound]
        if here >= rank:
            if not isfinite(bound) or here <= below:
                return lower
            return lower + (bound - lower) * (rank - below) / (here - below)
        lower, below = bound, here
    return lower


def _first(scrapes: Sequence[Scrape]) -> Scrape:
    """Return what to compare with: the first scrape, or the start of the process."""
    if len(scrapes) > 1:
        return scrapes[0]
    started = scrapes[0].started
    if started is None:
        raise MetricsError(f"holds no {_START}: give two scrapes, the older one first")
    return Scrape(at=started, started=started, adds=0, depth=0, work_count=0, work_sum=0)

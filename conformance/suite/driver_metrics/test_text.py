"""What a scraper finds that asks once: an answer, its format, and every line of it."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import metrics
from conformance.harness.observe import exposition
from conformance.harness.target import NODE_ACCESS

pytestmark = [pytest.mark.needs(NODE_ACCESS), pytest.mark.driver(features=("metrics",))]


@pytest.mark.requirement("DRA-DMT-01")
def test_metrics_are_told(bench: Bench) -> None:
    """A GET of /metrics is answered."""
    metrics.served(bench)


@pytest.mark.requirement("DRA-DMT-02")
@pytest.mark.parametrize("scraper", metrics.SCRAPERS)
def test_the_format_is_named(bench: Bench, scraper: str) -> None:
    """Prometheus 3 takes nothing of which it is not told what it is."""
    answer = metrics.available(bench, metrics.SCRAPERS[scraper])

    exposition.format_of(answer)


@pytest.mark.requirement("DRA-DMT-03")
@pytest.mark.parametrize("scraper", metrics.SCRAPERS)
def test_every_line_can_be_read(bench: Bench, scraper: str) -> None:
    """One line that is none, and a scraper takes nothing of the answer."""
    answer = metrics.available(bench, metrics.SCRAPERS[scraper])
    metrics.alike(answer)

    exposition.read(answer)


@pytest.mark.requirement("DRA-DMT-04")
def test_lines_of_a_metric_stand_together(bench: Bench) -> None:
    """What a metric is stands before its samples, once, and nothing of another one between."""
    found = metrics.told_after_work(bench)

    expect.same(list(found.misplaced), [], path="lines that are not where they belong")


@pytest.mark.requirement("DRA-DMT-05")
def test_every_series_is_told_once(bench: Bench) -> None:
    """Of two values for one series nobody knows which one counts."""
    found = metrics.told_after_work(bench)

    expect.same(found.repeated(), [], path="series that are told more than once")


@pytest.mark.requirement("DRA-DMT-06")
def test_the_last_bucket_of_a_histogram_counts_everything(bench: Bench) -> None:
    """Whatever was observed lies below infinity."""
    found = metrics.histograms(bench)

    expect.same(metrics.incomplete(found), [], path="histograms whose buckets are not all there")


@pytest.mark.requirement("DRA-DMT-07")
def test_buckets_stand_in_their_order(bench: Bench) -> None:
    """A bucket with a higher bound stands behind one with a lower one."""
    found = metrics.histograms(bench)

    expect.same(metrics.disordered(found), [], path="histograms whose buckets are out of order")


@pytest.mark.requirement("DRA-DMT-08")
def test_buckets_are_cumulative(bench: Bench) -> None:
    """A bucket counts what those with lower bounds count, too."""
    found = metrics.histograms(bench)

    expect.same(metrics.not_cumulative(found), [], path="histograms that are not cumulative")

"""What a scraper finds that asks again and again, while the driver works, waits and ends."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import lifecycle, metrics
from conformance.harness.target import API_AWAY, NODE_ACCESS

pytestmark = [pytest.mark.needs(NODE_ACCESS), pytest.mark.driver(features=("metrics",))]


@pytest.mark.requirement("DRA-DMT-09")
def test_what_counts_does_not_fall(bench: Bench) -> None:
    """Whoever computes a rate takes a counter that falls for a process that was restarted."""
    course = metrics.over_work(bench)

    expect.same(course.fallen(), [], path="counters that have fallen")


@pytest.mark.requirement("DRA-DMT-10")
def test_what_counts_does_not_disappear(bench: Bench) -> None:
    """A counter is of use by its history alone."""
    course = metrics.over_work(bench)

    expect.same(course.gone(), [], path="counters that are told no more")


@pytest.mark.requirement("DRA-DMT-11")
def test_claims_leave_no_series_behind(bench: Bench) -> None:
    """A driver may see a million claims, and a scraper can't remember each of them."""
    left = metrics.left_by_claims(bench)

    expect.same(left, [], path="labels with values for claims that are gone")


@pytest.mark.requirement("DRA-DMT-12")
def test_scrapers_are_answered_at_one_time(bench: Bench) -> None:
    """A pair of monitoring systems scrapes a driver, and a person looks as well."""
    answers = metrics.at_one_time(bench)

    expect.same(metrics.unanswered(answers), [], path="answers")


@pytest.mark.requirement("DRA-DMT-13")
def test_a_driver_at_work_tells_its_metrics(bench: Bench) -> None:
    """A driver that is busy is the one to look at."""
    answers = metrics.at_work(bench)

    expect.same(metrics.unanswered(answers), [], path="answers")


@pytest.mark.requirement("DRA-DMT-14")
@pytest.mark.needs(API_AWAY)
def test_metrics_are_told_without_the_api_server(bench: Bench) -> None:
    """A driver that is cut off is the one to look at."""
    metrics.available(bench)

    with lifecycle.without_api(bench):
        answer = metrics.scraped(bench)

    metrics.answers(answer)


@pytest.mark.requirement("DRA-DMT-15")
def test_nothing_is_told_once_the_driver_has_ended(bench: Bench) -> None:
    """Metrics of a driver that is gone would hide that it is gone."""
    metrics.available(bench)
    bench.driver.must_be_ours("ends the driver")

    bench.driver.terminate()

    answer = metrics.scraped(bench)
    expect.that(answer.status == 0, "nobody who answers", path="metrics", observed=str(answer))

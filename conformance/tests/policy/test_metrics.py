"""The figures of the claim queue, and what follows from them."""

from __future__ import annotations

import pytest

from conformance.catalogue import loading as catalogue
from conformance.policy import evaluate, loading, metrics
from conformance.policy.metrics import MetricsError
from conformance.policy.model import Place
from conformance.policy.world import Manifest, World

HEALTHY = """# HELP workqueue_adds_total Total number of adds handled by workqueue
# TYPE workqueue_adds_total counter
workqueue_adds_total{name="resource_claim"} 600
workqueue_adds_total{name="job"} 9e9
# TYPE workqueue_depth gauge
workqueue_depth{name="resource_claim"} 2
# TYPE workqueue_work_duration_seconds histogram
workqueue_work_duration_seconds_bucket{name="resource_claim",le="0.01"} 500
workqueue_work_duration_seconds_bucket{name="resource_claim",le="0.1"} 600
workqueue_work_duration_seconds_bucket{name="resource_claim",le="+Inf"} 600
workqueue_work_duration_seconds_sum{name="resource_claim"} 6
workqueue_work_duration_seconds_count{name="resource_claim"} 600
# TYPE process_start_time_seconds gauge
process_start_time_seconds 1000
"""
DEEP = ('resource_claim"} 2\n', 'resource_claim"} 480\n')
MANY = ('adds_total{name="resource_claim"} 600', 'adds_total{name="resource_claim"} 60000')
SLOW = ('le="0.1"} 600', 'le="0.1"} 501')


def replaced(*changes: tuple[str, str]) -> str:
    text = HEALTHY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ((), []),
        ((DEEP,), ["claim-queue-wants-qps"]),
        ((SLOW,), []),
        ((SLOW, ('le="0.1"} 501', 'le="5.0"} 600')), ["claim-queue-wants-qps"]),
        ((MANY,), []),
        ((MANY, DEEP), ["claim-queue-wants-fewer-pods"]),
        ((MANY, DEEP, ('le="0.1"} 600', 'le="5.0"} 600')), ["claim-queue-wants-qps"]),
    ],
    ids=["healthy", "deep", "infinite-bucket", "slow", "many", "many-and-deep", "all"],
)
def test_the_conclusion_is_that_of_the_document(
    changes: tuple[tuple[str, str], ...], found: list[str]
) -> None:
    measured = metrics.figures([metrics.parse(replaced(*changes), at=1300)])
    manifest = Manifest(object=measured, place=Place(file="metrics"))
    policies = [one for one in loading.load(catalogue.load()) if one.area == "load"]

    judgement = evaluate.judge(policies, World.of_manifests([manifest]))

    assert judgement.troubles == ()
    assert [one.policy for one in judgement.findings] == found


def test_the_figures_are_since_the_process_started() -> None:
    measured = metrics.figures([metrics.parse(HEALTHY, at=1300)])

    assert measured["seconds"] == 300
    assert measured["adds"] == {"total": 600, "perSecond": 2}
    assert measured["depth"] == 2
    assert measured["work"]["meanSeconds"] == 0.01
    # 594 of 600: 94 of the 100 between 0.01 and 0.1.
    assert measured["work"]["p99Seconds"] == pytest.approx(0.01 + 0.09 * 0.94, abs=1e-4)


def test_two_scrapes_tell_what_happened_between_them() -> None:
    later = replaced(
        (" 600\nworkqueue_adds", " 900\nworkqueue_adds"),
        (" 6\n", " 36\n"),
        ('count{name="resource_claim"} 600', 'count{name="resource_claim"} 900'),
        ('le="0.1"} 600', 'le="0.1"} 900'),
        ('le="+Inf"} 600', 'le="+Inf"} 900'),
    )
    scrapes = [metrics.parse(HEALTHY, at=1300), metrics.parse(later, at=1400)]

    measured = metrics.figures(scrapes)

    assert measured["adds"] == {"total": 300, "perSecond": 3}
    assert measured["work"] == {"count": 300, "meanSeconds": 0.1, "p99Seconds": 0.0991}
    assert metrics.told(measured).startswith("work queue resource_claim: 3 adds per second")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "holds no workqueue_adds_total"),
        ('workqueue_adds_total{name="job"} 1\n', "is it of kube-controller-manager"),
        ("<html>\n", "is no text of Prometheus"),
        ('workqueue_depth{name="resource_claim"} many\n', "is no text of Prometheus"),
        (
            HEALTHY.replace("} 2\n", "} NaN\n"),
            "holds no number for workqueue_depth: nan",
        ),
        (HEALTHY.partition("# TYPE process")[0], "give two scrapes"),
    ],
    ids=["empty", "other", "page", "word", "no-number", "no-start"],
)
def test_what_is_no_metrics_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(MetricsError, match=sentence):
        metrics.figures([metrics.parse(text, at=1300)])


def test_a_restart_between_the_scrapes_is_told() -> None:
    first = metrics.parse(replaced(MANY), at=1300)

    with pytest.raises(MetricsError, match="restarted"):
        metrics.figures([first, metrics.parse(HEALTHY, at=1400)])


def test_no_time_between_the_scrapes_is_told() -> None:
    with pytest.raises(MetricsError, match="no time has passed"):
        metrics.figures([metrics.parse(HEALTHY, at=1000)])

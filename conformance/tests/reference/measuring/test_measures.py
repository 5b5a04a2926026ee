"""What was counted is told as a reader of Prometheus understands it."""

from __future__ import annotations

from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from conformance.reference.measuring.claims import counted, creation_labels
from conformance.reference.measuring.families import FAMILIES
from conformance.reference.measuring.measures import Measures, text

ADDS = "workqueue_adds_total"
TIMES = "dra_operations_duration_seconds"


def told(measures: Measures) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    families = text_string_to_metric_families(text(measures.samples()))
    rows = [one for family in families for one in family.samples]
    return {(one.name, frozenset(one.labels.items())): one.value for one in rows}


def test_a_counter_counts_by_its_labels() -> None:
    measures = Measures()
    measures.start_at_zero(ADDS, name="idle")
    measures.count(ADDS, name="busy")
    measures.count(ADDS, name="busy")

    assert told(measures) == {
        (ADDS, frozenset({("name", "busy")})): 2,
        (ADDS, frozenset({("name", "idle")})): 0,
    }


def test_a_histogram_has_sum_count_and_every_bucket() -> None:
    measures = Measures()
    measures.observe(TIMES, 0.05, operation_name="PrepareResources")
    measures.observe(TIMES, 100.0, operation_name="PrepareResources")

    rows = told(measures)
    label = ("operation_name", "PrepareResources")
    buckets = {key: value for key, value in rows.items() if key[0] == f"{TIMES}_bucket"}
    assert len(buckets) == len(FAMILIES[TIMES].buckets) + 1
    assert rows[f"{TIMES}_bucket", frozenset({label, ("le", "0.1")})] == 1
    assert rows[f"{TIMES}_bucket", frozenset({label, ("le", "+Inf")})] == 2
    assert rows[f"{TIMES}_count", frozenset({label})] == 2
    assert rows[f"{TIMES}_sum", frozenset({label})] == pytest.approx(100.05)


def test_a_gauge_is_read_when_somebody_asks() -> None:
    depth = [3.0]
    measures = Measures()
    measures.gauge("workqueue_depth", lambda: [({"name": "q"}, depth[0])])
    depth[0] = 4.0

    assert told(measures) == {("workqueue_depth", frozenset({("name", "q")})): 4}


def claim(**annotations: str) -> dict[str, Any]:
    owner = {"apiVersion": "v1", "kind": "Pod", "uid": "1", "controller": True}
    return {
        "metadata": {"annotations": annotations, "ownerReferences": [owner]},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"adminAccess": True}}]}},
    }


def test_claims_are_counted_by_where_they_came_from() -> None:
    generated = claim(**{"resource.kubernetes.io/pod-claim-name": "mine"})
    extended = claim(**{"resource.kubernetes.io/extended-resource-claim": "true"})

    rows = {labels["source"]: number for labels, number in counted([generated, extended, claim()])}

    assert rows == {"resource_claim_template": 1, "extended_resource": 1, "": 1}


def test_a_new_claim_says_who_owns_it() -> None:
    assert creation_labels(claim()) == {
        "admin_access": "true",
        "owner_api_group": "",
        "owner_api_kind": "Pod",
    }

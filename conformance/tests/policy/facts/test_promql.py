"""Queries over the metrics of DRA."""

from __future__ import annotations

import pytest

from conformance.policy.facts import promql
from conformance.tests.policy.facts.building import subject


def errors(query: str) -> list[str]:
    rule = {"alert": "a", "expr": query}
    return promql.promql_errors(
        subject({
            "apiVersion": "monitoring.coreos.com/v1",
            "kind": "PrometheusRule",
            "spec": {"groups": [{"name": "a", "rules": [rule]}]},
        })
    )  # fmt: skip


@pytest.mark.parametrize(
    "query",
    [
        'sum(rate(workqueue_adds_total{name="resource_claim"}[5m]))',
        'workqueue_depth{name="deployment"}',
        'workqueue_depth{name=~"resource_claim|deployment"}',
        'dra_operations_duration_seconds_bucket{operation_name="PrepareResources",le="1"}',
        'dra_operations_duration_seconds_count{is_error="true"}',
        'dra_grpc_operations_duration_seconds_sum{method_name=~".*NodePrepareResources"}',
        'dra_requests_total{operation_name="of a driver"}',
        "dra_resource_claims_in_use",
    ],
)
def test_queries_that_select_something(query: str) -> None:
    assert errors(query) == []


@pytest.mark.parametrize(
    "query",
    [
        'workqueue_depth{name="resourceclaim"}',
        'dra_operations_duration_seconds_count{operation_name="NodePrepareResources"}',
        'dra_grpc_operations_duration_seconds_count{method_name="NodePrepareResources"}',
        "dra_operation_duration_seconds_count",
        'dra_grpc_operations_duration_seconds_count{method_name=~"("}',
        'dra_grpc_operations_duration_seconds_count{method_name=~"(.*)*(.*)*(.*)*(.*)*(.*)*0"}',
    ],
)
def test_queries_that_select_nothing(query: str) -> None:
    assert len(errors(query)) == 1

"""Binding conditions: when a Pod may be bound, when it must not, and how long it waits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from conformance.reference.scheduler.conditions import (
    age,
    conditions_met,
    failed_condition,
    has_conditions,
)

KEYS = {"driver": "d.example.com", "pool": "p", "device": "d"}


def claim(
    conditions: dict[str, str],
    *,
    wanted: tuple[str, ...] = ("Ready",),
    failures: tuple[str, ...] = ("Failed",),
    **allocation: Any,
) -> dict[str, Any]:
    result = {
        **KEYS,
        "bindingConditions": list(wanted),
        "bindingFailureConditions": list(failures),
    }
    reported = [{"type": name, "status": value} for name, value in conditions.items()]
    return {
        "metadata": {"name": "c"},
        "status": {
            "allocation": {"devices": {"results": [result]}, **allocation},
            "devices": [{**KEYS, "conditions": reported}] if conditions else [],
        },
    }


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        pytest.param({"Ready": "True", "Attached": "True"}, True, id="all-true"),
        pytest.param({"Ready": "True"}, False, id="one-missing"),
        pytest.param({"Ready": "True", "Attached": "False"}, False, id="one-false"),
        pytest.param({"Ready": "True", "Attached": "Unknown"}, False, id="one-unknown"),
        pytest.param({}, False, id="nothing-reported"),
    ],
)
def test_a_pod_may_be_bound_with(conditions: dict[str, str], expected: bool) -> None:
    assert conditions_met(claim(conditions, wanted=("Ready", "Attached"))) is expected


def test_without_conditions_there_is_nothing_to_wait_for() -> None:
    unconditional = claim({}, wanted=(), failures=("Failed",))

    assert not has_conditions(unconditional)
    assert conditions_met(unconditional)
    assert failed_condition(unconditional) is None


@pytest.mark.parametrize(
    ("status", "expected"), [("True", "Failed"), ("False", None), ("Unknown", None)]
)
def test_a_failure_condition_counts_when_true(status: str, expected: str | None) -> None:
    assert failed_condition(claim({"Ready": "True", "Failed": status})) == expected


def test_conditions_of_another_device_do_not_count() -> None:
    other = claim({"Ready": "True"})
    other["status"]["devices"][0]["device"] = "another"

    assert not conditions_met(other)


def test_time_counts_from_the_allocation() -> None:
    waiting = claim({}, allocationTimestamp="2026-01-01T00:00:00Z")
    now = datetime(2026, 1, 1, 0, 1, tzinfo=UTC)

    assert age(waiting, now) == 60
    assert age(claim({}, wanted=(), allocationTimestamp="2026-01-01T00:00:00Z"), now) == 0

"""When a taint ends somebody's patience, and which taints a device has."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from conformance.dra.allocation import rule_selects
from conformance.kube.times import parse
from conformance.reference.controllers.eviction import causes

ADDED = "2026-01-01T00:00:00Z"
TAINT = {"key": "broken", "value": "yes", "effect": "NoExecute", "timeAdded": ADDED}


def bearing(**more: Any) -> dict[str, Any]:
    return {"key": "broken", "operator": "Exists", "effect": "NoExecute", **more}


@pytest.mark.parametrize(
    ("tolerations", "seconds"),
    [
        pytest.param([], 0, id="none"),
        pytest.param([bearing(tolerationSeconds=30)], 30, id="for a time"),
        pytest.param([bearing(tolerationSeconds=-30)], 0, id="for less than none"),
        pytest.param(
            [bearing(tolerationSeconds=60), bearing(tolerationSeconds=30)], 30, id="the shorter"
        ),
        pytest.param([bearing(tolerationSeconds=30), bearing()], None, id="one is for ever"),
        pytest.param([bearing(key="other")], 0, id="another key"),
        pytest.param([{"operator": "Exists"}], 0, id="no effect is named"),
    ],
)
def test_patience(tolerations: list[dict[str, Any]], seconds: int | None) -> None:
    end = causes.end_of_patience(TAINT, tolerations)

    assert end == (None if seconds is None else parse(ADDED) + timedelta(seconds=seconds))


def published(generation: int, *taints: dict[str, Any]) -> dict[str, Any]:
    device = {"name": "device-1", "taints": list(taints)}
    pool = {"name": "pool", "generation": generation, "resourceSliceCount": 1}
    return {"spec": {"driver": "d.example", "pool": pool, "devices": [device]}}


RESULT = {"driver": "d.example", "pool": "pool", "device": "device-1"}


def test_the_newest_generation_tells_the_taints() -> None:
    slices = [published(1, TAINT), published(2)]

    assert causes.evicting_taints(RESULT, slices, ()) == []


def test_a_rule_counts_without_a_slice() -> None:
    rule = {"metadata": {"uid": "1"}, "spec": {"deviceSelector": {}, "taint": TAINT}}

    assert causes.evicting_taints(RESULT, [], [rule]) == [(TAINT, rule)]


@pytest.mark.parametrize(
    ("selector", "selected"),
    [
        pytest.param(None, False, id="none"),
        pytest.param({}, True, id="empty"),
        pytest.param({"driver": "d.example", "pool": "pool"}, True, id="two that match"),
        pytest.param({"driver": "d.example", "pool": "other"}, False, id="one that does not"),
    ],
)
def test_what_a_rule_selects(selector: dict[str, str] | None, selected: bool) -> None:
    spec: dict[str, Any] = {"taint": TAINT}
    if selector is not None:
        spec["deviceSelector"] = selector

    assert rule_selects({"spec": spec}, RESULT) is selected

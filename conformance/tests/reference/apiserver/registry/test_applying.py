"""Server-side apply: what others have set stays."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.apiserver.registry.applying import apply


def device(driver: str, **rest: Any) -> dict[str, Any]:
    return {"driver": driver, "pool": "p", "device": "d", **rest}


@pytest.mark.parametrize(
    ("current", "applied", "merged"),
    [
        pytest.param(
            {"a": 1, "b": {"c": 2}}, {"b": {"d": 3}}, {"a": 1, "b": {"c": 2, "d": 3}}, id="maps"
        ),
        pytest.param({"args": ["x", "y"]}, {"args": ["z"]}, {"args": ["z"]}, id="atomic list"),
        pytest.param(
            {"status": {"devices": [device("a", data={"x": 1})]}},
            {"status": {"devices": [device("b", data={"y": 2})]}},
            {"status": {"devices": [device("a", data={"x": 1}), device("b", data={"y": 2})]}},
            id="devices of two drivers",
        ),
        pytest.param(
            {"status": {"devices": [device("a", conditions=[{"type": "R", "status": "False"}])]}},
            {"status": {"devices": [device("a", conditions=[{"type": "R", "status": "True"}])]}},
            {"status": {"devices": [device("a", conditions=[{"type": "R", "status": "True"}])]}},
            id="condition of one device",
        ),
        pytest.param(
            {"status": {"reservedFor": [{"uid": "1", "name": "a"}]}},
            {"status": {"reservedFor": [{"uid": "2", "name": "b"}]}},
            {"status": {"reservedFor": [{"uid": "1", "name": "a"}, {"uid": "2", "name": "b"}]}},
            id="reservations",
        ),
        pytest.param(
            {"spec": {"devices": [{"name": "a"}]}},
            {"spec": {"devices": [{"name": "b"}]}},
            {"spec": {"devices": [{"name": "b"}]}},
            id="devices of a slice are atomic",
        ),
        pytest.param(
            {"metadata": {"finalizers": ["a"]}},
            {"metadata": {"finalizers": ["b", "a"]}},
            {"metadata": {"finalizers": ["a", "b"]}},
            id="finalizers",
        ),
    ],
)
def test_an_applied_object_is_merged(current: Any, applied: Any, merged: Any) -> None:
    assert apply(current, applied) == merged

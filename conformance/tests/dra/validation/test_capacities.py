"""What is refused in request policies and node selectors."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra import validation
from conformance.dra.features import Features
from conformance.tests.dra.objects import changed, device, said_of, slice_

_ON = Features()


_D = "spec.devices.0"
_POLICY = {"default": "1Gi", "validRange": {"min": "1Gi", "max": "4Gi", "step": "1Gi"}}
_SHARED = slice_(
    devices=[
        device(
            allowMultipleAllocations=True,
            capacity={
                "memory": {"value": "4Gi", "requestPolicy": _POLICY},
                "slots": {
                    "value": "4",
                    "requestPolicy": {"default": "1", "validValues": ["1", "2"]},
                },
                "free": {"value": "4", "requestPolicy": {"default": "1"}},
            },
        )
    ]
)
_RANGE = f"{_D}.capacity.memory.requestPolicy.validRange"
_AT = "spec.devices[0].capacity[memory].requestPolicy"
_SLOTS = f"{_D}.capacity.slots.requestPolicy"
_AT_SLOTS = "spec.devices[0].capacity[slots].requestPolicy"
_TERM = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}


def test_well_formed_policies_are_accepted() -> None:
    assert validation.create("resourceslices", _SHARED, _ON) == []


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        pytest.param(*row[1:], id=row[0])
        for row in [
            ("no default of a range", f"{_D}.capacity.memory.requestPolicy.default", None,
                [(f"{_AT}.default", "Required")]),
            ("no default of values", f"{_SLOTS}.default", None,
                [(f"{_AT_SLOTS}.default", "Required")]),
            ("range and values", f"{_D}.capacity.memory.requestPolicy.validValues", ["1Gi"],
                [(_AT, "Forbidden")]),
            ("no minimum", f"{_RANGE}.min", None, [(f"{_AT}.validRange.min", "Required")]),
            ("a minimum beyond all", f"{_RANGE}", {"min": "5Gi"},
                [(f"{_AT}.validRange.min", "Invalid"), (f"{_AT}.validRange.default", "Invalid")]),
            ("a maximum below the minimum", f"{_RANGE}", {"min": "1Gi", "max": "1"},
                [(f"{_AT}.validRange.max", "Invalid"), (f"{_AT}.validRange.default", "Invalid")]),
            ("a maximum beyond all", f"{_RANGE}", {"min": "1Gi", "max": "5Gi"},
                [(f"{_AT}.validRange.max", "Invalid")]),
            ("no step", f"{_RANGE}.step", "0", [(f"{_AT}.validRange.step", "Invalid")]),
            ("a step beyond all", f"{_RANGE}", {"min": "1Gi", "step": "4Gi"},
                [(f"{_AT}.validRange.step", "Invalid")]),
            ("a maximum between steps", f"{_RANGE}.max", "3584Mi",
                [(f"{_AT}.validRange.step", "Invalid")]),
            ("values out of order", f"{_SLOTS}.validValues", ["2", "1"],
                [(f"{_AT_SLOTS}.validValues[1]", "Invalid")]),
            ("a value twice", f"{_SLOTS}.validValues", ["1", "1"],
                [(f"{_AT_SLOTS}.validValues[1]", "Duplicate")]),
            ("a value beyond all", f"{_SLOTS}.validValues", ["1", "5"],
                [(f"{_AT_SLOTS}.validValues[1]", "Invalid")]),
            ("a default that is no value", f"{_SLOTS}.default", "3",
                [(f"{_AT_SLOTS}.validValues", "Invalid")]),
        ]
    ],
)  # fmt: skip
def test_request_policies(path: str, value: Any, said: list[tuple[str, str]]) -> None:
    assert said_of(validation.create("resourceslices", changed(_SHARED, path, value), _ON)) == said


@pytest.mark.parametrize(
    ("selector_", "said"),
    [
        pytest.param({"nodeSelectorTerms": [_TERM]}, [], id="good"),
        pytest.param({}, ["nodeSelectorTerms Required", "nodeSelectorTerms Invalid"], id="empty"),
        pytest.param(
            {"nodeSelectorTerms": [_TERM, _TERM]}, ["nodeSelectorTerms Invalid"], id="two terms"
        ),
        *(
            pytest.param(
                {"nodeSelectorTerms": [{field: [one]}]},
                [f"nodeSelectorTerms[0].{field}[0].{said}"],
                id=said,
            )
            for field, one, said in [
                ("matchExpressions", {"key": "a", "operator": "In"}, "values Required"),
                ("matchExpressions", {"key": "a", "operator": "Gt"}, "values Required"),
                ("matchExpressions", {"key": "a", "operator": "Exists", "values": ["b"]},
                    "values Forbidden"),
                ("matchExpressions", {"key": "a", "operator": "Like"}, "operator Invalid"),
                ("matchExpressions", {"key": "-", "operator": "Exists"}, "key Invalid"),
                ("matchExpressions", {"key": "a", "operator": "In", "values": ["-"]},
                    "values[0] Invalid"),
                ("matchFields", {"key": "metadata.name", "operator": "In"}, "values Required"),
                ("matchFields", {"key": "metadata.name", "operator": "Exists"},
                    "operator Invalid"),
                ("matchFields", {"key": "spec.x", "operator": "In", "values": ["a"]},
                    "key Invalid"),
                ("matchFields", {"key": "metadata.name", "operator": "In", "values": ["A"]},
                    "values[0] Invalid"),
            ]
        ),
    ],
)  # fmt: skip
def test_node_selectors(selector_: dict[str, Any], said: list[str]) -> None:
    errors = validation.create("resourceslices", slice_(nodeSelector=selector_), _ON)

    assert said_of(errors) == [
        (f"spec.nodeSelector.{path}", kind) for path, kind in (one.split() for one in said)
    ]

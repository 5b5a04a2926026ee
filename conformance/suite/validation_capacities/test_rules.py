"""A valid object, changed in one place: the capacity policies of a device."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    counted,
)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validValues": ["1Gi"],
                }
            },
            "spec.devices[0].capacity[memory].requestPolicy",
            id="requestPolicy of a device that is given out once",
            marks=pytest.mark.requirement("DRA-VCP-01"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validValues": ["1Gi"],
                    "validRange": {"min": "1Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy",
            id="requestPolicy with a range and values",
            marks=pytest.mark.requirement("DRA-VCP-02"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {"validValues": ["1Gi"]},
            },
            "spec.devices[0].capacity[memory].requestPolicy.default",
            id="requestPolicy with valid values and without a default",
            marks=pytest.mark.requirement("DRA-VCP-03"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {"validRange": {"min": "1Gi"}},
            },
            "spec.devices[0].capacity[memory].requestPolicy.default",
            id="requestPolicy with a valid range and without a default",
            marks=pytest.mark.requirement("DRA-VCP-04"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validValues": ["2Gi", "1Gi"],
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validValues[1]",
            id="valid values that are not sorted",
            marks=pytest.mark.requirement("DRA-VCP-06"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validValues": ["1Gi", "1024Mi"],
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validValues[1]",
            id="valid value that stands twice",
            marks=pytest.mark.requirement("DRA-VCP-07"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validValues": ["1Gi", "8Gi"],
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validValues[1]",
            id="valid value above the capacity",
            marks=pytest.mark.requirement("DRA-VCP-08"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "3Gi",
                    "validValues": ["1Gi", "2Gi"],
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validValues",
            id="default that is none of the valid values",
            marks=pytest.mark.requirement("DRA-VCP-09"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validRange": {"max": "2Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.min",
            id="valid range without a minimum",
            marks=pytest.mark.requirement("DRA-VCP-10"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "8Gi",
                    "validRange": {"min": "8Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.min",
            id="valid range whose minimum is above the capacity",
            marks=pytest.mark.requirement("DRA-VCP-11"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validRange": {"min": "1Gi", "max": "8Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.max",
            id="valid range whose maximum is above the capacity",
            marks=pytest.mark.requirement("DRA-VCP-12"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "3Gi",
                    "validRange": {"min": "3Gi", "max": "2Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.max",
            id="valid range whose minimum is above its maximum",
            marks=pytest.mark.requirement("DRA-VCP-13"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validRange": {"min": "2Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.default",
            id="default below the minimum of its range",
            marks=pytest.mark.requirement("DRA-VCP-14"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "3Gi",
                    "validRange": {"min": "1Gi", "max": "2Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.default",
            id="default above the maximum of its range",
            marks=pytest.mark.requirement("DRA-VCP-15"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validRange": {"min": "1Gi", "step": "0"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.step",
            id="step that is not positive: zero",
            marks=pytest.mark.requirement("DRA-VCP-16"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validRange": {"min": "1Gi", "step": "-1Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.step",
            id="step that is not positive: negative",
            marks=pytest.mark.requirement("DRA-VCP-16"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1Gi",
                    "validRange": {"min": "1Gi", "step": "4Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.step",
            id="step that no request could take",
            marks=pytest.mark.requirement("DRA-VCP-17"),
        ),
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1536Mi",
                    "validRange": {"min": "1Gi", "step": "1Gi"},
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validRange.step",
            id="default that lies between two steps",
            marks=pytest.mark.requirement("DRA-VCP-18"),
        ),
    ],
)
def test_a_resourceslice_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/slice", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1",
                    "validValues": counted(10),
                },
            },
            {
                "spec.devices[0].allowMultipleAllocations": True,
                "spec.devices[0].capacity.memory.requestPolicy": {
                    "default": "1",
                    "validValues": counted(11),
                },
            },
            "spec.devices[0].capacity[memory].requestPolicy.validValues",
            id="valid values of a requestPolicy to 10",
            marks=pytest.mark.requirement("DRA-VCP-05"),
        ),
    ],
)
def test_a_resourceslice_has_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/slice", within)

    with expect.refused(422, at):
        proposals.creation("validation/slice", beyond)

"""A valid object, changed in one place: classes, and requests for the status of pools."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    COSTLY,
    opaque,
    padded,
    selector,
    weighing,
)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.selectors": [selector(COSTLY)]},
            "spec.selectors[0].cel.expression",
            id="expression of a DeviceClass whose estimated cost is above the limit",
            marks=pytest.mark.requirement("DRA-VAD-13"),
        ),
        pytest.param(
            {"spec.config": [opaque(driver=DROP)]},
            "spec.config[0].opaque.driver",
            id="opaque parameters of a DeviceClass without a driver",
            marks=pytest.mark.requirement("DRA-VAD-14"),
        ),
        pytest.param(
            {"spec.config": [opaque(driver="not_a_subdomain")]},
            "spec.config[0].opaque.driver",
            id="opaque parameters of a DeviceClass for a driver whose name is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VAD-15"),
        ),
        pytest.param(
            {"spec.config": [opaque(parameters=[1])]},
            "spec.config[0].opaque.parameters",
            id="opaque parameters of a DeviceClass that are no JSON object",
            marks=pytest.mark.requirement("DRA-VAD-16"),
        ),
    ],
)
def test_parts_of_a_class_are_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/class", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.selectors": [selector(padded(10 * 1024))]},
            {"spec.selectors": [selector(padded(10 * 1024 + 1))]},
            "spec.selectors[0].cel.expression",
            id="expression of a DeviceClass to 10 KiB",
            marks=pytest.mark.requirement("DRA-VAD-17"),
        ),
        pytest.param(
            {"spec.config": [opaque(parameters=weighing(10 * 1024 - 1))]},
            {"spec.config": [opaque(parameters=weighing(10 * 1024 + 1))]},
            "spec.config[0].opaque.parameters",
            id="opaque parameters of a DeviceClass to 10 KiB",
            marks=pytest.mark.requirement("DRA-VAD-18"),
        ),
    ],
)
def test_parts_of_a_class_have_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/class", within)

    with expect.refused(422, at):
        proposals.creation("validation/class", beyond)


@pytest.mark.variant(gates={"DRADeviceTaintRules": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.taint.value": "not a value"},
            "spec.taint.value",
            id="DeviceTaintRule whose taint has a value that is no label value",
            marks=pytest.mark.requirement("DRA-VAD-19"),
        ),
    ],
)
def test_a_value_of_a_rule_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/rule", changes)


@pytest.mark.variant(gates={"DRAResourcePoolStatus": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.driver": "not_a_subdomain"},
            "spec.driver",
            id="ResourcePoolStatusRequest for a driver whose name is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VAD-20"),
        ),
        pytest.param(
            {"spec.poolName": "rack-1/Node_1"},
            "spec.poolName",
            id="ResourcePoolStatusRequest for a pool of a name that is none",
            marks=pytest.mark.requirement("DRA-VAD-21"),
        ),
        pytest.param(
            {"spec.limit": 0},
            "spec.limit",
            id="ResourcePoolStatusRequest for less than one pool",
            marks=pytest.mark.requirement("DRA-VAD-22"),
        ),
        pytest.param(
            {"spec.limit": 1001},
            "spec.limit",
            id="ResourcePoolStatusRequest for more than 1000 pools",
            marks=pytest.mark.requirement("DRA-VAD-23"),
        ),
    ],
)
def test_a_request_for_the_status_of_pools_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/pools", changes)


@pytest.mark.variant(gates={"DRAResourcePoolStatus": True, "DRAPartitionableDevicesType": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.defaultPartitionTypeAttribute": "profile"},
            "spec.defaultPartitionTypeAttribute",
            id="defaultPartitionTypeAttribute without a domain",
            marks=pytest.mark.requirement("DRA-VAD-24"),
        ),
    ],
)
def test_an_attribute_for_partition_types_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/pools", changes)

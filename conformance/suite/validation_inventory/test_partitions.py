"""A valid object, changed in one place: partitions, operations and resources of the node."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import EATS

_PROFILE = "dra.example/profile"

#: A slice whose device says of which type of partition it is.
_PARTED: Changes = {
    "spec.partitionTypeAttribute": _PROFILE,
    "spec.devices[0].attributes.profile": {"string": "small"},
    "spec.devices[0].consumesCounters": [EATS],
}


@pytest.mark.variant(gates={"DRADeviceCompatibilityGroups": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.devices[0].consumesCounters": [{**EATS, "compatibilityGroups": ["a", "a"]}]},
            "spec.devices[0].consumesCounters[0].compatibilityGroups[1]",
            id="compatibility group that stands twice",
            marks=pytest.mark.requirement("DRA-VIN-18"),
        ),
        pytest.param(
            {"spec.devices[0].consumesCounters": [{**EATS, "compatibilityGroups": ["Group_1"]}]},
            "spec.devices[0].consumesCounters[0].compatibilityGroups[0]",
            id="compatibility group whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-VIN-19"),
        ),
    ],
)
def test_a_compatibility_group_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/slice", changes)


@pytest.mark.variant(gates={"DRADeviceCompatibilityGroups": True})
@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.devices[0].consumesCounters": [{**EATS, "compatibilityGroups": ["a", "b"]}]},
            {
                "spec.devices[0].consumesCounters": [
                    {**EATS, "compatibilityGroups": ["a", "b", "c"]}
                ]
            },
            "spec.devices[0].consumesCounters[0].compatibilityGroups",
            id="compatibility groups of what a device consumes to 2",
            marks=pytest.mark.requirement("DRA-VIN-20"),
        ),
    ],
)
def test_compatibility_groups_have_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/slice", within)

    with expect.refused(422, at):
        proposals.creation("validation/slice", beyond)


@pytest.mark.variant(gates={"DRAResourcePoolStatus": True, "DRAPartitionableDevicesType": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {**_PARTED, "spec.partitionTypeAttribute": "profile"},
            "spec.partitionTypeAttribute",
            id="partitionTypeAttribute without a domain",
            marks=pytest.mark.requirement("DRA-VIN-21"),
        ),
        pytest.param(
            {"spec.partitionTypeAttribute": _PROFILE},
            "spec.partitionTypeAttribute",
            id="partitionTypeAttribute in a slice whose devices consume no counters",
            marks=pytest.mark.requirement("DRA-VIN-22"),
        ),
        pytest.param(
            {**_PARTED, "spec.devices[0].attributes": {}},
            "spec.devices[0].attributes[dra.example/profile]",
            id="device that consumes counters and lacks the partitionTypeAttribute",
            marks=pytest.mark.requirement("DRA-VIN-23"),
        ),
        pytest.param(
            {**_PARTED, "spec.devices[0].attributes.profile": {"int": 1}},
            "spec.devices[0].attributes[dra.example/profile]",
            id="partitionTypeAttribute whose value is no text",
            marks=pytest.mark.requirement("DRA-VIN-24"),
        ),
    ],
)
def test_an_attribute_for_partition_types_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/slice", changes)


@pytest.mark.variant(gates={"DRAOptionalNodeOperations": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.skipNodeOperations": ["NodeRestart"]},
            "spec.skipNodeOperations[0]",
            id="unknown operation among those that a slice skips",
            marks=pytest.mark.requirement("DRA-VIN-25"),
        ),
        pytest.param(
            {"spec.skipNodeOperations": ["*", "*"]},
            "spec.skipNodeOperations[1]",
            id="operation that a slice skips twice",
            marks=pytest.mark.requirement("DRA-VIN-26"),
        ),
        pytest.param(
            {"spec.skipNodeOperations": ["NodePrepareResources"]},
            "spec.skipNodeOperations",
            id="slice that skips NodePrepareResources and not NodeUnprepareResources",
            marks=pytest.mark.requirement("DRA-VIN-27"),
        ),
    ],
)
def test_skipping_of_operations_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/slice", changes)


@pytest.mark.variant(gates={"DRANodeAllocatableResources": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.devices[0].nodeAllocatableResources": {"cpu": {}}},
            "spec.devices[0].nodeAllocatableResources[cpu]",
            id="what a device takes of a node without mapping and overhead",
            marks=pytest.mark.requirement("DRA-VIN-28"),
        ),
        pytest.param(
            {
                "spec.devices[0].nodeAllocatableResources": {
                    "cpu": {"mapping": {"capacityKey": "cores", "capacityMultiplier": "1"}}
                }
            },
            "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey",
            id="mapping of a capacity that the device does not have",
            marks=pytest.mark.requirement("DRA-VIN-29"),
        ),
        pytest.param(
            {
                "spec.devices[0].nodeAllocatableResources": {
                    "cpu": {"mapping": {"capacityKey": "memory"}}
                }
            },
            "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityMultiplier",
            id="mapping of a capacity without a multiplier",
            marks=pytest.mark.requirement("DRA-VIN-30"),
        ),
        pytest.param(
            {
                "spec.devices[0].nodeAllocatableResources": {
                    "cpu": {"mapping": {"capacityMultiplier": "1"}}
                }
            },
            "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey",
            id="mapping with a multiplier of no capacity",
            marks=pytest.mark.requirement("DRA-VIN-31"),
        ),
        pytest.param(
            {
                "spec.devices[0].nodeAllocatableResources": {
                    "cpu": {"mapping": {"capacityKey": "memory", "capacityMultiplier": "0"}}
                }
            },
            "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityMultiplier",
            id="multiplier of a capacity that is not positive",
            marks=pytest.mark.requirement("DRA-VIN-32"),
        ),
        pytest.param(
            {
                "spec.devices[0].nodeAllocatableResources": {
                    "cpu": {"mapping": {"deviceMultiplier": "-1"}}
                }
            },
            "spec.devices[0].nodeAllocatableResources[cpu].mapping.deviceMultiplier",
            id="multiplier of a device that is not positive",
            marks=pytest.mark.requirement("DRA-VIN-33"),
        ),
        pytest.param(
            {"spec.devices[0].nodeAllocatableResources": {"cpu": {"overhead": {}}}},
            "spec.devices[0].nodeAllocatableResources[cpu].overhead",
            id="overhead without an amount",
            marks=pytest.mark.requirement("DRA-VIN-34"),
        ),
        pytest.param(
            {"spec.devices[0].nodeAllocatableResources": {"cpu": {"overhead": {"perPod": "-1"}}}},
            "spec.devices[0].nodeAllocatableResources[cpu].overhead.perPod",
            id="negative overhead of each Pod",
            marks=pytest.mark.requirement("DRA-VIN-35"),
        ),
        pytest.param(
            {
                "spec.devices[0].nodeAllocatableResources": {
                    "cpu": {"overhead": {"perContainer": "-1"}}
                }
            },
            "spec.devices[0].nodeAllocatableResources[cpu].overhead.perContainer",
            id="negative overhead of each container",
            marks=pytest.mark.requirement("DRA-VIN-36"),
        ),
    ],
)
def test_what_a_device_takes_of_its_node_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/slice", changes)

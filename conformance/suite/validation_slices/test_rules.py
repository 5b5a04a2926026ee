"""A valid object, changed in one place: ResourceSlices, their pools, nodes and counters."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    BAD,
    EATS,
    HOST,
    MEMORY,
    by_field,
    dotted,
    numbered,
    selecting,
    slashed,
    times,
)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.driver": DROP},
            "spec.driver",
            id="ResourceSlice without a driver",
            marks=pytest.mark.requirement("DRA-VSL-01"),
        ),
        pytest.param(
            {"spec.driver": "not_a_subdomain"},
            "spec.driver",
            id="driver name that is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VSL-02"),
        ),
        pytest.param(
            {"spec.pool.name": DROP},
            "spec.pool.name",
            id="ResourceSlice whose pool has no name",
            marks=pytest.mark.requirement("DRA-VSL-04"),
        ),
        pytest.param(
            {"spec.pool.name": "rack-1/Node_1"},
            "spec.pool.name",
            id="pool name with a part that is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VSL-05"),
        ),
        pytest.param(
            {"spec.pool.resourceSliceCount": 0},
            "spec.pool.resourceSliceCount",
            id="pool whose resourceSliceCount is not positive: zero",
            marks=pytest.mark.requirement("DRA-VSL-07"),
        ),
        pytest.param(
            {"spec.pool.resourceSliceCount": -1},
            "spec.pool.resourceSliceCount",
            id="pool whose resourceSliceCount is not positive: a negative number",
            marks=pytest.mark.requirement("DRA-VSL-07"),
        ),
        pytest.param(
            {"spec.pool.generation": -1},
            "spec.pool.generation",
            id="negative pool generation",
            marks=pytest.mark.requirement("DRA-VSL-08"),
        ),
        pytest.param(
            {"spec.nodeName": DROP},
            "spec",
            id="no node",
            marks=pytest.mark.requirement("DRA-VSL-09"),
        ),
        pytest.param(
            {"spec.allNodes": True},
            "spec",
            id="where the devices are, twice: a node and all nodes",
            marks=pytest.mark.requirement("DRA-VSL-10"),
        ),
        pytest.param(
            {"spec.perDeviceNodeSelection": True, "spec.devices[0].allNodes": True},
            "spec",
            id="where the devices are, twice: a node and each device its own",
            marks=[
                pytest.mark.requirement("DRA-VSL-10"),
                pytest.mark.variant(gates={"DRAPartitionableDevices": True}),
            ],
        ),
        pytest.param(
            {"spec.nodeName": "", "spec.allNodes": True},
            "spec.nodeName",
            id="empty node name in a ResourceSlice",
            marks=pytest.mark.requirement("DRA-VSL-11"),
        ),
        pytest.param(
            {"spec.nodeName": "Node_1"},
            "spec.nodeName",
            id="node name that is no DNS subdomain in a ResourceSlice",
            marks=pytest.mark.requirement("DRA-VSL-12"),
        ),
        pytest.param(
            {"spec.allNodes": False},
            "spec.allNodes",
            id="allNodes that is false",
            marks=pytest.mark.requirement("DRA-VSL-13"),
        ),
        pytest.param(
            {"spec.perDeviceNodeSelection": False},
            "spec.perDeviceNodeSelection",
            id="perDeviceNodeSelection that is false",
            marks=pytest.mark.requirement("DRA-VSL-14"),
        ),
        pytest.param(
            {"spec.nodeName": DROP, "spec.nodeSelector": selecting(HOST, HOST)},
            "spec.nodeSelector.nodeSelectorTerms",
            id="nodeSelector of several terms",
            marks=pytest.mark.requirement("DRA-VSL-15"),
        ),
        pytest.param(
            {"spec.nodeName": DROP, "spec.nodeSelector": selecting({**HOST, "operator": "Near"})},
            "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].operator",
            id="nodeSelector whose operator is unknown",
            marks=pytest.mark.requirement("DRA-VSL-16"),
        ),
        pytest.param(
            {"spec.nodeName": DROP, "spec.nodeSelector": selecting({**HOST, "values": []})},
            "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values",
            id="nodeSelector that compares with In and names no value",
            marks=pytest.mark.requirement("DRA-VSL-17"),
        ),
        pytest.param(
            {"spec.nodeName": DROP, "spec.nodeSelector": selecting({**HOST, "operator": "Exists"})},
            "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values",
            id="nodeSelector that asks for existence and names values",
            marks=pytest.mark.requirement("DRA-VSL-18"),
        ),
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.nodeSelector": selecting({**HOST, "operator": "Gt", "values": []}),
            },
            "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values",
            id="a number compared: no value",
            marks=pytest.mark.requirement("DRA-VSL-19"),
        ),
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.nodeSelector": selecting({**HOST, "operator": "Lt", "values": ["1", "2"]}),
            },
            "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values",
            id="a number compared: two values",
            marks=pytest.mark.requirement("DRA-VSL-19"),
        ),
        pytest.param(
            {"spec.nodeName": DROP, "spec.nodeSelector": selecting({**HOST, "key": "not a key"})},
            "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].key",
            id="nodeSelector with a key that no label can have",
            marks=pytest.mark.requirement("DRA-VSL-20"),
        ),
        pytest.param(
            {"spec.nodeName": DROP, "spec.nodeSelector": by_field("spec.unschedulable")},
            "spec.nodeSelector.nodeSelectorTerms[0].matchFields[0].key",
            id="nodeSelector by a field other than metadata.name",
            marks=pytest.mark.requirement("DRA-VSL-21"),
        ),
        pytest.param(
            {"spec.devices": [{"name": "device-1"}, {"name": "device-1"}]},
            "spec.devices[1]",
            id="two devices of one name in a ResourceSlice",
            marks=pytest.mark.requirement("DRA-VSL-22"),
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
            {"spec.driver": dotted(63)},
            {"spec.driver": dotted(64)},
            "spec.driver",
            id="name of a driver to 63 characters",
            marks=pytest.mark.requirement("DRA-VSL-03"),
        ),
        pytest.param(
            {"spec.pool.name": slashed(253)},
            {"spec.pool.name": slashed(254)},
            "spec.pool.name",
            id="name of a pool to 253 characters",
            marks=pytest.mark.requirement("DRA-VSL-06"),
        ),
        pytest.param(
            {"spec.devices": times(128, name="device-{n}")},
            {"spec.devices": times(129, name="device-{n}")},
            "spec.devices",
            id="devices of a ResourceSlice to 128",
            marks=pytest.mark.requirement("DRA-VSL-23"),
        ),
        pytest.param(
            {"spec.devices": times(64, name="device-{n}", taints=[BAD])},
            {"spec.devices": times(65, name="device-{n}", taints=[BAD])},
            "spec.devices",
            id="devices of a ResourceSlice with taints to 64",
            marks=pytest.mark.requirement("DRA-VSL-24"),
        ),
        pytest.param(
            {"spec.devices": times(64, name="device-{n}", consumesCounters=[EATS])},
            {"spec.devices": times(65, name="device-{n}", consumesCounters=[EATS])},
            "spec.devices",
            id="devices of a ResourceSlice that consume counters to 64",
            marks=pytest.mark.requirement("DRA-VSL-25"),
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


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.sharedCounters": times(8, name="set-{n}", counters=MEMORY)},
            {"spec.sharedCounters": times(9, name="set-{n}", counters=MEMORY)},
            "spec.sharedCounters",
            id="counter sets of a ResourceSlice to 8",
            marks=pytest.mark.requirement("DRA-VSL-26"),
        ),
        pytest.param(
            {"spec.sharedCounters[0].counters": numbered(32)},
            {"spec.sharedCounters[0].counters": numbered(33)},
            "spec.sharedCounters[0].counters",
            id="counters of a counter set to 32",
            marks=pytest.mark.requirement("DRA-VSL-30"),
        ),
    ],
)
def test_a_resourceslice_of_counters_has_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/counters", within)

    with expect.refused(422, at):
        proposals.creation("validation/counters", beyond)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.sharedCounters[0].name": DROP},
            "spec.sharedCounters[0].name",
            id="counter set without a name",
            marks=pytest.mark.requirement("DRA-VSL-27"),
        ),
        pytest.param(
            {"spec.sharedCounters[0].name": "Set_1"},
            "spec.sharedCounters[0].name",
            id="counter set whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-VSL-28"),
        ),
        pytest.param(
            {"spec.sharedCounters[0].counters": DROP},
            "spec.sharedCounters[0].counters",
            id="counter set without counters",
            marks=pytest.mark.requirement("DRA-VSL-29"),
        ),
        pytest.param(
            {"spec.sharedCounters[0].counters": {"Not_Valid": {"value": "1"}}},
            "spec.sharedCounters[0].counters",
            id="counter whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-VSL-31"),
        ),
        pytest.param(
            {
                "spec.sharedCounters": [
                    {"name": "set", "counters": MEMORY},
                    {"name": "set", "counters": MEMORY},
                ]
            },
            "spec.sharedCounters[1]",
            id="two counter sets of one name in a ResourceSlice",
            marks=pytest.mark.requirement("DRA-VSL-32"),
        ),
        pytest.param(
            {"spec.devices": [{"name": "device-1"}]},
            "spec",
            id="ResourceSlice with devices and shared counters",
            marks=pytest.mark.requirement("DRA-VSL-33"),
        ),
    ],
)
def test_a_resourceslice_of_counters_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/counters", changes)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.driver": "other.example"},
            "spec.driver",
            id="change of the driver of a ResourceSlice",
            marks=pytest.mark.requirement("DRA-VSL-34"),
        ),
        pytest.param(
            {"spec.pool.name": "other"},
            "spec.pool.name",
            id="change of the pool's name of a ResourceSlice",
            marks=pytest.mark.requirement("DRA-VSL-35"),
        ),
        pytest.param(
            {"spec.nodeName": "node-2"},
            "spec.nodeName",
            id="change of the node name of a ResourceSlice",
            marks=pytest.mark.requirement("DRA-VSL-36"),
        ),
    ],
)
def test_a_change_of_a_resourceslice_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.update("validation/slice", changes)

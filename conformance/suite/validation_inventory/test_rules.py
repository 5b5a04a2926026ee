"""A valid object, changed in one place: devices, their nodes and their attributes."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    EATS,
    HOST,
    dotted,
    selecting,
    times,
)

#: A requirement on the name of a node, and an attribute with several values.
_NAME = {"key": "metadata.name", "operator": "In", "values": ["node-1"]}
_LISTED = {"sizes": {"ints": [1, 2]}}


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.perDeviceNodeSelection": True,
                "spec.devices[0].allNodes": False,
            },
            "spec.devices[0].allNodes",
            id="device whose allNodes is false",
            marks=pytest.mark.requirement("DRA-VIN-01"),
        ),
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.perDeviceNodeSelection": True,
                "spec.devices[0].nodeSelector": {"nodeSelectorTerms": []},
            },
            "spec.devices[0].nodeSelector.nodeSelectorTerms",
            id="device whose node selector has no term",
            marks=pytest.mark.requirement("DRA-VIN-02"),
        ),
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.perDeviceNodeSelection": True,
                "spec.devices[0].nodeName": "Node_1",
            },
            "spec.devices[0].nodeName",
            id="device whose node name is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VIN-03"),
        ),
        pytest.param(
            {"spec.devices[0].consumesCounters": [{**EATS, "counterSet": "Set_1"}]},
            "spec.devices[0].consumesCounters[0].counterSet",
            id="device that consumes from a counter set whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-VIN-04"),
        ),
        pytest.param(
            {"spec.devices[0].consumesCounters": [{**EATS, "counters": {"Mem_1": {"value": "1"}}}]},
            "spec.devices[0].consumesCounters[0].counters",
            id="device that consumes a counter whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-VIN-05"),
        ),
        pytest.param(
            {
                "spec.devices[0].bindingConditions": ["a"],
                "spec.devices[0].bindingFailureConditions": ["not a key"],
            },
            "spec.devices[0].bindingFailureConditions[0]",
            id="binding failure condition whose name is no label key",
            marks=pytest.mark.requirement("DRA-VIN-06"),
        ),
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.nodeSelector": {
                    "nodeSelectorTerms": [{"matchFields": [{**_NAME, "operator": "Exists"}]}]
                },
            },
            "spec.nodeSelector.nodeSelectorTerms[0].matchFields[0].operator",
            id="nodeSelector by the name of a node with an operator other than In and NotIn",
            marks=pytest.mark.requirement("DRA-VIN-07"),
        ),
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.nodeSelector": {
                    "nodeSelectorTerms": [{"matchFields": [{**_NAME, "values": ["a", "b"]}]}]
                },
            },
            "spec.nodeSelector.nodeSelectorTerms[0].matchFields[0].values",
            id="nodeSelector by more than one name of a node",
            marks=pytest.mark.requirement("DRA-VIN-08"),
        ),
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.nodeSelector": selecting({**HOST, "values": ["not a value"]}),
            },
            "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values[0]",
            id="nodeSelector with a value that no label can have",
            marks=pytest.mark.requirement("DRA-VIN-09"),
        ),
    ],
)
def test_a_device_of_a_slice_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/slice", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.devices[0].capacity": {"a" * 32: {"value": "1"}}},
            {"spec.devices[0].capacity": {"a" * 33: {"value": "1"}}},
            "spec.devices[0].capacity",
            id="identifier of a capacity to 32 characters",
            marks=pytest.mark.requirement("DRA-VIN-10"),
        ),
        pytest.param(
            {"spec.devices[0].capacity": {f"{dotted(63)}/a": {"value": "1"}}},
            {"spec.devices[0].capacity": {f"{dotted(64)}/a": {"value": "1"}}},
            "spec.devices[0].capacity",
            id="domain of a capacity to 63 characters",
            marks=pytest.mark.requirement("DRA-VIN-11"),
        ),
    ],
)
def test_names_of_capacities_have_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/slice", within)

    with expect.refused(422, at):
        proposals.creation("validation/slice", beyond)


@pytest.mark.variant(gates={"DRAListTypeAttributes": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.devices[0].attributes.sizes": {"bools": []}},
            "spec.devices[0].attributes[sizes].bools",
            id="attribute with a list of no values: of bools",
            marks=pytest.mark.requirement("DRA-VIN-12"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.sizes": {"ints": []}},
            "spec.devices[0].attributes[sizes].ints",
            id="attribute with a list of no values: of ints",
            marks=pytest.mark.requirement("DRA-VIN-12"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.sizes": {"strings": []}},
            "spec.devices[0].attributes[sizes].strings",
            id="attribute with a list of no values: of strings",
            marks=pytest.mark.requirement("DRA-VIN-12"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.sizes": {"versions": []}},
            "spec.devices[0].attributes[sizes].versions",
            id="attribute with a list of no values: of versions",
            marks=pytest.mark.requirement("DRA-VIN-12"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.sizes": {"versions": ["1.0.0", "1.0"]}},
            "spec.devices[0].attributes[sizes].versions[1]",
            id="version in a list that is no semantic version",
            marks=pytest.mark.requirement("DRA-VIN-13"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.sizes": {"int": 1, "ints": [1]}},
            "spec.devices[0].attributes[sizes]",
            id="attribute with a value and a list of values",
            marks=pytest.mark.requirement("DRA-VIN-14"),
        ),
    ],
)
def test_a_list_of_values_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/slice", changes)


@pytest.mark.variant(gates={"DRAListTypeAttributes": True})
@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.devices[0].attributes.sizes": {"strings": ["a" * 64]}},
            {"spec.devices[0].attributes.sizes": {"strings": ["a" * 65]}},
            "spec.devices[0].attributes[sizes].strings[0]",
            id="text in a list of an attribute to 64 characters",
            marks=pytest.mark.requirement("DRA-VIN-15"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.sizes": {"ints": list(range(47))}},
            {"spec.devices[0].attributes.sizes": {"ints": list(range(48))}},
            "spec.devices[0]",
            id="values of all attributes of a device to 48 together",
            marks=pytest.mark.requirement("DRA-VIN-16"),
        ),
        pytest.param(
            {"spec.devices": times(64, name="device-{n}", attributes=_LISTED)},
            {"spec.devices": times(65, name="device-{n}", attributes=_LISTED)},
            "spec.devices",
            id="devices of a ResourceSlice with lists in their attributes to 64",
            marks=pytest.mark.requirement("DRA-VIN-17"),
        ),
    ],
)
def test_lists_of_values_have_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/slice", within)

    with expect.refused(422, at):
        proposals.creation("validation/slice", beyond)

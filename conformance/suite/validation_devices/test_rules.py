"""A valid object, changed in one place: the devices of a ResourceSlice."""

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
    dotted,
    numbered,
    selecting,
    texts,
    times,
)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.devices[0].name": "Device_1"},
            "spec.devices[0].name",
            id="device whose name is no DNS label: capitals and underscores",
            marks=pytest.mark.requirement("DRA-VDV-01"),
        ),
        pytest.param(
            {"spec.devices[0].name": "device.1"},
            "spec.devices[0].name",
            id="device whose name is no DNS label: a dot",
            marks=pytest.mark.requirement("DRA-VDV-01"),
        ),
        pytest.param(
            {"spec.devices[0].name": "d" * 64},
            "spec.devices[0].name",
            id="device whose name is no DNS label: 64 characters",
            marks=pytest.mark.requirement("DRA-VDV-01"),
        ),
        pytest.param(
            {"spec.devices[0].name": DROP},
            "spec.devices[0].name",
            id="device whose name is no DNS label: no name",
            marks=pytest.mark.requirement("DRA-VDV-01"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.model": {}},
            "spec.devices[0].attributes[model]",
            id="attribute without exactly one value: no value",
            marks=pytest.mark.requirement("DRA-VDV-03"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.model": {"string": "a", "int": 1}},
            "spec.devices[0].attributes[model]",
            id="attribute without exactly one value: two values",
            marks=pytest.mark.requirement("DRA-VDV-03"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.model": {"version": "6.19.14.31400000"}},
            "spec.devices[0].attributes[model].version",
            id="version that is no semantic version: four parts",
            marks=pytest.mark.requirement("DRA-VDV-05"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.model": {"version": "1.2"}},
            "spec.devices[0].attributes[model].version",
            id="version that is no semantic version: two parts",
            marks=pytest.mark.requirement("DRA-VDV-05"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.model": {"version": "v1.2.3"}},
            "spec.devices[0].attributes[model].version",
            id="version that is no semantic version: a leading v",
            marks=pytest.mark.requirement("DRA-VDV-05"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.model": {"version": "1.02.3"}},
            "spec.devices[0].attributes[model].version",
            id="version that is no semantic version: a leading zero",
            marks=pytest.mark.requirement("DRA-VDV-05"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.model": {"version": ""}},
            "spec.devices[0].attributes[model].version",
            id="version that is no semantic version: an empty one",
            marks=pytest.mark.requirement("DRA-VDV-05"),
        ),
        pytest.param(
            {"spec.devices[0].attributes": {"numa-1": {"int": 1}}},
            "spec.devices[0].attributes",
            id="name of an attribute that is no C identifier: a hyphen",
            marks=pytest.mark.requirement("DRA-VDV-07"),
        ),
        pytest.param(
            {"spec.devices[0].attributes": {"1st": {"int": 1}}},
            "spec.devices[0].attributes",
            id="name of an attribute that is no C identifier: a leading digit",
            marks=pytest.mark.requirement("DRA-VDV-07"),
        ),
        pytest.param(
            {"spec.devices[0].attributes": {"a.b": {"int": 1}}},
            "spec.devices[0].attributes",
            id="name of an attribute that is no C identifier: a dot",
            marks=pytest.mark.requirement("DRA-VDV-07"),
        ),
        pytest.param(
            {"spec.devices[0].attributes": {"/model": {"int": 1}}},
            "spec.devices[0].attributes",
            id="name of an attribute with an empty domain",
            marks=pytest.mark.requirement("DRA-VDV-10"),
        ),
        pytest.param(
            {"spec.devices[0].attributes": {"dra.example/": {"int": 1}}},
            "spec.devices[0].attributes",
            id="name of an attribute with nothing behind its domain",
            marks=pytest.mark.requirement("DRA-VDV-11"),
        ),
        pytest.param(
            {"spec.devices[0].attributes": {"not_valid/model": {"int": 1}}},
            "spec.devices[0].attributes",
            id="name of an attribute whose domain is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VDV-12"),
        ),
        pytest.param(
            {"spec.devices[0].capacity": {"memory-1": {"value": "1"}}},
            "spec.devices[0].capacity",
            id="name of a capacity that is no C identifier",
            marks=pytest.mark.requirement("DRA-VDV-13"),
        ),
        pytest.param(
            {"spec.devices[0].taints": [{"key": "dra.example/bad"}]},
            "spec.devices[0].taints[0].effect",
            id="taint without an effect",
            marks=pytest.mark.requirement("DRA-VDV-14"),
        ),
        pytest.param(
            {"spec.devices[0].taints": [{**BAD, "effect": "PreferNoSchedule"}]},
            "spec.devices[0].taints[0].effect",
            id="taint with an unknown effect",
            marks=pytest.mark.requirement("DRA-VDV-15"),
        ),
        pytest.param(
            {"spec.devices[0].taints": [{**BAD, "key": "not a key"}]},
            "spec.devices[0].taints[0].key",
            id="taint whose key is no label key: a space",
            marks=pytest.mark.requirement("DRA-VDV-16"),
        ),
        pytest.param(
            {"spec.devices[0].taints": [{**BAD, "key": "dra.example/" + "k" * 64}]},
            "spec.devices[0].taints[0].key",
            id="taint whose key is no label key: a name of 64 characters",
            marks=pytest.mark.requirement("DRA-VDV-16"),
        ),
        pytest.param(
            {"spec.devices[0].taints": [{"effect": "NoSchedule"}]},
            "spec.devices[0].taints[0].key",
            id="taint whose key is no label key: no key",
            marks=pytest.mark.requirement("DRA-VDV-16"),
        ),
        pytest.param(
            {"spec.devices[0].taints": [{**BAD, "value": "not a value"}]},
            "spec.devices[0].taints[0].value",
            id="taint whose value is no label value",
            marks=pytest.mark.requirement("DRA-VDV-17"),
        ),
        pytest.param(
            {"spec.devices[0].consumesCounters": [{"counters": MEMORY}]},
            "spec.devices[0].consumesCounters[0].counterSet",
            id="device that consumes counters of no set",
            marks=pytest.mark.requirement("DRA-VDV-19"),
        ),
        pytest.param(
            {"spec.devices[0].consumesCounters": [{"counterSet": "set"}]},
            "spec.devices[0].consumesCounters[0].counters",
            id="device that consumes no counter of a set",
            marks=pytest.mark.requirement("DRA-VDV-20"),
        ),
        pytest.param(
            {"spec.devices[0].consumesCounters": [EATS, EATS]},
            "spec.devices[0].consumesCounters[1]",
            id="device that consumes counters of one set twice",
            marks=pytest.mark.requirement("DRA-VDV-21"),
        ),
        pytest.param(
            {"spec.devices[0].nodeName": "node-1"},
            "spec.devices[0]",
            id="node of a device: nodeName",
            marks=pytest.mark.requirement("DRA-VDV-24"),
        ),
        pytest.param(
            {"spec.devices[0].nodeSelector": selecting(HOST)},
            "spec.devices[0]",
            id="node of a device: nodeSelector",
            marks=pytest.mark.requirement("DRA-VDV-24"),
        ),
        pytest.param(
            {"spec.devices[0].allNodes": True},
            "spec.devices[0]",
            id="node of a device: allNodes",
            marks=pytest.mark.requirement("DRA-VDV-24"),
        ),
        pytest.param(
            {"spec.nodeName": DROP, "spec.perDeviceNodeSelection": True},
            "spec.devices[0]",
            id="device without a node in a slice that selects by device",
            marks=pytest.mark.requirement("DRA-VDV-25"),
        ),
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.perDeviceNodeSelection": True,
                "spec.devices[0].nodeName": "node-1",
                "spec.devices[0].allNodes": True,
            },
            "spec.devices[0]",
            id="device with two kinds of node in a slice that selects by device",
            marks=pytest.mark.requirement("DRA-VDV-26"),
        ),
        pytest.param(
            {
                "spec.nodeName": DROP,
                "spec.perDeviceNodeSelection": True,
                "spec.devices[0].nodeName": "",
                "spec.devices[0].allNodes": True,
            },
            "spec.devices[0].nodeName",
            id="device whose node name is empty",
            marks=pytest.mark.requirement("DRA-VDV-27"),
        ),
        pytest.param(
            {"spec.devices[0].bindingConditions": ["ready"]},
            "spec.devices[0].bindingFailureConditions",
            id="binding conditions without binding failure conditions",
            marks=pytest.mark.requirement("DRA-VDV-28"),
        ),
        pytest.param(
            {"spec.devices[0].bindingFailureConditions": ["failed"]},
            "spec.devices[0].bindingConditions",
            id="binding failure conditions without binding conditions",
            marks=pytest.mark.requirement("DRA-VDV-29"),
        ),
        pytest.param(
            {
                "spec.devices[0].bindingConditions": ["ready", "ready"],
                "spec.devices[0].bindingFailureConditions": ["failed"],
            },
            "spec.devices[0].bindingConditions[1]",
            id="binding condition that stands twice",
            marks=pytest.mark.requirement("DRA-VDV-30"),
        ),
        pytest.param(
            {
                "spec.devices[0].bindingConditions": ["ready"],
                "spec.devices[0].bindingFailureConditions": ["failed", "failed"],
            },
            "spec.devices[0].bindingFailureConditions[1]",
            id="binding failure condition that stands twice",
            marks=pytest.mark.requirement("DRA-VDV-31"),
        ),
        pytest.param(
            {
                "spec.devices[0].bindingConditions": ["ready"],
                "spec.devices[0].bindingFailureConditions": ["ready"],
            },
            "spec.devices[0].bindingFailureConditions[0]",
            id="condition that means both binding and failure",
            marks=pytest.mark.requirement("DRA-VDV-32"),
        ),
        pytest.param(
            {
                "spec.devices[0].bindingConditions": ["not a key"],
                "spec.devices[0].bindingFailureConditions": ["failed"],
            },
            "spec.devices[0].bindingConditions[0]",
            id="binding condition whose name is no label key",
            marks=pytest.mark.requirement("DRA-VDV-33"),
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
            {"spec.devices[0].attributes": numbered(31, int=1)},
            {"spec.devices[0].attributes": numbered(32, int=1)},
            "spec.devices[0]",
            id="attributes and capacities of a device to 32 together",
            marks=pytest.mark.requirement("DRA-VDV-02"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.model": {"string": "a" * 64}},
            {"spec.devices[0].attributes.model": {"string": "a" * 65}},
            "spec.devices[0].attributes[model].string",
            id="text in an attribute to 64 characters",
            marks=pytest.mark.requirement("DRA-VDV-04"),
        ),
        pytest.param(
            {"spec.devices[0].attributes.model": {"version": "1.2.3-" + "a" * 58}},
            {"spec.devices[0].attributes.model": {"version": "1.2.3-" + "a" * 59}},
            "spec.devices[0].attributes[model].version",
            id="version in an attribute to 64 characters",
            marks=pytest.mark.requirement("DRA-VDV-06"),
        ),
        pytest.param(
            {"spec.devices[0].attributes": {"a" * 32: {"int": 1}}},
            {"spec.devices[0].attributes": {"a" * 33: {"int": 1}}},
            "spec.devices[0].attributes",
            id="identifier of an attribute to 32 characters",
            marks=pytest.mark.requirement("DRA-VDV-08"),
        ),
        pytest.param(
            {"spec.devices[0].attributes": {dotted(63) + "/model": {"int": 1}}},
            {"spec.devices[0].attributes": {dotted(64) + "/model": {"int": 1}}},
            "spec.devices[0].attributes",
            id="domain of an attribute to 63 characters",
            marks=pytest.mark.requirement("DRA-VDV-09"),
        ),
        pytest.param(
            {"spec.devices[0].taints": times(16, key="dra.example/bad-{n}", effect="NoSchedule")},
            {"spec.devices[0].taints": times(17, key="dra.example/bad-{n}", effect="NoSchedule")},
            "spec.devices[0].taints",
            id="taints of a device to 16",
            marks=pytest.mark.requirement("DRA-VDV-18"),
        ),
        pytest.param(
            {"spec.devices[0].consumesCounters": times(2, counterSet="set-{n}", counters=MEMORY)},
            {"spec.devices[0].consumesCounters": times(3, counterSet="set-{n}", counters=MEMORY)},
            "spec.devices[0].consumesCounters",
            id="counter sets that a device consumes from to 2",
            marks=pytest.mark.requirement("DRA-VDV-22"),
        ),
        pytest.param(
            {"spec.devices[0].consumesCounters": [{"counterSet": "set", "counters": numbered(32)}]},
            {"spec.devices[0].consumesCounters": [{"counterSet": "set", "counters": numbered(33)}]},
            "spec.devices[0].consumesCounters[0].counters",
            id="counters that a device consumes of one set to 32",
            marks=pytest.mark.requirement("DRA-VDV-23"),
        ),
        pytest.param(
            {
                "spec.devices[0].bindingConditions": texts(4),
                "spec.devices[0].bindingFailureConditions": ["failed"],
            },
            {
                "spec.devices[0].bindingConditions": texts(5),
                "spec.devices[0].bindingFailureConditions": ["failed"],
            },
            "spec.devices[0].bindingConditions",
            id="binding conditions of a device to 4",
            marks=pytest.mark.requirement("DRA-VDV-34"),
        ),
        pytest.param(
            {
                "spec.devices[0].bindingFailureConditions": texts(4),
                "spec.devices[0].bindingConditions": ["ready"],
            },
            {
                "spec.devices[0].bindingFailureConditions": texts(5),
                "spec.devices[0].bindingConditions": ["ready"],
            },
            "spec.devices[0].bindingFailureConditions",
            id="binding failure conditions of a device to 4",
            marks=pytest.mark.requirement("DRA-VDV-35"),
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

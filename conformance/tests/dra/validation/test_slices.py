"""What is refused in slices."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra import validation
from conformance.dra.features import Features
from conformance.tests.dra.objects import DRIVER, changed, device, said_of, slice_

_ON = Features()
_LONG = "a" * 64


def _many(count: int, item: Any = None) -> list[Any]:
    return [item if item is not None else f"n{index}" for index in range(count)]


_DEVICE = device(
    attributes={"a": {"string": "x"}, "x.io/v": {"version": "1.2.3"}, "n": {"ints": [1]}},
    capacity={"memory": {"value": "4Gi"}},
    taints=[{"key": "k", "value": "v", "effect": "NoSchedule"}],
    consumesCounters=[{"counterSet": "s", "counters": {"m": {"value": "1"}}}],
    bindingConditions=["ready"],
    bindingFailureConditions=["x.io/failed"],
)
_SLICE = slice_(devices=[_DEVICE])
_D = "spec.devices.0"
_TERM = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}

_SLICE_ROWS = [
    ("no driver", "spec.driver", "", [("spec.driver", "Required")]),
    ("wrong driver", "spec.driver", "a_b", [("spec.driver", "Invalid")]),
    ("long driver", "spec.driver", f"{_LONG}.io", [("spec.driver", "TooLong")]),
    ("no pool", "spec.pool.name", "", [("spec.pool.name", "Required")]),
    ("wrong pool", "spec.pool.name", "a/B", [("spec.pool.name", "Invalid")]),
    ("long pool", "spec.pool.name", "a/" * 127 + "a", [("spec.pool.name", "TooLong")]),
    ("no slices", "spec.pool.resourceSliceCount", 0,
        [("spec.pool.resourceSliceCount", "Invalid")]),
    ("negative generation", "spec.pool.generation", -1, [("spec.pool.generation", "Invalid")]),
    ("no node", "spec.nodeName", None, [("spec", "Required")]),
    ("empty node", "spec.nodeName", "", [("spec.nodeName", "Invalid"), ("spec", "Required")]),
    ("wrong node", "spec.nodeName", "A", [("spec.nodeName", "Invalid")]),
    ("two ways", "spec.allNodes", True, [("spec", "Invalid")]),
    ("not all nodes", "spec.allNodes", False, [("spec.allNodes", "Invalid")]),
    ("not per device", "spec.perDeviceNodeSelection", False,
        [("spec.perDeviceNodeSelection", "Invalid")]),
    ("devices and counters", "spec.sharedCounters", [], [("spec", "Invalid")]),
    ("too many devices", "spec.devices", _many(129, device()), [("spec.devices", "TooMany")]),
    ("too many advanced devices", "spec.devices", _many(65, _DEVICE),
        [("spec.devices", "TooMany")]),
    ("a device twice", "spec.devices", [device(), device()], [("spec.devices[1]", "Duplicate")]),
    ("a wrong name", f"{_D}.name", "A", [("spec.devices[0].name", "Invalid")]),
    ("an attribute without value", f"{_D}.attributes.a", {},
        [("spec.devices[0].attributes[a]", "Invalid")]),
    ("an attribute with two values", f"{_D}.attributes.a.int", 1,
        [("spec.devices[0].attributes[a]", "Invalid")]),
    ("a long text", f"{_D}.attributes.a.string", "x" * 65,
        [("spec.devices[0].attributes[a].string", "TooLong")]),
    ("a wrong version", f"{_D}.attributes.a", {"version": "1.2"},
        [("spec.devices[0].attributes[a].version", "Invalid")]),
    ("an empty list", f"{_D}.attributes.n.ints", [],
        [("spec.devices[0].attributes[n].ints", "Invalid")]),
    ("a long text in a list", f"{_D}.attributes.a", {"strings": ["x" * 65]},
        [("spec.devices[0].attributes[a].strings[0]", "TooLong")]),
    ("a wrong version in a list", f"{_D}.attributes.a", {"versions": ["x"]},
        [("spec.devices[0].attributes[a].versions[0]", "Invalid")]),
    ("an attribute of no name", f"{_D}.attributes", {"1": {"int": 1}},
        [("spec.devices[0].attributes", "Invalid")]),
    ("too many attributes", f"{_D}.attributes", {f"a{i}": {"int": i} for i in range(32)},
        [("spec.devices[0]", "Invalid")]),
    ("too many values", f"{_D}.attributes.n.ints", [1] * 48, [("spec.devices[0]", "Invalid")]),
    ("a policy without sharing", f"{_D}.capacity.memory.requestPolicy", {},
        [("spec.devices[0].capacity[memory].requestPolicy", "Forbidden")]),
    ("too many taints", f"{_D}.taints", _many(17, {"key": "k", "effect": "None"}),
        [("spec.devices[0].taints", "TooMany")]),
    ("a taint without key", f"{_D}.taints.0.key", "",
        [("spec.devices[0].taints[0].key", "Invalid")] * 2),
    ("a taint with a wrong value", f"{_D}.taints.0.value", "-",
        [("spec.devices[0].taints[0].value", "Invalid")]),
    ("a taint without effect", f"{_D}.taints.0.effect", None,
        [("spec.devices[0].taints[0].effect", "Required")]),
    ("an unknown effect", f"{_D}.taints.0.effect", "Evict",
        [("spec.devices[0].taints[0].effect", "NotSupported")]),
    ("no counter set", f"{_D}.consumesCounters.0.counterSet", "",
        [("spec.devices[0].consumesCounters[0].counterSet", "Required")]),
    ("no counters", f"{_D}.consumesCounters.0.counters", {},
        [("spec.devices[0].consumesCounters[0].counters", "Required")]),
    ("a counter of no name", f"{_D}.consumesCounters.0.counters", {"A": {"value": "1"}},
        [("spec.devices[0].consumesCounters[0].counters", "Invalid")]),
    ("too many counters", f"{_D}.consumesCounters.0.counters",
        {f"c{i}": {"value": "1"} for i in range(33)},
        [("spec.devices[0].consumesCounters[0].counters", "TooMany")]),
    ("too many counter sets consumed", f"{_D}.consumesCounters",
        [{"counterSet": f"s{i}", "counters": {"m": {"value": "1"}}} for i in range(3)],
        [("spec.devices[0].consumesCounters", "TooMany")]),
    ("nodes without asking", f"{_D}.nodeName", "n", [("spec.devices[0]", "Invalid")]),
    ("too many conditions", f"{_D}.bindingConditions", _many(5),
        [("spec.devices[0].bindingConditions", "TooMany")]),
    ("a condition of no name", f"{_D}.bindingConditions", ["-"],
        [("spec.devices[0].bindingConditions[0]", "Invalid")]),
    ("a condition twice", f"{_D}.bindingConditions", ["a", "a"],
        [("spec.devices[0].bindingConditions[1]", "Duplicate")]),
    ("a condition that is success and failure", f"{_D}.bindingFailureConditions", ["ready"],
        [("spec.devices[0].bindingFailureConditions[0]", "Invalid")]),
    ("success alone", f"{_D}.bindingFailureConditions", [],
        [("spec.devices[0].bindingFailureConditions", "Invalid")]),
    ("failure alone", f"{_D}.bindingConditions", [],
        [("spec.devices[0].bindingConditions", "Invalid")]),
    ("an unknown operation", "spec.skipNodeOperations", ["Dance"],
        [("spec.skipNodeOperations[0]", "NotSupported")]),
    ("prepared never, unprepared always", "spec.skipNodeOperations", ["NodePrepareResources"],
        [("spec.skipNodeOperations", "Invalid")]),
    ("a partition type that no device has", "spec.partitionTypeAttribute", "x.io/p",
        [("spec.devices[0].attributes[x.io/p]", "Required")]),
    ("a partition type that is no text", "spec.partitionTypeAttribute", "x.io/v",
        [("spec.devices[0].attributes[x.io/v]", "Invalid")]),
    ("a partition type in the driver's domain", "spec.partitionTypeAttribute", f"{DRIVER}/a", []),
    ("a partition type without domain", "spec.partitionTypeAttribute", "a",
        [("spec.partitionTypeAttribute", "Invalid")]),
]  # fmt: skip


def test_a_well_formed_slice_is_accepted() -> None:
    assert validation.create("resourceslices", _SLICE, _ON) == []


@pytest.mark.parametrize(
    ("path", "value", "said"), [pytest.param(*row[1:], id=row[0]) for row in _SLICE_ROWS]
)
def test_slices(path: str, value: Any, said: list[tuple[str, str]]) -> None:
    assert said_of(validation.create("resourceslices", changed(_SLICE, path, value), _ON)) == said


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({"nodeName": "n"}, [], id="by name"),
        pytest.param({"nodeSelector": {"nodeSelectorTerms": [_TERM]}}, [], id="by selector"),
        pytest.param({"allNodes": True}, [], id="all"),
        pytest.param({}, [("spec.devices[0]", "Required")], id="none"),
        pytest.param(
            {"nodeName": "n", "allNodes": True}, [("spec.devices[0]", "Invalid")], id="two"
        ),
        pytest.param(
            {"nodeName": "", "allNodes": True},
            [("spec.devices[0].nodeName", "Invalid")],
            id="empty name",
        ),
        pytest.param(
            {"nodeName": "n", "allNodes": False},
            [("spec.devices[0].allNodes", "Invalid")],
            id="not all",
        ),
    ],
)
def test_nodes_of_single_devices(fields: dict[str, Any], said: list[tuple[str, str]]) -> None:
    obj = slice_(devices=[device(**fields)], perDeviceNodeSelection=True)

    assert said_of(validation.create("resourceslices", obj, _ON)) == said


def test_a_partition_type_needs_devices_that_consume() -> None:
    obj = slice_(nodeName="n", partitionTypeAttribute="x.io/a")

    assert said_of(validation.create("resourceslices", obj, _ON)) == [
        ("spec.partitionTypeAttribute", "Invalid")
    ]


def test_shared_counters() -> None:
    good = {"name": "s", "counters": {"m": {"value": "1"}}}
    wrong = slice_(allNodes=True, sharedCounters=[{"name": "A"}, good, good])
    many = slice_(allNodes=True, sharedCounters=[{**good, "name": f"s{i}"} for i in range(9)])

    assert said_of(validation.create("resourceslices", wrong, _ON)) == [
        ("spec.sharedCounters[0].name", "Invalid"),
        ("spec.sharedCounters[0].counters", "Required"),
        ("spec.sharedCounters[2]", "Duplicate"),
    ]
    assert said_of(validation.create("resourceslices", many, _ON)) == [
        ("spec.sharedCounters", "TooMany")
    ]


def test_a_partition_type_is_no_matter_of_devices_that_consume_nothing() -> None:
    obj = changed(_SLICE, "spec.partitionTypeAttribute", f"{DRIVER}/a")
    obj["spec"]["devices"].append(device("other"))

    assert validation.create("resourceslices", obj, _ON) == []


def test_a_name_with_two_slashes_passes_as_in_kubernetes() -> None:
    obj = changed(_SLICE, f"{_D}.attributes", {"a/b/c": {"int": 1}})

    assert validation.create("resourceslices", obj, _ON) == []


def test_what_a_slice_keeps() -> None:
    new = slice_(pool="other", driver="other.example.com", nodeName="node-2")

    errors = validation.update("resourceslices", new, slice_(), _ON)

    assert said_of(errors) == [
        ("spec.pool.name", "Invalid"),
        ("spec.driver", "Invalid"),
        ("spec.nodeName", "Invalid"),
    ]


def test_stored_taints_and_capacity_are_not_looked_at_again() -> None:
    stored = changed(_SLICE, f"{_D}.taints.0.effect", "FromTheFuture")
    stored = changed(stored, f"{_D}.capacity.memory.requestPolicy", {})

    assert validation.update("resourceslices", stored, stored, _ON) == []
    assert len(validation.update("resourceslices", stored, _SLICE, _ON)) == 2

"""Which pools, slices and devices a node reaches, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra.allocation import AllocationError
from conformance.dra.features import Features
from conformance.tests.dra.allocation.asking import HERE, allocate_on, devices, names
from conformance.tests.dra.objects import DRIVER, claim, device, exactly, node, slice_


def test_an_allocation_names_request_driver_pool_device_and_node() -> None:
    assert allocate_on(slices=[slice_()]) == [
        {
            "devices": {
                "results": [
                    {"request": "gpu", "driver": DRIVER, "pool": "pool-a", "device": "gpu-0"}
                ]
            },
            "nodeSelector": HERE,
        }
    ]


def test_slices_are_visited_by_name_and_devices_in_their_order() -> None:
    slices = [
        slice_("b", devices=devices("b0"), count=2),
        slice_("a", devices=devices("z", "a"), count=2),
    ]

    found = allocate_on(claim(exactly(count=3)), slices=slices)

    assert names(found) == [["z", "a", "b0"]]


def test_pools_are_visited_by_driver_and_name_and_those_that_bind_come_last() -> None:
    binding = {"bindingConditions": ["c"], "bindingFailureConditions": ["f"]}
    slices = [
        slice_("1", devices=devices("binds", **binding), pool="a"),
        slice_("2", devices=devices("second"), pool="c"),
        slice_("3", devices=devices("first"), pool="b"),
        slice_("4", devices=devices("earlier driver"), pool="z", driver="a.example.com"),
    ]

    found = allocate_on(claim(exactly(count=4)), slices=slices)

    assert names(found) == [["earlier driver", "first", "second", "binds"]]


def test_devices_in_use_are_left_alone() -> None:
    slices = [slice_(devices=devices("a", "b"))]

    assert names(allocate_on(slices=slices, allocated=("a",))) == [["b"]]
    assert allocate_on(slices=slices, allocated=("a", "b")) is None


def test_claims_do_not_share_devices() -> None:
    slices = [slice_(devices=devices("a", "b"))]

    assert names(allocate_on(claim(), claim(name="other"), slices=slices)) == [["a"], ["b"]]
    assert allocate_on(claim(exactly(count=2)), claim(), slices=slices) is None


@pytest.mark.parametrize(
    ("where", "on", "reaches"),
    [
        pytest.param({"nodeName": "node-2"}, node(), False, id="another node"),
        pytest.param({"allNodes": True}, node(), True, id="all nodes"),
        pytest.param({"nodeSelector": (_ZONE := {"nodeSelectorTerms": [{"matchExpressions": [
            {"key": "zone", "operator": "In", "values": ["a"]}]}]})}, node(zone="a"), True,
            id="selected by label"),
        pytest.param({"nodeSelector": _ZONE}, node(zone="b"), False, id="not selected"),
        pytest.param({"future": True}, node(), False, id="something unknown"),
    ],
)  # fmt: skip
def test_slices_reach_the_nodes_that_they_name(
    where: dict[str, Any], on: dict[str, Any], reaches: bool
) -> None:
    found = allocate_on(slices=[slice_(**where)], on=on)

    assert (found is not None) is reaches


def test_devices_choose_nodes_themselves_where_the_slice_says_so() -> None:
    own = [
        device("elsewhere", nodeName="node-2"),
        device("here", nodeName="node-1"),
        device("anywhere", allNodes=True),
    ]
    slices = [slice_(devices=own, perDeviceNodeSelection=True)]

    found = allocate_on(claim(exactly(count=2)), slices=slices)

    assert names(found) == [["here", "anywhere"]]
    assert found is not None
    assert found[0]["nodeSelector"] == HERE


def test_devices_for_all_nodes_tie_the_claim_to_none() -> None:
    found = allocate_on(slices=[slice_(allNodes=True)])

    assert found is not None
    assert "nodeSelector" not in found[0]


def test_node_selectors_are_joined_without_repetition() -> None:
    zone = {"key": "zone", "operator": "In", "values": ["a"]}
    rack = {"key": "rack", "operator": "Exists"}
    slices = [
        slice_(name, devices=devices(name), pool=name, nodeSelector={
            "nodeSelectorTerms": [{"matchExpressions": expressions}]})
        for name, expressions in (("a", [zone]), ("b", [zone, rack]))
    ]  # fmt: skip

    found = allocate_on(claim(exactly(count=2)), slices=slices, on=node(zone="a", rack="1"))

    assert found is not None
    assert found[0]["nodeSelector"] == {"nodeSelectorTerms": [{"matchExpressions": [zone, rack]}]}


def test_a_device_that_binds_to_a_node_ties_the_claim_to_the_chosen_one() -> None:
    binding = {
        "bindsToNode": True,
        "bindingConditions": ["ready"],
        "bindingFailureConditions": ["failed"],
    }
    slices = [slice_(devices=[device(**binding)], allNodes=True)]

    found = allocate_on(slices=slices)

    assert found is not None
    assert found[0]["nodeSelector"] == HERE
    result = found[0]["devices"]["results"][0]
    assert result["bindingConditions"] == ["ready"]
    assert result["bindingFailureConditions"] == ["failed"]
    off = Features(gates={"DRADeviceBindingConditions": False})
    assert allocate_on(slices=slices, features=off) is None


def test_only_the_newest_generation_counts() -> None:
    old = slice_("old", devices=devices("old"))
    new = slice_("new", devices=devices("new"), generation=2)
    elsewhere = slice_("new", devices=devices("new"), generation=2, nodeName="node-2")

    assert names(allocate_on(slices=[old, new])) == [["new"]]
    assert names(allocate_on(slices=[new, old])) == [["new"]]
    older = slice_("old", devices=devices("old"), count=2)
    assert allocate_on(slices=[older, elsewhere]) is None


def test_a_complete_old_generation_hides_a_new_one_for_other_nodes() -> None:
    # As Kubernetes 1.37.2 does: completeness is counted before newer generations are looked for.
    old = slice_("old", devices=devices("old"))
    elsewhere = slice_("new", generation=2, nodeName="node-2")

    assert names(allocate_on(slices=[old, elsewhere])) == [["old"]]


def test_an_incomplete_pool_gives_nothing_and_stops_those_who_want_all() -> None:
    incomplete = slice_("i", count=2, pool="incomplete", driver="other.example.com")
    complete = slice_()
    wants_all = claim(exactly(allocationMode="All"))

    assert allocate_on(slices=[incomplete]) is None
    assert names(allocate_on(slices=[incomplete, complete])) == [["gpu-0"]]
    with pytest.raises(AllocationError, match=r"other.example.com/incomplete is currently being"):
        allocate_on(wants_all, slices=[incomplete, complete])


def test_slices_for_other_nodes_complete_a_pool() -> None:
    slices = [
        slice_("a", count=2),
        slice_("b", devices=devices("other"), count=2, nodeName="node-2"),
    ]

    assert names(allocate_on(claim(exactly(allocationMode="All")), slices=slices)) == [["gpu-0"]]


def test_a_pool_with_a_name_twice_is_invalid() -> None:
    slices = [slice_("a", count=2), slice_("b", count=2)]

    assert allocate_on(slices=slices) is None
    with pytest.raises(AllocationError, match="currently invalid"):
        allocate_on(claim(exactly(allocationMode="All")), slices=slices)

"""What else speaks against a device."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra.allocation import AllocationError
from conformance.dra.features import Features
from conformance.tests.dra.allocation.asking import allocate_on, devices, first_available, names
from conformance.tests.dra.objects import (
    DRIVER,
    claim,
    device,
    device_class,
    exactly,
    selector,
    slice_,
)


def _with_attribute(**values: int) -> list[dict[str, Any]]:
    return [device(name, attributes={"numa": {"int": value}}) for name, value in values.items()]


def test_devices_match_in_an_attribute_by_backtracking() -> None:
    slices = [slice_(devices=[device("none"), *_with_attribute(a=0, b=1, c=1)])]
    wanted = claim(exactly(count=2), constraints=[{"matchAttribute": f"{DRIVER}/numa"}])

    assert names(allocate_on(wanted, slices=slices)) == [["b", "c"]]


def test_a_constraint_binds_only_the_requests_that_it_names() -> None:
    slices = [slice_(devices=_with_attribute(a=0, b=1, c=1, d=2))]
    wanted = claim(
        exactly("free"),
        exactly("one"),
        first_available({}),
        constraints=[{"matchAttribute": f"{DRIVER}/numa", "requests": ["one", "any/s0"]}],
    )

    assert names(allocate_on(wanted, slices=slices)) == [["a", "b", "c"]]


def test_devices_differ_in_an_attribute() -> None:
    slices = [slice_(devices=_with_attribute(a=0, b=0, c=1))]
    wanted = claim(exactly(count=2), constraints=[{"distinctAttribute": f"{DRIVER}/numa"}])

    assert names(allocate_on(wanted, slices=slices)) == [["a", "c"]]


def test_drivers_are_aligned_by_a_shared_attribute() -> None:
    shared = "resource.kubernetes.io/pcieRoot"
    slices = [
        slice_("g", devices=[device(one, attributes={shared: {"string": one}}) for one in "ab"]),
        slice_("n", driver="nic.example.com", pool="nics", devices=[
            device("nic", attributes={shared: {"string": "b"}}),
            device("bare", attributes={"pcieRoot": {"string": "a"}, "l": {"ints": [1]}}),
        ]),
    ]  # fmt: skip
    classes = [
        device_class(selectors=[selector(f'device.driver == "{DRIVER}"')]),
        device_class("nic", selectors=[selector('device.driver == "nic.example.com"')]),
    ]
    wanted = claim(
        exactly(), exactly("nic", deviceClassName="nic"), constraints=[{"matchAttribute": shared}]
    )

    assert names(allocate_on(wanted, slices=slices, classes=classes)) == [["b", "nic"]]


def test_all_against_a_constraint_is_an_error() -> None:
    slices = [slice_(devices=_with_attribute(a=0, b=1))]
    wanted = claim(
        first_available({"allocationMode": "All"}, {}),
        constraints=[
            {"matchAttribute": f"{DRIVER}/numa", "requests": ["any"]},
            {"matchAttribute": f"{DRIVER}/numa"},
        ],
    )

    with pytest.raises(AllocationError, match="a claim constraint would not be satisfied"):
        allocate_on(wanted, slices=slices)


def test_lists_fit_a_constraint_alone() -> None:
    listed = device("a", attributes={"l": {"ints": [1]}})
    plain = device("b", attributes={"l": {"int": 1}})
    for constraint in ("matchAttribute", "distinctAttribute"):
        constraints = [{constraint: f"{DRIVER}/l"}]
        alone, both = (claim(exactly(count=n), constraints=constraints) for n in (1, 2))
        assert names(allocate_on(alone, slices=[slice_(devices=[listed])])) == [["a"]]
        assert allocate_on(both, slices=[slice_(devices=[plain, listed])]) is None


def test_admin_access_shares_a_device_in_use_but_not_within_a_claim() -> None:
    slices = [slice_(devices=devices("a", "b"))]
    admin = claim(exactly(count=2, adminAccess=True))

    found = allocate_on(admin, claim(exactly(adminAccess=True), name="x"), slices=slices,
                      allocated=("a", "b"))  # fmt: skip

    assert names(found) == [["a", "b"], ["a"]]
    assert found is not None
    assert found[0]["devices"]["results"][0]["adminAccess"] is True
    assert allocate_on(claim(exactly(count=3, adminAccess=True)), slices=slices) is None


@pytest.mark.parametrize(
    ("tolerations", "fits"),
    [
        pytest.param([], False, id="none"),
        pytest.param([{"operator": "Exists"}], True, id="anything"),
        pytest.param([{"key": "k", "operator": "Equal", "value": "v"}], True, id="equal"),
        pytest.param([{"key": "k", "value": "v"}], True, id="no operator means equal"),
        pytest.param([{"key": "k", "operator": "Equal", "value": "w"}], False, id="other value"),
        pytest.param([{"key": "x", "operator": "Exists"}], False, id="other key"),
        pytest.param([{"operator": "Exists", "effect": "NoExecute"}], False, id="other effect"),
        pytest.param([{"key": "k", "operator": "Like"}], False, id="unknown operator"),
    ],
)
def test_taints_must_be_tolerated(tolerations: list[dict[str, Any]], fits: bool) -> None:
    taints = [
        {"key": "k", "value": "v", "effect": "NoSchedule"},
        {"key": "harmless", "effect": "None"},
    ]
    found = allocate_on(
        claim(exactly(tolerations=tolerations)), slices=[slice_(devices=[device(taints=taints)])]
    )

    assert (found is not None) is fits


def test_tolerations_are_written_into_the_result() -> None:
    found = allocate_on(claim(exactly(tolerations=[{"operator": "Exists"}])), slices=[slice_()])

    assert found is not None
    assert found[0]["devices"]["results"][0]["tolerations"] == [{"operator": "Exists"}]


def test_taints_are_ignored_without_their_feature() -> None:
    tainted = device(taints=[{"key": "k", "effect": "NoExecute"}])

    assert allocate_on(slices=[slice_(devices=[tainted])]) is None
    off = Features(gates={"DRADeviceTaintRules": False, "DRADeviceTaints": False})
    assert allocate_on(slices=[slice_(devices=[tainted])], features=off) is not None


def _partitioned(**sizes: str) -> list[dict[str, Any]]:
    counters = {"memory": {"value": "10"}}
    return [
        slice_("counters", sharedCounters=[{"name": "s", "counters": counters}], count=2,
               allNodes=True),
        slice_("devices", count=2, nodeName="node-1", devices=[
            device(name, consumesCounters=[
                {"counterSet": "s", "counters": {"memory": {"value": size}}}])
            for name, size in sizes.items()
        ] + [device("plain")]),
    ]  # fmt: skip


def test_devices_share_counters() -> None:
    slices = _partitioned(a="6", b="6", c="4")

    assert names(allocate_on(claim(exactly(count=2)), slices=slices)) == [["a", "c"]]
    assert names(allocate_on(slices=slices, allocated=("a",))) == [["c"]]
    assert names(allocate_on(slices=slices, allocated=("a", "b"))) == [["plain"]]


def test_a_pool_with_a_dangling_counter_is_invalid() -> None:
    slices = _partitioned(a="1")
    consumption = slices[1]["spec"]["devices"][0]["consumesCounters"][0]

    consumption["counters"] = {"other": {"value": "1"}}
    assert allocate_on(slices=slices) is None
    consumption["counterSet"] = "nope"
    assert allocate_on(slices=slices) is None


def test_without_partitionable_devices_their_slices_do_not_exist() -> None:
    off = Features(gates={"DRAPartitionableDevices": False})

    assert names(allocate_on(slices=_partitioned(a="1"), features=off)) == [["plain"]]
    lonely = slice_(devices=_partitioned(a="1")[1]["spec"]["devices"])
    assert names(allocate_on(slices=[lonely], features=off)) == [["plain"]]
    assert names(allocate_on(slices=[lonely], features=off, allocated=("a",))) == [["plain"]]


def test_a_second_constraint_undoes_the_first() -> None:
    constraints = [{"distinctAttribute": f"{DRIVER}/numa"}, {"matchAttribute": f"{DRIVER}/x"}]
    one, two, three = _with_attribute(a=0, b=1, c=1)
    one["attributes"]["x"] = three["attributes"]["x"] = {"bool": True}
    two["attributes"]["x"] = {"bool": False}
    wanted = claim(exactly(count=2), constraints=constraints)

    found = allocate_on(wanted, slices=[slice_(devices=[one, two, three])])

    assert names(found) == [["a", "c"]]


def test_compatibility_groups_make_the_pool_incomplete() -> None:
    slices = _partitioned(a="1")
    slices[1]["spec"]["devices"][0]["consumesCounters"][0]["compatibilityGroups"] = ["g"]

    assert allocate_on(slices=slices) is None


@pytest.mark.parametrize(
    ("requests", "fits"),
    [
        pytest.param({"memory": "80Gi"}, True, id="as much as there is"),
        pytest.param({"memory": "81Gi"}, False, id="more than there is"),
        pytest.param({f"{DRIVER}/memory": "1Gi"}, False, id="the name is compared as it stands"),
    ],
)
def test_capacity_requests_filter_devices(requests: dict[str, str], fits: bool) -> None:
    slices = [slice_(devices=[device(capacity={"memory": {"value": "80Gi"}})])]
    for mode in ("ExactCount", "All"):
        wanted = claim(exactly(allocationMode=mode, capacity={"requests": requests}))
        assert (allocate_on(wanted, slices=slices) is not None) is fits

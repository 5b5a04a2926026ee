"""What requests ask for, and what is written down for them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra.allocation import AllocationError, InUse, SearchTooLongError, allocate
from conformance.dra.features import Features
from conformance.tests.dra.allocation.asking import allocate_on, devices, first_available, names
from conformance.tests.dra.objects import (
    DRIVER,
    claim,
    device,
    device_class,
    exactly,
    node,
    opaque,
    selector,
    slice_,
)


def test_selectors_of_class_and_request_must_both_match() -> None:
    several = [
        device("a", attributes={"model": {"string": "x"}, "size": {"int": 1}}),
        device("b", attributes={"model": {"string": "y"}, "size": {"int": 1}}),
        device("c", attributes={"model": {"string": "x"}, "size": {"int": 2}}),
    ]
    attributes = f'device.attributes["{DRIVER}"]'
    classes = [device_class(selectors=[selector(f'{attributes}.model == "x"')])]

    found = allocate_on(
        claim(exactly(selectors=[selector(f"{attributes}.size == 2")])),
        slices=[slice_(devices=several)],
        classes=classes,
    )

    assert names(found) == [["c"]]


def test_all_means_every_device_that_matches_and_at_least_one() -> None:
    slices = [slice_(devices=devices("a", "b", "c"))]
    none = claim(exactly(allocationMode="All", selectors=[selector("false")]))

    wanted = claim(exactly(allocationMode="All"))
    assert names(allocate_on(wanted, slices=slices)) == [["a", "b", "c"]]
    assert allocate_on(wanted, slices=slices, allocated=("b",)) is None
    assert allocate_on(none, slices=slices) is None


def test_the_first_alternative_that_fits_is_taken() -> None:
    slices = [slice_(devices=devices("a", "b"))]

    found = allocate_on(claim(first_available({"count": 3}, {"count": 2})), slices=slices)

    assert found is not None
    assert [one["request"] for one in found[0]["devices"]["results"]] == ["any/s1", "any/s1"]


def test_an_alternative_may_fail_for_the_sake_of_a_later_request() -> None:
    slices = [slice_(devices=devices("a", "b"))]

    found = allocate_on(claim(first_available({"count": 2}, {}), exactly()), slices=slices)

    assert found is not None
    assert [one["request"] for one in found[0]["devices"]["results"]] == ["any/s1", "gpu"]


def test_an_alternative_that_is_too_large_for_a_status_is_passed_over() -> None:
    slices = [
        slice_("a", devices=devices(*(f"d{index}" for index in range(40)))),
    ]

    found = allocate_on(
        claim(first_available({"count": 33}, {"count": 20}, {"count": 2}), exactly(count=30)),
        slices=slices,
    )

    assert found is not None
    assert found[0]["devices"]["results"][0]["request"] == "any/s2"
    with pytest.raises(AllocationError, match="exceeds the claim limit of 32"):
        allocate_on(claim(exactly(count=33)), slices=slices)


def test_configuration_of_class_and_claim_goes_where_it_belongs() -> None:
    classes = [device_class(config=[opaque(a=1)]), device_class("other", config=[opaque(b=1)])]
    wanted = claim(
        exactly("one"),
        exactly("two"),
        exactly("three", deviceClassName="other"),
        first_available({"count": 9}, {}),
        config=[
            {**opaque(c=1)},
            {**opaque(d=1), "requests": ["one"]},
            {**opaque(e=1), "requests": ["any/s0"]},
            {**opaque(f=1), "requests": ["any/s1", "two"]},
            {**opaque(g=1), "requests": ["any", "one", "two", "three"]},
        ],
    )

    found = allocate_on(wanted, slices=[slice_(devices=devices(*"abcdef"))], classes=classes)

    assert found is not None
    config = [
        (one["source"], *one["opaque"]["parameters"], one.get("requests"))
        for one in found[0]["devices"]["config"]
    ]
    assert config == [
        ("FromClass", "a", ["one", "two", "any/s1"]),
        ("FromClass", "b", ["three"]),
        ("FromClaim", "c", None),
        ("FromClaim", "d", ["one"]),
        ("FromClaim", "f", ["any/s1", "two"]),
        ("FromClaim", "g", None),
    ]


def test_operations_that_a_driver_does_not_need_are_written_down() -> None:
    slices = [slice_(nodeName="node-1", skipNodeOperations=["*"])]
    on = Features(gates={"DRAOptionalNodeOperations": True})
    declaring = {**node(), "status": {"declaredFeatures": ["DRAOptionalNodeOperations"]}}

    found = allocate_on(slices=slices, features=on, on=declaring)

    assert found is not None
    assert found[0]["devices"]["results"][0]["skipNodeOperations"] == ["*"]
    assert allocate_on(slices=slices, features=on) is None
    off = allocate_on(slices=slices, on=declaring)
    assert off is not None
    assert "skipNodeOperations" not in off[0]["devices"]["results"][0]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        pytest.param(exactly(deviceClassName="nope"), "retrieve device class nope", id="class"),
        pytest.param({"name": "r"}, "unsupported request type", id="empty request"),
        pytest.param(exactly(allocationMode="Some"), "unsupported count mode Some", id="mode"),
        pytest.param(exactly(derivedAttributes=[{}]), "derived attributes", id="derived"),
        pytest.param(exactly(selectors=[{}]), "CEL expression empty", id="selector type"),
        pytest.param(exactly(selectors=[selector("1 +")]), "CEL compile error", id="syntax"),
        pytest.param(
            exactly(selectors=[selector('device.attributes["x"].y')]),
            rf"claim ns/claim: selector #0 on device {DRIVER}/pool-a/gpu-0: CEL runtime error",
            id="run time",
        ),
    ],
)  # fmt: skip
def test_what_no_node_can_do(request_: dict[str, Any], message: str) -> None:
    with pytest.raises(AllocationError, match=message):
        allocate_on(claim(request_), slices=[slice_()])


@pytest.mark.parametrize(
    ("request_", "gates", "message"),
    [
        pytest.param(first_available({}), {"DRAPrioritizedList": False}, "subrequests", id="list"),
        pytest.param(exactly(adminAccess=True), {"DRAAdminAccess": False}, "admin", id="admin"),
        pytest.param(exactly(capacity={"requests": {"m": "1"}}), {}, "has capacity", id="capacity"),
    ],
)  # fmt: skip
def test_requests_of_features_that_are_off(
    request_: dict[str, Any], gates: dict[str, bool], message: str
) -> None:
    with pytest.raises(AllocationError, match=message):
        allocate_on(
            claim(request_), slices=[slice_()], features=Features(version="1.34", gates=gates)
        )


def test_no_claims_need_nothing() -> None:
    found = allocate(
        [], slices=[], classes={}, node=node(), allocated=frozenset(), features=Features()
    )

    assert found == []


@pytest.mark.parametrize(("steps", "ends"), [(5, False), (100, True), (None, True)])
def test_a_search_may_take_so_many_steps(steps: int | None, ends: bool) -> None:
    view: dict[str, Any] = {
        "slices": [slice_(devices=devices("a", "b", "c", "d"))],
        "classes": {"gpu": device_class()},
        "node": node(),
        "allocated": InUse(steps=steps),
        "features": Features(),
    }

    if ends:
        assert allocate([claim(exactly(count=5))], **view) is None
        return
    with pytest.raises(SearchTooLongError, match="timed out"):
        allocate([claim(exactly(count=5))], **view)

"""Claims and slices that are read once for many nodes get the same answers as plain ones."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra.allocation import AllocationError, InUse, Inventory, Wanted, allocate
from conformance.dra.features import Features
from conformance.tests.dra.allocation.asking import devices
from conformance.tests.dra.objects import DRIVER, claim, device, device_class, exactly, node, slice_

NODES = [node(f"node-{number}") for number in range(3)]
FEATURES = Features()


def selecting(expression: str) -> dict[str, Any]:
    return claim(exactly(selectors=[{"cel": {"expression": expression}}]))


def published() -> list[dict[str, Any]]:
    local = [
        slice_(
            f"s-{number}",
            devices=devices("a", "b"),
            pool=f"pool-{number}",
            nodeName=f"node-{number}",
        )
        for number in range(3)
    ]
    return [*local, slice_("shared", devices=devices("x"), pool="everywhere", allNodes=True)]


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param(claim(), id="one"),
        pytest.param(claim(exactly(count=3)), id="more-than-local"),
        pytest.param(claim(exactly(allocationMode="All")), id="all"),
        pytest.param(selecting("device.driver == 'other.example.com'"), id="none"),
    ],
)
@pytest.mark.parametrize("used", [(), ("a", "b"), ("a", "b", "x")], ids=["free", "local", "full"])
def test_prepared_and_plain_agree_on_every_node(
    wanted: dict[str, Any], used: tuple[str, ...]
) -> None:
    slices, classes = published(), {"gpu": device_class()}
    pools = ("pool-0", "pool-1", "everywhere")
    taken = InUse(devices=frozenset((DRIVER, pool, name) for pool in pools for name in used))
    prepared, inventory = Wanted([wanted]), Inventory(slices)
    for one in NODES:
        rest: dict[str, Any] = {"classes": classes, "node": one, "features": FEATURES}
        plain = allocate([wanted], slices=slices, allocated=taken, **rest)
        assert allocate(prepared, slices=inventory, allocated=taken, **rest) == plain


def certain(wanted: dict[str, Any], slices: list[dict[str, Any]]) -> bool:
    prepared, inventory, classes = Wanted([wanted]), Inventory(slices), {"gpu": device_class()}
    rest: dict[str, Any] = {"classes": classes, "node": NODES[0], "features": FEATURES}
    allocate(prepared, slices=inventory, allocated=frozenset(), **rest)
    return prepared.is_certain(inventory, classes)


def test_without_expressions_that_could_fail_no_node_brings_an_error() -> None:
    assert certain(claim(), published())
    assert certain(selecting(f"device.driver == '{DRIVER}'"), published())


def test_an_expression_that_fails_on_some_device_is_not_certain() -> None:
    known = device("a", attributes={"model": {"string": "x"}})
    slices = [
        slice_("1", devices=[known], pool="pool-0", nodeName="node-0"),
        slice_("2", devices=devices("b"), pool="pool-1", nodeName="node-1"),
    ]

    assert not certain(selecting(f"device.attributes['{DRIVER}'].model == 'x'"), slices)


def test_all_devices_are_not_certain_since_each_node_has_its_own() -> None:
    assert not certain(claim(exactly(allocationMode="All")), published())


def test_a_class_that_is_exchanged_is_read_anew() -> None:
    prepared, inventory = Wanted([claim()]), Inventory(published())
    rest: dict[str, Any] = {"node": NODES[0], "features": FEATURES, "allocated": frozenset()}
    assert allocate(prepared, slices=inventory, classes={"gpu": device_class()}, **rest)

    with pytest.raises(AllocationError, match="device class gpu"):
        allocate(prepared, slices=inventory, classes={}, **rest)

"""Slices as pools, and what makes them inconsistent."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.errors import Unsupported, Violation
from conformance.harness.subject import inventory


def part(*devices: str, pool: str = "p", **spec: Any) -> dict[str, Any]:
    """Return a slice with these devices."""
    numbers = {"generation": spec.pop("generation", 1), "resourceSliceCount": spec.pop("count", 1)}
    named = [{"name": name, "attributes": {"a": {"int": 1}}} for name in devices]
    return {
        "spec": {"driver": "d", "nodeName": "n", "pool": {"name": pool, **numbers},
                 "devices": named, **spec},
    }  # fmt: skip


def test_slices_are_gathered_by_pool() -> None:
    found = inventory.of([part("b", pool="q"), part("a"), part("c", pool="q")])

    assert [pool.name for pool in found.pools] == ["p", "q"]
    assert found.names == {("p", "a"), ("q", "b"), ("q", "c")}
    assert found.nodes == ["n"]


def test_what_is_consistent_passes() -> None:
    found = inventory.of([part("a", count=2), part("b", count=2), part("a", pool="q")])

    assert inventory.consistent(found, frozenset(["n"])) is found


@pytest.mark.parametrize(
    ("slices", "path"),
    [
        ([part("a", generation=1), part("b", generation=2)], "generation of pool p"),
        ([part("a", count=2)], "resourceSliceCount of pool p"),
        ([part("a", count=2), part("b", count=1)], "resourceSliceCount of pool p"),
        ([part("a", count=2), part("a", count=2)], "name in each pool"),
        ([part("a", nodeName="elsewhere")], "spec.nodeName"),
    ],
    ids=["two generations", "a slice short", "two counts", "a name twice", "an unknown node"],
)
def test_what_is_not_consistent_is_a_violation(slices: list[Any], path: str) -> None:
    with pytest.raises(Violation, match=path):
        inventory.consistent(inventory.of(slices), frozenset(["n"]))


def test_a_slice_says_once_where_it_is() -> None:
    assert inventory.place(part("a")) == ["nodeName"]
    assert inventory.place(part("a", allNodes=True)) == ["nodeName", "allNodes"]


def test_a_device_is_described_by_attributes_or_capacity() -> None:
    assert inventory.is_described({"name": "a", "capacity": {"m": {"value": "1"}}})
    assert not inventory.is_described({"name": "a", "attributes": {}})


def allocated(driver: str, device: str) -> dict[str, Any]:
    """Return a claim with one device of a driver."""
    results = [{"driver": driver, "pool": "p", "device": device}]
    return {"status": {"allocation": {"devices": {"results": results}}}}


def test_a_device_that_is_not_published_is_a_violation() -> None:
    with pytest.raises(Violation, match="as published"):
        inventory.published(allocated("d", "b"), "d", inventory.of([part("a")]))


def test_a_device_of_another_driver_accuses_nobody() -> None:
    with pytest.raises(Unsupported, match="selects devices of other as well"):
        inventory.published(allocated("other", "a"), "d", inventory.of([part("a")]))

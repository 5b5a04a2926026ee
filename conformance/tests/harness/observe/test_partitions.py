"""Partition types as the slices of a driver tell them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.errors import Unsupported
from conformance.harness.observe import partitions
from conformance.harness.subject import inventory

ATTRIBUTE = "gpu.example.com/profile"


def device(name: str, kind: dict[str, Any] | None, memory: str) -> dict[str, Any]:
    counters = {"memory": {"value": memory}}
    return {
        "name": name,
        "attributes": {} if kind is None else {"profile": kind},
        "consumesCounters": [{"counterSet": "gpu-0", "counters": counters}],
    }


def found(*slices: tuple[str, list[dict[str, Any]]]) -> list[partitions.Partition]:
    pool = {"name": "node-1", "generation": 1, "resourceSliceCount": len(slices)}
    specs = [
        {
            "driver": "gpu.example.com",
            "pool": pool,
            "devices": devices,
            **({"partitionTypeAttribute": attribute} if attribute else {}),
        }
        for attribute, devices in slices
    ]
    return partitions.of(inventory.of({"spec": spec} for spec in specs))


def test_the_spelling_of_an_amount_does_not_count() -> None:
    half = {"string": "Half"}

    seen = found((ATTRIBUTE, [device("a", half, "40Gi"), device("b", half, "40960Mi")]))

    assert partitions.uneven(seen) == []
    assert partitions.untyped(seen) == []


def test_a_type_with_two_costs_is_uneven() -> None:
    half = {"string": "Half"}

    seen = found((ATTRIBUTE, [device("a", half, "40Gi"), device("b", half, "39Gi")]))

    assert partitions.uneven(seen) == ["Half in pool node-1"]


def test_an_attribute_may_be_written_with_its_domain() -> None:
    whole = device("a", None, "40Gi")
    whole["attributes"] = {ATTRIBUTE: {"string": "Half"}}

    assert partitions.untyped(found((ATTRIBUTE, [whole]))) == []


@pytest.mark.parametrize("kind", [None, {"int": 1}, {"string": ""}])
def test_a_partition_without_a_string_is_untyped(kind: dict[str, Any] | None) -> None:
    assert partitions.untyped(found((ATTRIBUTE, [device("a", kind, "40Gi")]))) == ["node-1/a"]


def test_a_slice_of_the_pool_without_the_attribute_is_untyped() -> None:
    half = {"string": "Half"}

    seen = found((ATTRIBUTE, [device("a", half, "1Gi")]), ("", [device("b", half, "1Gi")]))

    assert partitions.untyped(seen) == ["node-1/b"]


def test_a_device_that_draws_nothing_is_no_partition() -> None:
    half = {"string": "Half"}

    seen = found((ATTRIBUTE, [device("a", half, "1Gi"), {"name": "whole"}]))

    assert [one.name for one in seen] == ["node-1/a"]


def test_without_types_there_is_nothing_to_judge() -> None:
    with pytest.raises(Unsupported, match="publishes partitionTypeAttribute"):
        found(("", [device("a", {"string": "Half"}, "1Gi")]))

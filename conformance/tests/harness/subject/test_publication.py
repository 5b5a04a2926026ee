"""What a driver that can be told anything publishes."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.observe import binding, partitions
from conformance.harness.subject import inventory, publication
from conformance.harness.subject.protocol import PUBLISHED, Wanted

OWN = [{"name": "gpu-0"}]
DRIVER = "gpu.example.com"


def told(**wanted: Any) -> publication.Publication:
    return publication.of(DRIVER, Wanted(**wanted), OWN)


def as_pool(found: publication.Publication) -> inventory.Inventory:
    spec = {
        "driver": DRIVER,
        "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
        "devices": list(found.devices),
        "partitionTypeAttribute": found.partition_type,
    }
    return inventory.of([{"spec": spec}])


def test_without_a_wish_it_is_its_own_inventory() -> None:
    assert told() == publication.Publication(devices=OWN)


def test_a_check_may_bring_its_own_devices() -> None:
    assert told(devices=({"name": "b"},)).devices == ({"name": "b"},)


def test_conditions_stand_on_the_drivers_own_devices() -> None:
    found = told(publishes="binding-conditions")

    assert [one["name"] for one in found.devices] == ["gpu-0"]
    assert found.reports_binding
    assert binding.incomplete(binding.using(as_pool(found))) == []


def test_partitions_have_a_type_and_one_cost_for_each() -> None:
    seen = partitions.of(as_pool(told(publishes="partitions")))

    assert {one.kind for one in seen} == {"Full", "Half"}
    assert (partitions.untyped(seen), partitions.uneven(seen)) == ([], [])


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_what_may_be_told_is_asked_of_any_driver(name: str) -> None:
    assert Wanted(publishes=name).is_plain
    assert told(publishes=name).devices

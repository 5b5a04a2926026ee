"""A claim gets devices that nothing stands against, and what a scheduler would write."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.harness.bench import handmade
from conformance.harness.bench.handmade import CONFIG, DEVICE, REQUEST, STRANGER, Place
from conformance.harness.errors import Unsupported
from conformance.harness.subject import inventory

DRIVER = cast("Any", SimpleNamespace(name="d", device_class="class"))


CLAIM = {"metadata": {"uid": "2f1b5f0e-6c39-4a3c-9c57-2f8f6c1d0a11"}}


class Api:
    """Knows claims, and one class."""

    def __init__(self, *claims: dict[str, Any], config: Any = None) -> None:
        self._claims, self._config = claims, config

    def list(self, _resource: Any) -> list[dict[str, Any]]:
        return list(self._claims)

    def get(self, _resource: Any, _name: str) -> dict[str, Any]:
        return {"spec": {"config": self._config}}


def world(*claims: dict[str, Any], config: Any = None) -> Any:
    return SimpleNamespace(api=Api(*claims, config=config))


def published(*devices: dict[str, Any], node: str = "n") -> inventory.Inventory:
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": "d", "nodeName": node, "pool": pool, "devices": list(devices)}
    return inventory.of([{"spec": spec}])


def taken(device: str, driver: str = "d") -> dict[str, Any]:
    result = {"driver": driver, "pool": "p", "device": device}
    return {"status": {"allocation": {"devices": {"results": [result]}}}}


def names(places: list[Place]) -> list[str]:
    return [one.device for one in places]


def test_devices_in_use_or_with_conditions_are_left_out() -> None:
    found = published(
        {"name": "used"},
        {"name": "free"},
        {"name": "tainted", "taints": [{"key": "k"}]},
        {"name": "binding", "bindingConditions": ["c"]},
        {"name": "drawing", "consumesCounters": [{}]},
    )
    claims = (taken("used"), taken("free", driver="other"))

    assert names(handmade.places(world(*claims), found, DRIVER, "n")) == ["free"]
    assert handmade.places(world(), published({"name": "a"}, node="m"), DRIVER, "n") == []


def test_of_devices_that_draw_from_counters_one_is_taken() -> None:
    found = published(
        {"name": "a", "consumesCounters": [{}]}, {"name": "b", "consumesCounters": [{}]}
    )

    assert names(handmade.places(world(), found, DRIVER, "n")) == ["a"]


def test_too_few_devices_are_no_fault_of_the_driver() -> None:
    with pytest.raises(Unsupported, match=r"needs 2 free devices .* there are 1"):
        handmade.take([Place("p", "a")], 2)


def test_an_allocation_has_the_configuration_of_the_class() -> None:
    config = [{"opaque": {"driver": "d", "parameters": {}}}]

    made = handmade.allocation(world(config=config), DRIVER, "n", CLAIM, [Place("p", "a")])

    assert made["devices"] == {
        "results": [{"request": REQUEST, "driver": "d", "pool": "p", "device": "a"}],
        "config": [{"source": "FromClass", "requests": [REQUEST], **config[0]}],
    }
    (term,) = made["nodeSelector"]["nodeSelectorTerms"]
    assert term["matchFields"][0]["values"] == ["n"]


def test_a_stranger_has_a_device_or_is_told_something() -> None:
    with_device = handmade.allocation(
        world(), DRIVER, "n", CLAIM, [Place("p", "a")], stranger=DEVICE
    )
    with_config = handmade.allocation(
        world(), DRIVER, "n", CLAIM, [Place("p", "a")], stranger=CONFIG
    )

    assert [one["driver"] for one in with_device["devices"]["results"]] == ["d", STRANGER]
    assert "config" not in with_device["devices"]
    assert [one["opaque"]["driver"] for one in with_config["devices"]["config"]] == [STRANGER]


def test_of_a_shared_device_a_claim_has_a_share_of_its_own() -> None:
    capacity = {"bandwidth": {"value": "10G"}}
    found = published({"name": "a", "allowMultipleAllocations": True, "capacity": capacity})
    (place,) = handmade.places(world(), found, DRIVER, "n")

    made = [handmade.allocation(world(), DRIVER, "n", CLAIM, [place]) for _ in range(2)]

    (result,) = made[0]["devices"]["results"]
    assert result["consumedCapacity"] == {"bandwidth": "10G"}
    assert result["shareID"] == made[1]["devices"]["results"][0]["shareID"]

"""Slices are judged by what no API server can see."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from conformance.harness.bench import publication
from conformance.harness.subject import inventory


def of(*devices: dict[str, Any], counters: Any = None, pool: str = "p") -> inventory.Inventory:
    slices = [{"devices": list(devices)}, {"sharedCounters": counters or []}]
    numbers = {"name": pool, "generation": 1, "resourceSliceCount": 2}
    return inventory.of({"spec": {"driver": "d", "pool": numbers, **one}} for one in slices)


def device(**attributes: Any) -> dict[str, Any]:
    named = {f"resource.kubernetes.io/{name}": value for name, value in attributes.items()}
    return {"name": "a", "attributes": named}


def drawing(counter_set: str, counter: str) -> dict[str, Any]:
    row = {"counterSet": counter_set, "counters": {counter: {"value": "1"}}}
    return {"name": "a", "consumesCounters": [row]}


@pytest.mark.parametrize(
    ("counter_set", "counter", "missing"),
    [
        ("set", "units", []),
        ("set", "memory", ["p/a: set/memory"]),
        ("lost", "units", ["p/a: lost/units"]),
    ],
)
def test_counters_are_looked_for_in_the_pool(
    counter_set: str, counter: str, missing: list[str]
) -> None:
    known = [{"name": "set", "counters": {"units": {"value": "4"}}}]

    assert publication.unresolved_counters(of(drawing(counter_set, counter), counters=known)) == (
        missing
    )


def test_names_of_the_own_domain_are_told() -> None:
    found = of(
        {"name": "a", "attributes": {"d/x": {}, "x": {}, "e/x": {}}, "capacity": {"d/y": {}}}
    )

    assert publication.qualified_by_itself(found, "d") == ["a: d/x", "a: d/y"]


@pytest.mark.parametrize(
    ("name", "value", "usual"),
    [
        ("pcieRoot", {"string": "pci0000:01"}, True),
        ("pcieRoot", {"strings": ["pci0000:01", "pci0000:ff"]}, True),
        ("pcieRoot", {"string": "0000:01"}, False),
        ("pcieRoot", {"int": 1}, False),
        ("pciBusID", {"string": "0000:01:00.0"}, True),
        ("pciBusID", {"string": "01:00.0"}, False),
        ("numaNode", {"int": 0}, True),
        ("numaNode", {"ints": [1, 0]}, True),
        ("numaNode", {"int": -1}, False),
        ("numaNode", {"string": "0"}, False),
        ("somethingNew", {"string": "x"}, True),
    ],
)
def test_standard_attributes_have_a_form(name: str, value: dict[str, Any], usual: bool) -> None:
    assert (publication.unusual(of(device(**{name: value}))) == []) is usual


def test_content_is_what_each_device_is() -> None:
    assert publication.content(of(device(numaNode={"int": 0}))) == {
        "p/a": device(numaNode={"int": 0})
    }


@pytest.mark.parametrize(("age", "waited"), [(0.0, 10.0), (7.5, 2.5), (3600.0, 0.0), (None, 10.0)])
def test_a_driver_that_was_just_started_is_given_time(age: float | None, waited: float) -> None:
    passed: list[float] = []
    life: Any = SimpleNamespace(
        driver=SimpleNamespace(age=age),
        consistent=lambda: sum(passed),
        world=SimpleNamespace(
            patience=SimpleNamespace(elapse=passed.append),
            options=SimpleNamespace(bounds=SimpleNamespace(seconds={"driver-at-rest": 10.0})),
        ),
    )

    assert publication.at_rest(life) == waited
    assert passed == [waited]


@pytest.mark.parametrize(
    ("verb", "age", "waited"),
    [
        pytest.param("update", 8.0, [23.0], id="just started, and it updates"),
        pytest.param("update", 60.0, [0.0], id="long ago"),
        pytest.param("create", 8.0, [], id="it creates"),
        pytest.param("update", None, [], id="not ours"),
    ],
)
def test_a_driver_that_updates_its_slices_is_let_lie(
    verb: str, age: float | None, waited: list[float]
) -> None:
    passed: list[float] = []
    act = SimpleNamespace(verb=verb, resource="resourceslices")
    life: Any = SimpleNamespace(
        driver=SimpleNamespace(age=age),
        steps=SimpleNamespace(elapse=passed.append),
        world=SimpleNamespace(
            cluster=SimpleNamespace(access_log=lambda: [act]),
            options=SimpleNamespace(bounds=SimpleNamespace(seconds={"slice-remembered": 31.0})),
        ),
    )
    publication.let_lie(life)

    assert passed == waited

"""What is refused in classes and pool status requests."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra import validation
from conformance.dra.features import Features
from conformance.dra.validation.administration import is_extended_resource
from conformance.dra.validation.lists import shortened
from conformance.tests.dra.objects import DRIVER, device_class, opaque, said_of, selector

_ON = Features()


def _many(count: int, item: Any = None) -> list[Any]:
    return [item if item is not None else f"n{index}" for index in range(count)]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        pytest.param({"selectors": [selector("true")], "config": [opaque()]}, [], id="good"),
        pytest.param({"extendedResourceName": "example.com/gpu"}, [], id="extended resource"),
        pytest.param(
            {"selectors": [selector("1")]},
            [("spec.selectors[0].cel.expression", "Invalid")],
            id="expression",
        ),
        pytest.param(
            {"selectors": _many(33, selector("true"))}, [("spec.selectors", "TooMany")], id="many"
        ),
        pytest.param({"config": [{}]}, [("spec.config[0].opaque", "Required")], id="config"),
        pytest.param(
            {"config": _many(33, opaque())}, [("spec.config", "TooMany")], id="many configs"
        ),
        pytest.param(
            {"extendedResourceName": "cpu"},
            [("spec.extendedResourceName", "Invalid")],
            id="native resource",
        ),
    ],
)
def test_classes(spec: dict[str, Any], said: list[tuple[str, str]]) -> None:
    assert said_of(validation.create("deviceclasses", device_class(**spec), _ON)) == said


def test_stored_expressions_stay_valid() -> None:
    stored = device_class(selectors=[selector("1"), {}])
    moved = device_class(selectors=[{}, selector("1")])

    assert said_of(validation.update("deviceclasses", stored, stored, _ON)) == [
        ("spec.selectors[1].cel", "Required")
    ]
    assert len(validation.update("deviceclasses", moved, stored, _ON)) == 2


@pytest.mark.parametrize(
    ("name", "extended"),
    [
        ("example.com/gpu", True),
        ("cpu", False),
        ("requests.example.com/gpu", False),
        ("kubernetes.io/gpu", False),
        ("x.kubernetes.io/gpu", False),
        ("example.com/-", False),
    ],
)
def test_extended_resources(name: str, extended: bool) -> None:
    assert is_extended_resource(name) is extended


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        pytest.param({"driver": DRIVER, "limit": 1000, "poolName": "a/b"}, [], id="good"),
        pytest.param({}, [("spec.driver", "Required")], id="no driver"),
        pytest.param({"driver": DRIVER, "poolName": ""}, [("spec.poolName", "Invalid")], id="pool"),
        pytest.param({"driver": DRIVER, "limit": 0}, [("spec.limit", "Invalid")], id="small"),
        pytest.param({"driver": DRIVER, "limit": 1001}, [("spec.limit", "Invalid")], id="large"),
        pytest.param(
            {"driver": DRIVER, "defaultPartitionTypeAttribute": "a"},
            [("spec.defaultPartitionTypeAttribute", "Invalid")],
            id="attribute",
        ),
    ],
)
def test_pool_status_requests(spec: dict[str, Any], said: list[tuple[str, str]]) -> None:
    assert said_of(validation.create("resourcepoolstatusrequests", {"spec": spec}, _ON)) == said


def test_a_pool_status_request_is_asked_once_and_answered_once() -> None:
    resource = "resourcepoolstatusrequests"
    asked = {"spec": {"driver": DRIVER}}
    answered = {**asked, "status": {"poolCount": 0}}
    wrong = {**asked, "status": {"poolCount": -1, "conditions": [{}]}}

    assert said_of(validation.update(resource, {"spec": {"driver": "x"}}, asked, _ON)) == [
        ("spec", "Invalid")
    ]
    assert validation.update(resource, answered, asked, _ON, "status") == []
    assert validation.update(resource, asked, asked, _ON, "status") == []
    changed_answer = {**asked, "status": {"poolCount": 1}}
    assert said_of(validation.update(resource, changed_answer, answered, _ON, "status")) == [
        ("status", "Invalid")
    ]
    assert said_of(validation.update(resource, wrong, asked, _ON, "status"))[0] == (
        "status.poolCount",
        "Invalid",
    )
    empty = {**asked, "status": {}}
    assert said_of(validation.update(resource, empty, asked, _ON, "status")) == [
        ("status.poolCount", "Required")
    ]


def test_long_keys_are_cut_in_the_middle() -> None:
    assert shortened("abc", 1) == "abc"
    assert shortened("a" * 10 + "b" * 10, 16) == "a" * 7 + "..." + "b" * 6

"""Selectors with lists, with what the language offers, and over the device as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.propose.selecting import attribute, memory, spelled
from conformance.kube.objects import Object


@pytest.mark.parametrize(
    ("other", "wanted", "expression"),
    [
        pytest.param(
            attribute(int=1),
            attribute(int=2),
            "[int({a}), 1].sum() == 3",
            id="add up a list",
            marks=pytest.mark.requirement("DRA-SEL-29"),
        ),
        pytest.param(
            attribute(int=1),
            attribute(int=2),
            "[int({a}), 5].min() == 2",
            id="take the least of a list",
            marks=pytest.mark.requirement("DRA-SEL-30"),
        ),
        pytest.param(
            attribute(int=1),
            attribute(int=7),
            "[int({a}), 5].max() == 7",
            id="take the most of a list",
            marks=pytest.mark.requirement("DRA-SEL-31"),
        ),
        pytest.param(
            attribute(int=9),
            attribute(int=1),
            "[int({a}), 5].isSorted()",
            id="tell whether a list is sorted",
            marks=pytest.mark.requirement("DRA-SEL-32"),
        ),
        pytest.param(
            attribute(int=1),
            attribute(int=5),
            "[4, 5].indexOf({a}) == 1",
            id="find the place of a value in a list",
            marks=pytest.mark.requirement("DRA-SEL-33"),
        ),
        pytest.param(
            attribute(int=4),
            attribute(int=5),
            "[5, 4, 5].lastIndexOf({a}) == 2",
            id="find the last place of a value in a list",
            marks=pytest.mark.requirement("DRA-SEL-34"),
        ),
        pytest.param(
            attribute(int=4),
            attribute(int=5),
            "sets.contains([5, 6], [{a}])",
            id="tell whether one set holds another",
            marks=pytest.mark.requirement("DRA-SEL-35"),
        ),
        pytest.param(
            attribute(int=4),
            attribute(int=5),
            "sets.equivalent([5, 5], [{a}])",
            id="tell whether two sets are the same",
            marks=pytest.mark.requirement("DRA-SEL-36"),
        ),
        pytest.param(
            attribute(int=4),
            attribute(int=5),
            "sets.intersects([5, 6], [int({a}), 7])",
            id="tell whether two sets have something in common",
            marks=pytest.mark.requirement("DRA-SEL-37"),
        ),
        pytest.param(
            attribute(int=1),
            attribute(int=9),
            "[int({a}), 8].all(x, x > 7)",
            id="ask something of all elements",
            marks=pytest.mark.requirement("DRA-SEL-38"),
        ),
        pytest.param(
            attribute(int=1),
            attribute(int=9),
            "[int({a}), 2].exists(x, x == 9)",
            id="ask something of some element",
            marks=pytest.mark.requirement("DRA-SEL-39"),
        ),
        pytest.param(
            attribute(int=2),
            attribute(int=9),
            "[int({a}), 2].exists_one(x, x == 2)",
            id="ask something of exactly one element",
            marks=pytest.mark.requirement("DRA-SEL-40"),
        ),
        pytest.param(
            attribute(int=1),
            attribute(int=9),
            "[int({a}), 8].filter(x, x > 7).size() == 2",
            id="filter a list",
            marks=pytest.mark.requirement("DRA-SEL-41"),
        ),
        pytest.param(
            attribute(int=1),
            attribute(int=9),
            "[{a}].map(x, x * 2) == [18]",
            id="map a list",
            marks=pytest.mark.requirement("DRA-SEL-42"),
        ),
        pytest.param(
            attribute(int=5),
            attribute(int=6),
            "({a} * 7 + 3) % 10 == 5",
            id="calculate with integers",
            marks=pytest.mark.requirement("DRA-SEL-43"),
        ),
        pytest.param(
            attribute(int=5),
            attribute(int=6),
            '({a} > 5 ? "more" : "less") == "more"',
            id="choose between two values",
            marks=pytest.mark.requirement("DRA-SEL-44"),
        ),
        pytest.param(
            attribute(int=5),
            attribute(int=6),
            "cel.bind(n, {a}, n + n == 12)",
            id="give a name to a value",
            marks=pytest.mark.requirement("DRA-SEL-45"),
        ),
        pytest.param(
            attribute(int=5),
            attribute(int=6),
            '(device.attributes["d.example"].none == 1 || true) && {a} == 6',
            id="be true where one side of an or is true and the other fails",
            marks=pytest.mark.requirement("DRA-SEL-46"),
        ),
        pytest.param(
            attribute(int=5),
            attribute(int=6),
            '!(device.attributes["d.example"].none == 1 && false) && {a} == 6',
            id="be false where one side of an and is false and the other fails",
            marks=pytest.mark.requirement("DRA-SEL-47"),
        ),
        pytest.param(
            {},
            attribute(int=6),
            'device.attributes["d.example"][?"a"].orValue(1) == 6',
            id="go on from what is optional",
            marks=pytest.mark.requirement("DRA-SEL-48"),
        ),
        pytest.param(
            {},
            attribute(int=6),
            '"a" in device.attributes["d.example"]  ',
            id="ask whether a device has an attribute",
            marks=pytest.mark.requirement("DRA-SEL-49"),
        ),
        pytest.param(
            {},
            attribute(int=6),
            "has({a})",
            id="ask by has whether a device has an attribute",
            marks=pytest.mark.requirement("DRA-SEL-50"),
        ),
        pytest.param(
            {"attributes": {"e.example/a": {"int": 1}}},
            attribute(int=6),
            '"d.example" in device.attributes',
            id="ask whether a device has attributes of a domain",
            marks=pytest.mark.requirement("DRA-SEL-51"),
        ),
        pytest.param(
            {"attributes": {"e.example/a": {"int": 1}}},
            {},
            'device.attributes["e.example"].size() == 0',
            id="find no attribute in a domain that a device does not have",
            marks=pytest.mark.requirement("DRA-SEL-52"),
        ),
        pytest.param(
            {"attributes": {"d.example/b": {"int": 1}}},
            attribute(int=1),
            'device.attributes["d.example"].exists(n, n == "a")',
            id="ask for the names of all attributes of a domain",
            marks=pytest.mark.requirement("DRA-SEL-53"),
        ),
        pytest.param(
            {},
            memory("1Gi"),
            '"memory" in device.capacity["d.example"]',
            id="ask whether a device has a capacity",
            marks=pytest.mark.requirement("DRA-SEL-54"),
        ),
        pytest.param(
            {},
            {"allowMultipleAllocations": True},
            "device.allowMultipleAllocations",
            id="ask whether a device can be allocated several times",
            marks=pytest.mark.requirement("DRA-SEL-55"),
        ),
    ],
)
def test_the_language_is_understood(
    flow: Any, other: Object, wanted: Object, expression: str
) -> None:
    """Of two devices the one is taken of which the expression is true."""
    flow.publish({"name": "other", **other}, {"name": "wanted", **wanted})
    flow.claim(flow.selecting(spelled(expression)))
    flow.pod()

    expect.same(flow.devices(), ["wanted"], path="status.allocation.devices.results")

"""Selectors over quantities, versions and texts."""

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
            memory("8Gi"),
            memory("16Gi"),
            '{m}.isGreaterThan(quantity("8Gi"))',
            id="tell that one quantity is more than another",
            marks=pytest.mark.requirement("DRA-SEL-01"),
        ),
        pytest.param(
            memory("16Gi"),
            memory("8Gi"),
            '{m}.isLessThan(quantity("16Gi"))',
            id="tell that one quantity is less than another",
            marks=pytest.mark.requirement("DRA-SEL-02"),
        ),
        pytest.param(
            memory("1Gi"),
            memory("3Gi"),
            '{m}.add(quantity("1024Mi")).compareTo(quantity("4Gi")) == 0',
            id="add quantities",
            marks=pytest.mark.requirement("DRA-SEL-03"),
        ),
        pytest.param(
            memory("1Gi"),
            memory("3Gi"),
            '{m}.sub(quantity("1Gi")).compareTo(quantity("2Gi")) == 0',
            id="subtract quantities",
            marks=pytest.mark.requirement("DRA-SEL-04"),
        ),
        pytest.param(
            memory("0"),
            memory("1"),
            "sign({m}) == 1",
            id="tell the sign of a quantity",
            marks=pytest.mark.requirement("DRA-SEL-05"),
        ),
        pytest.param(
            memory("1k"),
            memory("2k"),
            "{m}.isInteger() && {m}.asInteger() == 2000",
            id="read a quantity as an integer",
            marks=pytest.mark.requirement("DRA-SEL-06"),
        ),
        pytest.param(
            memory("1500m"),
            memory("2500m"),
            "{m}.asApproximateFloat() > 2.0",
            id="read a quantity as a floating point number",
            marks=pytest.mark.requirement("DRA-SEL-07"),
        ),
        pytest.param(
            attribute(string="some"),
            attribute(string="20Gi"),
            "isQuantity({a})",
            id="tell whether a text is a quantity",
            marks=pytest.mark.requirement("DRA-SEL-08"),
        ),
        pytest.param(
            attribute(version="2.10.0"),
            attribute(version="2.9.0"),
            '{a}.isLessThan(semver("2.10.0"))',
            id="tell that one version comes before another",
            marks=pytest.mark.requirement("DRA-SEL-09"),
        ),
        pytest.param(
            attribute(version="1.2.3"),
            attribute(version="1.2.10"),
            '{a}.compareTo(semver("1.2.9")) == 1',
            id="compare versions by precedence",
            marks=pytest.mark.requirement("DRA-SEL-10"),
        ),
        pytest.param(
            attribute(version="1.0.0"),
            attribute(version="1.0.0-rc.1"),
            '{a}.isLessThan(semver("1.0.0"))  ',
            id="put a pre-release before its release",
            marks=pytest.mark.requirement("DRA-SEL-11"),
        ),
        pytest.param(
            attribute(version="3.2.1"),
            attribute(version="1.2.3"),
            "{a}.major() == 1 && {a}.minor() == 2 && {a}.patch() == 3",
            id="read the parts of a version",
            marks=pytest.mark.requirement("DRA-SEL-12"),
        ),
        pytest.param(
            attribute(string="1.2"),
            attribute(string="1.2.3"),
            "isSemver({a})",
            id="tell whether a text is a version",
            marks=pytest.mark.requirement("DRA-SEL-13"),
        ),
        pytest.param(
            attribute(string="v1.1"),
            attribute(string="v1.2"),
            'semver({a}, true) == semver("1.2.0")',
            id="normalize a version that is none yet",
            marks=pytest.mark.requirement("DRA-SEL-14"),
        ),
        pytest.param(
            attribute(string="tesla"),
            attribute(string="hopper"),
            '{a}.contains("opp")',
            id="look for a text in another",
            marks=pytest.mark.requirement("DRA-SEL-15"),
        ),
        pytest.param(
            attribute(string="h100"),
            attribute(string="h200"),
            '{a}.endsWith("200")',
            id="compare the end of a text",
            marks=pytest.mark.requirement("DRA-SEL-16"),
        ),
        pytest.param(
            attribute(string="card-a"),
            attribute(string="card-7"),
            '{a}.matches("^card-[0-9]+$")',
            id="match a regular expression",
            marks=pytest.mark.requirement("DRA-SEL-17"),
        ),
        pytest.param(
            attribute(string="abc"),
            attribute(string="abcd"),
            "{a}.size() == 4",
            id="measure a text",
            marks=pytest.mark.requirement("DRA-SEL-18"),
        ),
        pytest.param(
            attribute(string="H100"),
            attribute(string="H200"),
            '{a}.lowerAscii() == "h200"',
            id="lower the case of a text",
            marks=pytest.mark.requirement("DRA-SEL-19"),
        ),
        pytest.param(
            attribute(string="h100"),
            attribute(string="h200"),
            '{a}.upperAscii() == "H200"',
            id="raise the case of a text",
            marks=pytest.mark.requirement("DRA-SEL-20"),
        ),
        pytest.param(
            attribute(string="a-b"),
            attribute(string="a-b-c"),
            '{a}.split("-").size() == 3',
            id="split a text",
            marks=pytest.mark.requirement("DRA-SEL-21"),
        ),
        pytest.param(
            attribute(string="a-b"),
            attribute(string="b-a"),
            '{a}.replace("-", "") == "ba"',
            id="replace a part of a text",
            marks=pytest.mark.requirement("DRA-SEL-22"),
        ),
        pytest.param(
            attribute(string="ab"),
            attribute(string="  a "),
            '{a}.trim() == "a"',
            id="trim a text",
            marks=pytest.mark.requirement("DRA-SEL-23"),
        ),
        pytest.param(
            attribute(string="ab"),
            attribute(string="ba"),
            '{a}.indexOf("a") == 1',
            id="find the place of a text in another",
            marks=pytest.mark.requirement("DRA-SEL-24"),
        ),
        pytest.param(
            attribute(string="1abc"),
            attribute(string="2abc"),
            '{a}.substring(0, 1) == "2"',
            id="cut a text",
            marks=pytest.mark.requirement("DRA-SEL-25"),
        ),
        pytest.param(
            attribute(string="card-7"),
            attribute(string="card-8"),
            '{a}.find("[0-9]+") == "8"',
            id="find what a regular expression matches",
            marks=pytest.mark.requirement("DRA-SEL-26"),
        ),
        pytest.param(
            attribute(string="1-2"),
            attribute(string="1-2-3"),
            '{a}.findAll("[0-9]+").size() == 3',
            id="find all that a regular expression matches",
            marks=pytest.mark.requirement("DRA-SEL-27"),
        ),
        pytest.param(
            attribute(string="a"),
            attribute(string="b"),
            '{a} in ["b", "c"]',
            id="tell whether a value is one of a list",
            marks=pytest.mark.requirement("DRA-SEL-28"),
        ),
    ],
)
def test_values_are_understood(flow: Any, other: Object, wanted: Object, expression: str) -> None:
    """Of two devices the one is taken whose value the expression asks for."""
    flow.publish({"name": "other", **other}, {"name": "wanted", **wanted})
    flow.claim(flow.selecting(spelled(expression)))
    flow.pod()

    expect.same(flow.devices(), ["wanted"], path="status.allocation.devices.results")

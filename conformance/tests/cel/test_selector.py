"""The dialect of device selectors."""

from __future__ import annotations

from typing import Any

import pytest

from conformance import cel

_DRIVER = "gpu.example.com"
_DEVICE: dict[str, Any] = {
    "name": "gpu-0",
    "allowMultipleAllocations": True,
    "attributes": {
        "model": {"string": "A100"},
        "healthy": {"bool": True},
        "driverVersion": {"version": "1.2.3-rc.1+build"},
        "resource.kubernetes.io/numaNode": {"int": 1},
        "lanes": {"ints": [1, 2]},
        "flags": {"bools": [True]},
        "tags": {"strings": ["a", "b"]},
        "firmwares": {"versions": ["1.0.0"]},
    },
    "capacity": {"memory": {"value": "80Gi"}, "other.example.com/slots": {"value": "7"}},
}
_G = 'device.attributes["gpu.example.com"]'
_C = 'device.capacity["gpu.example.com"]'


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        pytest.param('device.driver == "gpu.example.com"', True, id="driver"),
        pytest.param("device.allowMultipleAllocations", True, id="multiple allocations"),
        pytest.param(f'{_G}.model == "A100"', True, id="a bare name is in the driver's domain"),
        pytest.param(f"{_G}.healthy", True, id="the attribute itself"),
        pytest.param('device.attributes["resource.kubernetes.io"].numaNode == 1', True, id="int"),
        pytest.param(f"{_G}.lanes.exists(lane, lane == 2)", True, id="list of ints"),
        pytest.param(f'{_G}.flags[0] && "b" in {_G}.tags', True, id="other lists"),
        pytest.param(f'{_G}.firmwares[0] == semver("1.0.0")', True, id="list of versions"),
        pytest.param(f'"model" in {_G}', True, id="in"),
        pytest.param(f"has({_G}.nope)", False, id="has"),
        pytest.param('device.attributes["z.io"].?a.orValue(7) == 7', True, id="missing domain"),
        pytest.param("device.attributes['z.io'].?a.hasValue()", False, id="single quotes"),
        pytest.param('"z.io" in device.attributes', False, id="a missing domain is not in"),
        pytest.param(f'{_G}.model.lowerAscii().startsWith("a1")', True, id="strings"),
        pytest.param(f'cel.bind(g, {_G}, g.model == "A100" && g.healthy)', True, id="bind"),
        pytest.param(f'{_C}.memory.compareTo(quantity("80Gi")) == 0', True, id="compareTo"),
        pytest.param(f'{_C}.memory == quantity("81920Mi")', True, id="equal amounts"),
        pytest.param(f'{_C}.memory.isGreaterThan(quantity("40Gi"))', True, id="greater"),
        pytest.param(f'{_C}.memory.isLessThan(quantity("40Gi"))', False, id="less"),
        pytest.param(f'sign({_C}.?nope.orValue(quantity("1"))) == 1', True, id="sign"),
        pytest.param('quantity("-") == quantity("Ki")', True, id="no digits are zero"),
        pytest.param('isQuantity("Pi")', False, id="no digits of a large suffix"),
        pytest.param('quantity("1").add(quantity("1")) == quantity("2")', True, id="add"),
        pytest.param('quantity("1").sub(2).asInteger() == -1', True, id="sub an int"),
        pytest.param('quantity("1500m").isInteger()', False, id="isInteger"),
        pytest.param('quantity("1500m").asApproximateFloat() == 1.5', True, id="float"),
        pytest.param('isQuantity("1Gi") && !isQuantity("1Gb")', True, id="isQuantity"),
        pytest.param(f'{_G}.driverVersion.isLessThan(semver("1.2.3"))', True, id="pre-release"),
        pytest.param(f'{_G}.driverVersion == semver("1.2.3-rc.1")', True, id="no build metadata"),
        pytest.param(f'{_G}.driverVersion.compareTo(semver("1.2.2")) == 1', True, id="versions"),
        pytest.param('semver("v1.02", true) == semver("1.2.0")', True, id="normalized"),
        pytest.param('isSemver("1.0") || !isSemver("v1.0", true)', False, id="isSemver"),
        pytest.param('semver("1.2.3").major() + semver("1.2.3").minor() == 3', True, id="major"),
        pytest.param('semver("1.2.3").patch() == 3', True, id="patch"),
        pytest.param("'a\\n'.matches('a$')", False, id="the end is the end"),
        pytest.param(r"'\u00e9'.matches(r'^\pL\z')", True, id="classes of RE2"),
        # Tried one after the other, the ways to match this would outlast everybody.
        pytest.param(f"'{'a' * 60}b'.matches('^(a+)+$')", False, id="linear time"),
        pytest.param(
            'device.capacity["other.example.com"].slots == quantity("7")', True, id="other domain"
        ),
    ],
)
def test_what_matches(expression: str, expected: bool) -> None:
    assert cel.compile_selector(expression).matches(_DRIVER, _DEVICE) is expected


@pytest.mark.parametrize(
    ("expression", "detail"),
    [
        pytest.param("1 +", "Syntax error", id="syntax"),
        pytest.param("device.nope", "undeclared reference", id="unknown field"),
        pytest.param("device.driver == 1", "no matching overload", id="types"),
        pytest.param("device.driver", "must evaluate to bool", id="text"),
        pytest.param("'a'.matches('(?=a)')", r"invalid perl operator: \(\?=", id="no RE2"),
        pytest.param("'a'.matches('a{2000}')", "invalid repetition size", id="too many times"),
        pytest.param('quantity("1") == semver("1.0.0")', "no matching overload", id="mixed"),
        pytest.param('quantity("1").startsWith("1")', "no matching overload", id="no text"),
    ],
)
def test_what_does_not_compile(expression: str, detail: str) -> None:
    with pytest.raises(cel.CompileError, match=detail):
        cel.compile_selector(expression)


def test_multiple_allocations_are_unknown_without_the_feature() -> None:
    with pytest.raises(cel.CompileError, match="undeclared reference"):
        cel.compile_selector("device.allowMultipleAllocations", multi_allocation=False)


@pytest.mark.parametrize(
    ("expression", "detail"),
    [
        pytest.param(f"{_G}.nope == 1", r"no such key: nope\. consider using", id="no key"),
        pytest.param('device.attributes["z.io"].a', "no such key: a", id="no domain"),
        pytest.param(f"{_G}.model", "type string could not be converted to bool", id="text"),
        pytest.param('sign(quantity("x")) == 1', "regular expression", id="no quantity"),
        pytest.param('semver("1.0").major() == 1', "not a semantic version", id="no version"),
        pytest.param('quantity("1.5").asInteger() == 1', "cannot convert", id="no integer"),
        pytest.param(f"{_G}.model > 3", "no such overload", id="wrong type at run time"),
    ],
)
def test_what_has_no_answer(expression: str, detail: str) -> None:
    with pytest.raises(cel.EvaluationError, match=detail):
        cel.compile_selector(expression).matches(_DRIVER, _DEVICE)


@pytest.mark.parametrize(
    ("attribute", "detail"),
    [
        pytest.param({}, "unsupported attribute value", id="no value"),
        pytest.param({"int": 2**70}, "out of range", id="no 64 bit integer"),
        pytest.param({"version": "1"}, "parse semantic version", id="no version"),
    ],
)
def test_a_device_that_cannot_be_read(attribute: dict[str, Any], detail: str) -> None:
    device = {"name": "a", "attributes": {"x": attribute}}

    with pytest.raises(cel.EvaluationError, match=detail):
        cel.compile_selector(f"{_G}.x == 1").matches(_DRIVER, device)


def test_compiled_selectors_are_kept() -> None:
    assert cel.compile_selector("1 == 1") is cel.compile_selector("1 == 1")


def test_worst_case_is_that_of_kubernetes() -> None:
    nested = "[1].all(a, [1].all(b, [1].all(c, [1].all(d, a == b && c == d))))"

    assert cel.compile_selector("device.driver == 'a(b' || (true)").cost == 3
    assert cel.compile_selector(nested).cost == 62
    assert cel.compile_selector(f"{_G}.lanes.all(a, {_G}.lanes.all(b, a == b))").cost == 2**64 - 1


def test_evaluation_ends_at_the_limit() -> None:
    selector = cel.compile_selector("lists.range(1000000).size() == 1 || true")

    with pytest.raises(cel.EvaluationError, match="actual cost limit exceeded"):
        selector.matches(_DRIVER, _DEVICE)

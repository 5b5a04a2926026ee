"""A valid object, changed in one place: alternatives of a request and derived attributes."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    COSTLY,
    deriving,
    opaque,
    padded,
    request,
    selector,
    texts,
    times,
)

_MATCH = "dra.example/a"
_ASKED = request()["exactly"]
_MANY = times(32, name="condition-{n}", exactly=_ASKED)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].deviceClassName": "Class_1"},
            "spec.devices.requests[1].firstAvailable[0].deviceClassName",
            id="DeviceClass name of an alternative that is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VAL-01"),
        ),
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].count": -1},
            "spec.devices.requests[1].firstAvailable[0].count",
            id="count of an alternative of less than one",
            marks=pytest.mark.requirement("DRA-VAL-02"),
        ),
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].selectors": [{}]},
            "spec.devices.requests[1].firstAvailable[0].selectors[0].cel",
            id="selector of an alternative without an expression language",
            marks=pytest.mark.requirement("DRA-VAL-03"),
        ),
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].selectors": [selector("1")]},
            "spec.devices.requests[1].firstAvailable[0].selectors[0].cel.expression",
            id="expression of an alternative that does not return a bool",
            marks=pytest.mark.requirement("DRA-VAL-04"),
        ),
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].selectors": [selector(COSTLY)]},
            "spec.devices.requests[1].firstAvailable[0].selectors[0].cel.expression",
            id="expression of an alternative whose estimated cost is above the limit",
            marks=pytest.mark.requirement("DRA-VAL-05"),
        ),
        pytest.param(
            {
                "spec.devices.requests[1].firstAvailable[0].tolerations": [
                    {"key": "dra.example/bad", "operator": "Maybe"}
                ]
            },
            "spec.devices.requests[1].firstAvailable[0].tolerations[0].operator",
            id="toleration of an alternative with an unknown operator",
            marks=pytest.mark.requirement("DRA-VAL-06"),
        ),
        pytest.param(
            {
                "spec.devices.requests[1].firstAvailable[0].tolerations": [
                    {"key": "dra.example/bad", "operator": "Exists", "value": "x"}
                ]
            },
            "spec.devices.requests[1].firstAvailable[0].tolerations[0].value",
            id="toleration of an alternative of existence with a value",
            marks=pytest.mark.requirement("DRA-VAL-07"),
        ),
        pytest.param(
            {
                "spec.devices.requests[1].firstAvailable[0].tolerations": [
                    {"key": "dra.example/bad", "operator": "Exists", "effect": "Never"}
                ]
            },
            "spec.devices.requests[1].firstAvailable[0].tolerations[0].effect",
            id="toleration of an alternative with an unknown effect",
            marks=pytest.mark.requirement("DRA-VAL-08"),
        ),
        pytest.param(
            {
                "spec.devices.requests[1].firstAvailable[0].tolerations": [
                    {"key": "not a key", "operator": "Exists"}
                ]
            },
            "spec.devices.requests[1].firstAvailable[0].tolerations[0].key",
            id="toleration of an alternative whose key is no label key",
            marks=pytest.mark.requirement("DRA-VAL-09"),
        ),
        pytest.param(
            {"spec.devices.constraints": [{"requests": ["two/huge"], "matchAttribute": _MATCH}]},
            "spec.devices.constraints[0].requests[0]",
            id="constraint on an alternative that does not exist",
            marks=pytest.mark.requirement("DRA-VAL-10"),
        ),
        pytest.param(
            {"spec.devices.constraints": [{"requests": ["two/big/x"], "matchAttribute": _MATCH}]},
            "spec.devices.constraints[0].requests[0]",
            id="reference to a request in more than two parts",
            marks=pytest.mark.requirement("DRA-VAL-11"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(requests=["two/huge"])]},
            "spec.devices.config[0].requests[0]",
            id="configuration for an alternative that does not exist",
            marks=pytest.mark.requirement("DRA-VAL-12"),
        ),
    ],
)
def test_an_alternative_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/alternatives", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].selectors": [selector(padded(10 * 1024))]},
            {
                "spec.devices.requests[1].firstAvailable[0].selectors": [
                    selector(padded(10 * 1024 + 1))
                ]
            },
            "spec.devices.requests[1].firstAvailable[0].selectors[0].cel.expression",
            id="expression of an alternative to 10 KiB",
            marks=pytest.mark.requirement("DRA-VAL-13"),
        ),
        pytest.param(
            {
                "spec.devices.requests": _MANY,
                "spec.devices.constraints": [{"requests": texts(32), "matchAttribute": _MATCH}],
            },
            {
                "spec.devices.requests": _MANY,
                "spec.devices.constraints": [
                    {"requests": [*texts(32), "condition-0"], "matchAttribute": _MATCH}
                ],
            },
            "spec.devices.constraints[0].requests",
            id="requests that a constraint names to 32",
            marks=pytest.mark.requirement("DRA-VAL-14"),
        ),
        pytest.param(
            {"spec.devices.requests": _MANY, "spec.devices.config": [opaque(requests=texts(32))]},
            {
                "spec.devices.requests": _MANY,
                "spec.devices.config": [opaque(requests=[*texts(32), "condition-0"])],
            },
            "spec.devices.config[0].requests",
            id="requests that a configuration names to 32",
            marks=pytest.mark.requirement("DRA-VAL-15"),
        ),
    ],
)
def test_alternatives_and_references_have_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/alternatives", within)

    with expect.refused(422, at):
        proposals.creation("validation/alternatives", beyond)


@pytest.mark.variant(gates={"DRADerivedAttributes": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            deriving([{"expression": "1"}]),
            "spec.devices.requests[0].exactly.derivedAttributes[0].name",
            id="derived attribute without a name",
            marks=pytest.mark.requirement("DRA-VAL-16"),
        ),
        pytest.param(
            deriving([{"name": "a", "expression": "1"}], match="a"),
            "spec.devices.requests[0].exactly.derivedAttributes[0].name",
            id="derived attribute whose name has no domain",
            marks=pytest.mark.requirement("DRA-VAL-17"),
        ),
        pytest.param(
            deriving([{"name": _MATCH}]),
            "spec.devices.requests[0].exactly.derivedAttributes[0].expression",
            id="derived attribute without an expression",
            marks=pytest.mark.requirement("DRA-VAL-18"),
        ),
        pytest.param(
            deriving([{"name": _MATCH, "expression": "1"}], match="dra.example/b"),
            "spec.devices.requests[0].exactly.derivedAttributes[0].name",
            id="derived attribute that no constraint of its request names",
            marks=pytest.mark.requirement("DRA-VAL-19"),
        ),
        pytest.param(
            deriving([{"name": _MATCH, "expression": "1"}, {"name": _MATCH, "expression": "2"}]),
            "spec.devices.requests[0].exactly.derivedAttributes[1]",
            id="two derived attributes of one name",
            marks=pytest.mark.requirement("DRA-VAL-20"),
        ),
        pytest.param(
            deriving([{"name": _MATCH, "expression": "(1"}]),
            "spec.devices.requests[0].exactly.derivedAttributes[0].expression",
            id="expression of a derived attribute that is not CEL",
            marks=pytest.mark.requirement("DRA-VAL-21"),
        ),
        pytest.param(
            deriving([{"name": _MATCH, "expression": "{1: 2}"}]),
            "spec.devices.requests[0].exactly.derivedAttributes[0].expression",
            id="expression of a derived attribute with a value that no attribute has",
            marks=pytest.mark.requirement("DRA-VAL-22"),
        ),
        pytest.param(
            deriving([{"name": _MATCH, "expression": COSTLY}]),
            "spec.devices.requests[0].exactly.derivedAttributes[0].expression",
            id="expression of a derived attribute whose estimated cost is above the limit",
            marks=pytest.mark.requirement("DRA-VAL-23"),
        ),
    ],
)
def test_a_derived_attribute_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/alternatives", changes)

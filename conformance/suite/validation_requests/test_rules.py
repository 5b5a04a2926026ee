"""A valid object, changed in one place: the requests of a claim."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    COSTLY,
    SELECTOR,
    asked,
    padded,
    request,
    selector,
    times,
)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.devices.requests[0].name": "Request_1"},
            "spec.devices.requests[0].name",
            id="request whose name is no DNS label: capitals",
            marks=pytest.mark.requirement("DRA-VRQ-01"),
        ),
        pytest.param(
            {"spec.devices.requests[0].name": DROP},
            "spec.devices.requests[0].name",
            id="request whose name is no DNS label: no name",
            marks=pytest.mark.requirement("DRA-VRQ-01"),
        ),
        pytest.param(
            {"spec.devices.requests[0].name": "r" * 64},
            "spec.devices.requests[0].name",
            id="request whose name is no DNS label: 64 characters",
            marks=pytest.mark.requirement("DRA-VRQ-01"),
        ),
        pytest.param(
            {"spec.devices.requests": [request(), request()]},
            "spec.devices.requests[1]",
            id="two requests of one name",
            marks=pytest.mark.requirement("DRA-VRQ-02"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly": DROP},
            "spec.devices.requests[0]",
            id="request that asks for nothing",
            marks=pytest.mark.requirement("DRA-VRQ-04"),
        ),
        pytest.param(
            {"spec.devices.requests[0].firstAvailable": [asked(name="big")]},
            "spec.devices.requests[0]",
            id="request that asks exactly and with alternatives",
            marks=pytest.mark.requirement("DRA-VRQ-05"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly": {"count": 1}},
            "spec.devices.requests[0].exactly.deviceClassName",
            id="request without a DeviceClass",
            marks=pytest.mark.requirement("DRA-VRQ-06"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.deviceClassName": "Class_1"},
            "spec.devices.requests[0].exactly.deviceClassName",
            id="DeviceClass name that is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VRQ-07"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.allocationMode": "Some"},
            "spec.devices.requests[0].exactly.allocationMode",
            id="unknown allocation mode",
            marks=pytest.mark.requirement("DRA-VRQ-08"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.count": -1},
            "spec.devices.requests[0].exactly.count",
            id="count of less than one",
            marks=pytest.mark.requirement("DRA-VRQ-09"),
        ),
        pytest.param(
            {
                "spec.devices.requests[0].exactly.count": 2,
                "spec.devices.requests[0].exactly.allocationMode": "All",
            },
            "spec.devices.requests[0].exactly.count",
            id="count together with the allocation mode All",
            marks=pytest.mark.requirement("DRA-VRQ-10"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [{}]},
            "spec.devices.requests[0].exactly.selectors[0].cel",
            id="selector without an expression language",
            marks=pytest.mark.requirement("DRA-VRQ-12"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [selector("(true")]},
            "spec.devices.requests[0].exactly.selectors[0].cel.expression",
            id="expression that is not CEL: unbalanced",
            marks=pytest.mark.requirement("DRA-VRQ-13"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [selector("")]},
            "spec.devices.requests[0].exactly.selectors[0].cel.expression",
            id="expression that is not CEL: empty",
            marks=pytest.mark.requirement("DRA-VRQ-13"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [selector("'gpu'")]},
            "spec.devices.requests[0].exactly.selectors[0].cel.expression",
            id="expression that does not return a bool: a text",
            marks=pytest.mark.requirement("DRA-VRQ-14"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [selector("1 + 1")]},
            "spec.devices.requests[0].exactly.selectors[0].cel.expression",
            id="expression that does not return a bool: a number",
            marks=pytest.mark.requirement("DRA-VRQ-14"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [selector("device.model == 1")]},
            "spec.devices.requests[0].exactly.selectors[0].cel.expression",
            id="expression with a field that no device has",
            marks=pytest.mark.requirement("DRA-VRQ-15"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [selector("pod.name == 1")]},
            "spec.devices.requests[0].exactly.selectors[0].cel.expression",
            id="expression with a name that is not declared",
            marks=pytest.mark.requirement("DRA-VRQ-16"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [selector("device.driver == 1")]},
            "spec.devices.requests[0].exactly.selectors[0].cel.expression",
            id="expression that compares values of two types",
            marks=pytest.mark.requirement("DRA-VRQ-17"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [selector(COSTLY)]},
            "spec.devices.requests[0].exactly.selectors[0].cel.expression",
            id="expression whose estimated cost is above the limit",
            marks=pytest.mark.requirement("DRA-VRQ-19"),
        ),
        pytest.param(
            {
                "spec.devices.requests[0].exactly.tolerations": [
                    {"key": "dra.example/bad", "operator": "Near"}
                ]
            },
            "spec.devices.requests[0].exactly.tolerations[0].operator",
            id="toleration with an unknown operator",
            marks=pytest.mark.requirement("DRA-VRQ-20"),
        ),
        pytest.param(
            {
                "spec.devices.requests[0].exactly.tolerations": [
                    {"key": "dra.example/bad", "operator": "Exists", "value": "x"}
                ]
            },
            "spec.devices.requests[0].exactly.tolerations[0].value",
            id="toleration of existence with a value",
            marks=pytest.mark.requirement("DRA-VRQ-21"),
        ),
        pytest.param(
            {
                "spec.devices.requests[0].exactly.tolerations": [
                    {"operator": "Exists", "effect": "Never"}
                ]
            },
            "spec.devices.requests[0].exactly.tolerations[0].effect",
            id="toleration with an unknown effect",
            marks=pytest.mark.requirement("DRA-VRQ-22"),
        ),
        pytest.param(
            {
                "spec.devices.requests[0].exactly.tolerations": [
                    {"key": "not a key", "operator": "Exists"}
                ]
            },
            "spec.devices.requests[0].exactly.tolerations[0].key",
            id="toleration whose key is no label key",
            marks=pytest.mark.requirement("DRA-VRQ-23"),
        ),
        pytest.param(
            {
                "spec.devices.requests[0].exactly.tolerations": [
                    {"key": "dra.example/bad", "operator": "Equal", "value": "not a value"}
                ]
            },
            "spec.devices.requests[0].exactly.tolerations[0].value",
            id="toleration whose value is no label value",
            marks=pytest.mark.requirement("DRA-VRQ-24"),
        ),
    ],
)
def test_a_claim_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/claim", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.devices.requests": times(32, **request(name="request-{n}"))},
            {"spec.devices.requests": times(33, **request(name="request-{n}"))},
            "spec.devices.requests",
            id="requests of a claim to 32",
            marks=pytest.mark.requirement("DRA-VRQ-03"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [SELECTOR] * 32},
            {"spec.devices.requests[0].exactly.selectors": [SELECTOR] * 33},
            "spec.devices.requests[0].exactly.selectors",
            id="selectors of a request to 32",
            marks=pytest.mark.requirement("DRA-VRQ-11"),
        ),
        pytest.param(
            {"spec.devices.requests[0].exactly.selectors": [selector(padded(10 * 1024))]},
            {"spec.devices.requests[0].exactly.selectors": [selector(padded(10 * 1024 + 1))]},
            "spec.devices.requests[0].exactly.selectors[0].cel.expression",
            id="CEL expression to 10 KiB",
            marks=pytest.mark.requirement("DRA-VRQ-18"),
        ),
    ],
)
def test_a_claim_has_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/claim", within)

    with expect.refused(422, at):
        proposals.creation("validation/claim", beyond)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.devices.requests[1].firstAvailable": times(8, **asked(name="sub-{n}"))},
            {"spec.devices.requests[1].firstAvailable": times(9, **asked(name="sub-{n}"))},
            "spec.devices.requests[1].firstAvailable",
            id="alternatives of a request to 8",
            marks=pytest.mark.requirement("DRA-VRQ-25"),
        ),
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].selectors": [SELECTOR] * 32},
            {"spec.devices.requests[1].firstAvailable[0].selectors": [SELECTOR] * 33},
            "spec.devices.requests[1].firstAvailable[0].selectors",
            id="selectors of an alternative to 32",
            marks=pytest.mark.requirement("DRA-VRQ-31"),
        ),
    ],
)
def test_a_claim_with_alternatives_has_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/alternatives", within)

    with expect.refused(422, at):
        proposals.creation("validation/alternatives", beyond)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.devices.requests[1].firstAvailable": [asked(name="big"), asked(name="big")]},
            "spec.devices.requests[1].firstAvailable[1]",
            id="two alternatives of one name",
            marks=pytest.mark.requirement("DRA-VRQ-26"),
        ),
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].name": "Big_One"},
            "spec.devices.requests[1].firstAvailable[0].name",
            id="alternative whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-VRQ-27"),
        ),
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].deviceClassName": DROP},
            "spec.devices.requests[1].firstAvailable[0].deviceClassName",
            id="alternative without a DeviceClass",
            marks=pytest.mark.requirement("DRA-VRQ-28"),
        ),
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].allocationMode": "Some"},
            "spec.devices.requests[1].firstAvailable[0].allocationMode",
            id="alternative with an unknown allocation mode",
            marks=pytest.mark.requirement("DRA-VRQ-29"),
        ),
        pytest.param(
            {
                "spec.devices.requests[1].firstAvailable[0].count": 2,
                "spec.devices.requests[1].firstAvailable[0].allocationMode": "All",
            },
            "spec.devices.requests[1].firstAvailable[0].count",
            id="alternative that counts and wants all",
            marks=pytest.mark.requirement("DRA-VRQ-30"),
        ),
        pytest.param(
            {"spec.devices.requests[1].firstAvailable[0].selectors": [selector("(true")]},
            "spec.devices.requests[1].firstAvailable[0].selectors[0].cel.expression",
            id="expression of an alternative that is not CEL",
            marks=pytest.mark.requirement("DRA-VRQ-32"),
        ),
    ],
)
def test_a_claim_with_alternatives_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/alternatives", changes)

"""A valid object, changed in one place: constraints, configurations and templates."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    opaque,
    weighing,
)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.devices.constraints": [{"requests": ["one"]}]},
            "spec.devices.constraints[0]",
            id="constraint on no attribute",
            marks=pytest.mark.requirement("DRA-VCL-01"),
        ),
        pytest.param(
            {"spec.devices.constraints": [{"matchAttribute": "model"}]},
            "spec.devices.constraints[0].matchAttribute",
            id="constraint on an attribute without a domain",
            marks=pytest.mark.requirement("DRA-VCL-02"),
        ),
        pytest.param(
            {"spec.devices.constraints": [{"matchAttribute": "dra.example/not-valid"}]},
            "spec.devices.constraints[0].matchAttribute",
            id="constraint on an attribute whose name is no C identifier",
            marks=pytest.mark.requirement("DRA-VCL-03"),
        ),
        pytest.param(
            {"spec.devices.constraints": [{"distinctAttribute": "model"}]},
            "spec.devices.constraints[0].distinctAttribute",
            id="constraint on distinct values of an attribute without a domain",
            marks=pytest.mark.requirement("DRA-VCL-04"),
        ),
        pytest.param(
            {
                "spec.devices.constraints": [
                    {"matchAttribute": "dra.example/a", "requests": ["three"]}
                ]
            },
            "spec.devices.constraints[0].requests[0]",
            id="constraint on a request that does not exist: an unknown request",
            marks=pytest.mark.requirement("DRA-VCL-05"),
        ),
        pytest.param(
            {
                "spec.devices.constraints": [
                    {"matchAttribute": "dra.example/a", "requests": ["two/none"]}
                ]
            },
            "spec.devices.constraints[0].requests[0]",
            id="constraint on a request that does not exist: an unknown subrequest",
            marks=pytest.mark.requirement("DRA-VCL-05"),
        ),
        pytest.param(
            {
                "spec.devices.constraints": [
                    {"matchAttribute": "dra.example/a", "requests": ["one/big"]}
                ]
            },
            "spec.devices.constraints[0].requests[0]",
            id="constraint on a request that does not exist: one of no alternatives",
            marks=pytest.mark.requirement("DRA-VCL-05"),
        ),
        pytest.param(
            {
                "spec.devices.constraints": [
                    {"matchAttribute": "dra.example/a", "requests": ["two/big/one"]}
                ]
            },
            "spec.devices.constraints[0].requests[0]",
            id="constraint on a request that does not exist: three segments",
            marks=pytest.mark.requirement("DRA-VCL-05"),
        ),
        pytest.param(
            {
                "spec.devices.constraints": [
                    {"matchAttribute": "dra.example/a", "requests": ["one", "one"]}
                ]
            },
            "spec.devices.constraints[0].requests[1]",
            id="constraint that names a request twice",
            marks=pytest.mark.requirement("DRA-VCL-06"),
        ),
        pytest.param(
            {"spec.devices.config": [{"requests": ["one"]}]},
            "spec.devices.config[0].opaque",
            id="configuration without parameters for a driver",
            marks=pytest.mark.requirement("DRA-VCL-08"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(driver=DROP)]},
            "spec.devices.config[0].opaque.driver",
            id="opaque parameters without a driver",
            marks=pytest.mark.requirement("DRA-VCL-09"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(driver="not_valid")]},
            "spec.devices.config[0].opaque.driver",
            id="opaque parameters for a driver whose name is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VCL-10"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(parameters=DROP)]},
            "spec.devices.config[0].opaque.parameters",
            id="opaque parameters that are absent",
            marks=pytest.mark.requirement("DRA-VCL-11"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(parameters="text")]},
            "spec.devices.config[0].opaque.parameters",
            id="opaque parameters that are no JSON object: a text",
            marks=pytest.mark.requirement("DRA-VCL-12"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(parameters=[1])]},
            "spec.devices.config[0].opaque.parameters",
            id="opaque parameters that are no JSON object: a list",
            marks=pytest.mark.requirement("DRA-VCL-12"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(parameters=1)]},
            "spec.devices.config[0].opaque.parameters",
            id="opaque parameters that are no JSON object: a number",
            marks=pytest.mark.requirement("DRA-VCL-12"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(requests=["three"])]},
            "spec.devices.config[0].requests[0]",
            id="configuration for a request that does not exist: an unknown request",
            marks=pytest.mark.requirement("DRA-VCL-14"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(requests=["two/none"])]},
            "spec.devices.config[0].requests[0]",
            id="configuration for a request that does not exist: an unknown subrequest",
            marks=pytest.mark.requirement("DRA-VCL-14"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(requests=["one", "one"])]},
            "spec.devices.config[0].requests[1]",
            id="configuration that names a request twice",
            marks=pytest.mark.requirement("DRA-VCL-15"),
        ),
    ],
)
def test_a_claim_with_alternatives_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/alternatives", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.devices.constraints": [{"matchAttribute": "dra.example/a"}] * 32},
            {"spec.devices.constraints": [{"matchAttribute": "dra.example/a"}] * 33},
            "spec.devices.constraints",
            id="constraints of a claim to 32",
            marks=pytest.mark.requirement("DRA-VCL-07"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque(parameters=weighing(10 * 1024 - 1))]},
            {"spec.devices.config": [opaque(parameters=weighing(10 * 1024 + 1))]},
            "spec.devices.config[0].opaque.parameters",
            id="opaque parameters to 10 KiB",
            marks=pytest.mark.requirement("DRA-VCL-13"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque()] * 32},
            {"spec.devices.config": [opaque()] * 33},
            "spec.devices.config",
            id="configurations of a claim to 32",
            marks=pytest.mark.requirement("DRA-VCL-16"),
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
            {"spec.devices.requests[0].exactly.count": 2},
            "spec",
            id="change of the spec of a claim: a request",
            marks=pytest.mark.requirement("DRA-VCL-17"),
        ),
        pytest.param(
            {"spec.devices.constraints": [{"matchAttribute": "dra.example/a"}]},
            "spec",
            id="change of the spec of a claim: a constraint",
            marks=pytest.mark.requirement("DRA-VCL-17"),
        ),
        pytest.param(
            {"spec.devices.config": [opaque()]},
            "spec",
            id="change of the spec of a claim: a configuration",
            marks=pytest.mark.requirement("DRA-VCL-17"),
        ),
    ],
)
def test_a_change_of_a_claim_with_alternatives_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.update("validation/alternatives", changes)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.spec.devices.requests[0].exactly.count": 2},
            "spec",
            id="change of the spec of a template: the claim's spec",
            marks=pytest.mark.requirement("DRA-VCL-18"),
        ),
        pytest.param(
            {"spec.metadata": {"labels": {"a": "b"}}},
            "spec",
            id="change of the spec of a template: the claim's labels",
            marks=pytest.mark.requirement("DRA-VCL-18"),
        ),
    ],
)
def test_a_change_of_a_template_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.update("validation/template", changes)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.spec.devices.requests[0].exactly.allocationMode": "Some"},
            "spec.spec.devices.requests[0].exactly.allocationMode",
            id="template whose claims could not be created",
            marks=pytest.mark.requirement("DRA-VCL-19"),
        ),
        pytest.param(
            {"spec.metadata": {"labels": {"not a key": "x"}}},
            "spec.metadata.labels",
            id="template with a label that no object can have: a key",
            marks=pytest.mark.requirement("DRA-VCL-20"),
        ),
        pytest.param(
            {"spec.metadata": {"labels": {"key": "not a value"}}},
            "spec.metadata.labels",
            id="template with a label that no object can have: a value",
            marks=pytest.mark.requirement("DRA-VCL-20"),
        ),
    ],
)
def test_a_template_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/template", changes)

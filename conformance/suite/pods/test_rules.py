"""A valid Pod, changed in one place: the claims that it names."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals

_ENTRIES = [{"name": name, "resourceClaimName": f"claim-{name}"} for name in ("one", "two")]


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.resourceClaims[0].name": DROP},
            "spec.resourceClaims[0].name",
            id="entry of spec.resourceClaims without a name",
            marks=pytest.mark.requirement("DRA-POD-01"),
        ),
        pytest.param(
            {"spec.resourceClaims[0].name": "One_1"},
            "spec.resourceClaims[0].name",
            id="entry of spec.resourceClaims whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-POD-02"),
        ),
        pytest.param(
            {"spec.resourceClaims[1].name": "one"},
            "spec.resourceClaims[1].name",
            id="two entries of spec.resourceClaims of one name",
            marks=pytest.mark.requirement("DRA-POD-03"),
        ),
        pytest.param(
            {"spec.resourceClaims[0].resourceClaimTemplateName": "template"},
            "spec.resourceClaims[0]",
            id="entry of spec.resourceClaims that names a claim and a template",
            marks=pytest.mark.requirement("DRA-POD-04"),
        ),
        pytest.param(
            {"spec.resourceClaims[0].resourceClaimName": DROP},
            "spec.resourceClaims[0]",
            id="entry of spec.resourceClaims that names neither claim nor template",
            marks=pytest.mark.requirement("DRA-POD-05"),
        ),
        pytest.param(
            {"spec.resourceClaims[0].resourceClaimName": "Claim_1"},
            "spec.resourceClaims[0].resourceClaimName",
            id="Pod that names a claim by what is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-POD-06"),
        ),
        pytest.param(
            {"spec.resourceClaims[0]": {"name": "one", "resourceClaimTemplateName": "Template_1"}},
            "spec.resourceClaims[0].resourceClaimTemplateName",
            id="Pod that names a template by what is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-POD-07"),
        ),
        pytest.param(
            {"spec.containers[0].resources.claims": [{}]},
            "spec.containers[0].resources.claims[0]",
            id="container that uses a claim without a name",
            marks=pytest.mark.requirement("DRA-POD-08"),
        ),
        pytest.param(
            {"spec.containers[0].resources.claims": [{"name": "three"}]},
            "spec.containers[0].resources.claims[0]",
            id="container that uses a claim which its Pod does not name",
            marks=pytest.mark.requirement("DRA-POD-09"),
        ),
        pytest.param(
            {"spec.containers[0].resources.claims": [{"name": "one"}, {"name": "one"}]},
            "spec.containers[0].resources.claims[1]",
            id="container that uses a claim twice",
            marks=pytest.mark.requirement("DRA-POD-10"),
        ),
        pytest.param(
            {
                "spec.containers[0].resources.claims": [
                    {"name": "one"},
                    {"name": "one", "request": "a"},
                ]
            },
            "spec.containers[0].resources.claims[1]",
            id="container that uses a claim as a whole and a request of it: the whole first",
            marks=pytest.mark.requirement("DRA-POD-11"),
        ),
        pytest.param(
            {
                "spec.containers[0].resources.claims": [
                    {"name": "one", "request": "a"},
                    {"name": "one"},
                ]
            },
            "spec.containers[0].resources.claims[1]",
            id="container that uses a claim as a whole and a request of it: the request first",
            marks=pytest.mark.requirement("DRA-POD-11"),
        ),
        pytest.param(
            {
                "spec.containers[0].resources.claims": [
                    {"name": "one", "request": "a"},
                    {"name": "one", "request": "a"},
                ]
            },
            "spec.containers[0].resources.claims[1]",
            id="container that uses a request of a claim twice",
            marks=pytest.mark.requirement("DRA-POD-12"),
        ),
        pytest.param(
            {"spec.containers[0].resources.claims": [{"name": "one", "request": "Request_1"}]},
            "spec.containers[0].resources.claims[0].request",
            id="container that uses a request whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-POD-13"),
        ),
        pytest.param(
            {"spec.initContainers[0].resources.claims": [{"name": "three"}]},
            "spec.initContainers[0].resources.claims[0]",
            id="init container that uses a claim which its Pod does not name",
            marks=pytest.mark.requirement("DRA-POD-14"),
        ),
    ],
)
def test_a_pod_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("pods/pod", changes)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            {
                "spec.containers[0].resources.claims": [
                    {"name": "one", "request": "a"},
                    {"name": "one", "request": "b"},
                ]
            },
            id="container that uses two requests of one claim",
            marks=pytest.mark.requirement("DRA-POD-15"),
        ),
    ],
)
def test_a_pod_is_accepted(proposals: Proposals, changes: Changes) -> None:
    """Nothing breaks a rule: the write is accepted."""
    with expect.accepted("what the rules allow"):
        proposals.creation("pods/pod", changes)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.resourceClaims[0].resourceClaimName": "claim-3"},
            "spec",
            id="change of the claims that a Pod names: another claim",
            marks=pytest.mark.requirement("DRA-POD-16"),
        ),
        pytest.param(
            {"spec.resourceClaims": [*_ENTRIES, {"name": "three", "resourceClaimName": "claim-3"}]},
            "spec",
            id="change of the claims that a Pod names: one claim more",
            marks=pytest.mark.requirement("DRA-POD-16"),
        ),
        pytest.param(
            {"spec.containers[0].resources.claims": [{"name": "two"}]},
            "spec",
            id="change of the claims that a container uses: another claim",
            marks=pytest.mark.requirement("DRA-POD-17"),
        ),
        pytest.param(
            {"spec.containers[0].resources.claims": []},
            "spec",
            id="change of the claims that a container uses: no claim",
            marks=pytest.mark.requirement("DRA-POD-17"),
        ),
    ],
)
def test_the_claims_of_a_pod_are_immutable(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.update("pods/pod", changes)

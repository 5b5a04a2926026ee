"""A valid object, changed in one place: PodGroups with claims, and Pods of a group."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals
from conformance.kube.objects import Object

pytestmark = pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
    serves=["scheduling.k8s.io/v1beta1"],
)

_CLAIMS = "spec.resourceClaims"
_STATUSES = "status.resourceClaimStatuses"


def entry(name: Any = "one", **source: Any) -> Object:
    """Return an entry of a group, by default one of a template."""
    return {"name": name, **(source or {"resourceClaimTemplateName": "template"})}


def told(name: str = "one", claim: str = "claim-1") -> Object:
    """Return an entry of the status of a group."""
    return {"name": name, "resourceClaimName": claim}


def several(number: int) -> list[Object]:
    """Return so many entries of different names."""
    return [entry(f"claim-{place}") for place in range(number)]


@pytest.mark.parametrize(
    ("claims", "at"),
    [
        pytest.param(
            [entry("")],
            f"{_CLAIMS}[0].name",
            id="claim of a group without a name",
            marks=pytest.mark.requirement("DRA-VPG-01"),
        ),
        pytest.param(
            [entry("one.two")],
            f"{_CLAIMS}[0].name",
            id="claim of a group whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-VPG-02"),
        ),
        pytest.param(
            [entry(), entry(resourceClaimName="claim")],
            f"{_CLAIMS}[1]",
            id="two claims of a group of one name",
            marks=pytest.mark.requirement("DRA-VPG-03"),
        ),
        pytest.param(
            [{"name": "one"}],
            f"{_CLAIMS}[0]",
            id="claim of a group that is nowhere",
            marks=pytest.mark.requirement("DRA-VPG-05"),
        ),
        pytest.param(
            [entry(resourceClaimName="claim", resourceClaimTemplateName="template")],
            f"{_CLAIMS}[0]",
            id="claim of a group that is a claim and a template",
            marks=pytest.mark.requirement("DRA-VPG-06"),
        ),
        pytest.param(
            [entry(resourceClaimName="not_a_subdomain")],
            f"{_CLAIMS}[0].resourceClaimName",
            id="claim of a group that no claim can be called",
            marks=pytest.mark.requirement("DRA-VPG-07"),
        ),
        pytest.param(
            [entry(resourceClaimTemplateName="not_a_subdomain")],
            f"{_CLAIMS}[0].resourceClaimTemplateName",
            id="claim of a group that no template can be called",
            marks=pytest.mark.requirement("DRA-VPG-08"),
        ),
    ],
)
def test_claims_of_a_group_are_refused(proposals: Proposals, claims: list[Object], at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/group", {_CLAIMS: claims})


@pytest.mark.requirement("DRA-VPG-04")
def test_a_group_has_four_claims_at_most(proposals: Proposals) -> None:
    """As many as are allowed are accepted, and one more is refused."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/group", {_CLAIMS: several(4)})

    with expect.refused(422, _CLAIMS):
        proposals.creation("validation/group", {_CLAIMS: several(5)})


@pytest.mark.requirement("DRA-VPG-09")
@pytest.mark.parametrize(
    "claims",
    [
        pytest.param({f"{_CLAIMS}[0].resourceClaimTemplateName": "other"}, id="another template"),
        pytest.param({_CLAIMS: several(3)}, id="other claims"),
        pytest.param({_CLAIMS: DROP}, id="no claims"),
    ],
)
def test_claims_of_a_group_stay_as_they_are(proposals: Proposals, claims: Changes) -> None:
    """Nothing about them may change."""
    with expect.refused(422, _CLAIMS):
        proposals.update("validation/group", claims)


@pytest.mark.parametrize(
    ("statuses", "at"),
    [
        pytest.param(
            [told("five")],
            f"{_STATUSES}[0].name",
            id="status of a claim that the group does not have",
            marks=pytest.mark.requirement("DRA-VPG-10"),
        ),
        pytest.param(
            [told(), told(claim="claim-2")],
            f"{_STATUSES}[1]",
            id="status of one claim of the group twice",
            marks=pytest.mark.requirement("DRA-VPG-11"),
        ),
        pytest.param(
            [told(claim="not_a_subdomain")],
            f"{_STATUSES}[0].resourceClaimName",
            id="status that names what no claim can be called",
            marks=pytest.mark.requirement("DRA-VPG-13"),
        ),
    ],
)
def test_statuses_of_claims_are_refused(
    proposals: Proposals, statuses: list[Object], at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.status("validation/group", {_STATUSES: statuses})


@pytest.mark.requirement("DRA-VPG-12")
def test_a_group_has_four_statuses_at_most(proposals: Proposals) -> None:
    """One for each claim is accepted, and one more is refused."""
    whole = [told(name) for name in ("one", "two", "three", "four")]
    with expect.accepted("what is just within the limit"):
        proposals.status("validation/group", {_STATUSES: whole})

    with expect.refused(422, _STATUSES):
        proposals.status("validation/group", {_STATUSES: [*whole, told("five")]})


@pytest.mark.requirement("DRA-VPG-14")
def test_a_new_group_has_no_status(proposals: Proposals) -> None:
    """What somebody says about the claims of a group that they create is not believed."""
    made = proposals.creation("validation/group", {})

    expect.absent(made, _STATUSES)


@pytest.mark.parametrize(
    "group",
    [
        pytest.param(
            {},
            id="group of a Pod without a name",
            marks=pytest.mark.requirement("DRA-VPG-15"),
        ),
        pytest.param(
            {"podGroupName": "not_a_subdomain"},
            id="group of a Pod of a name that no group has",
            marks=pytest.mark.requirement("DRA-VPG-16"),
        ),
    ],
)
def test_groups_of_a_pod_are_refused(proposals: Proposals, group: Object) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, "spec.schedulingGroup.podGroupName"):
        proposals.creation("validation/grouped_pod", {"spec.schedulingGroup": group})


@pytest.mark.requirement("DRA-VPG-17")
@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"spec.schedulingGroup.podGroupName": "other"}, id="another group"),
        pytest.param({"spec.schedulingGroup": DROP}, id="no group"),
    ],
)
def test_a_pod_stays_in_its_group(proposals: Proposals, change: Changes) -> None:
    """A Pod neither goes to another group nor leaves its own."""
    with expect.refused(422, "spec"):
        proposals.update("validation/grouped_pod", change)


@pytest.mark.requirement("DRA-VPG-18")
@pytest.mark.variant(gates={"DRAWorkloadResourceClaims": False})
def test_statuses_are_dropped_where_their_gate_is_off(proposals: Proposals) -> None:
    """Nobody is told of claims that a group cannot have."""
    with expect.accepted("a status, of which the claims are dropped"):
        written = proposals.status("validation/group", {})

    expect.absent(written, _STATUSES)

"""A valid Pod, changed in one place: what its status says of its claims."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import Changes
from conformance.harness.propose.proposals import Proposals
from conformance.kube.objects import Object

#: What the scheduler says of a claim for extended resources.
_MAPPING = {"containerName": "c", "resourceName": "dra.example/device", "requestName": "r"}
_EXTENDED = {"resourceClaimName": "claim-x", "requestMappings": [_MAPPING]}

#: What the kubelet says of a healthy device, and of what a claim takes of the node.
_HEALTHY = {"resourceID": "a", "health": "Healthy"}
_TAKEN = {"resourceClaimName": "claim-one"}


def _reporting(**fields: Any) -> Object:
    """Return the status of the container with a health report."""
    report = {"name": "claim:one", "resources": [_HEALTHY], **fields}
    status = {"name": "c", "image": "i", "imageID": "", "ready": False, "restartCount": 0}
    return {**status, "allocatedResourcesStatus": [report]}


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"status.resourceClaimStatuses": [{"name": "three", "resourceClaimName": "claim-1"}]},
            "status.resourceClaimStatuses[0].name",
            id="status of a claim which the Pod does not name",
            marks=pytest.mark.requirement("DRA-POD-18"),
        ),
        pytest.param(
            {"status.resourceClaimStatuses": [{"name": "one", "resourceClaimName": "Claim_1"}]},
            "status.resourceClaimStatuses[0].resourceClaimName",
            id="status of a claim by what is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-POD-19"),
        ),
        pytest.param(
            {"status.extendedResourceClaimStatus": {**_EXTENDED, "requestMappings": []}},
            "status.extendedResourceClaimStatus.requestMappings",
            id="extendedResourceClaimStatus without mappings",
            marks=pytest.mark.requirement("DRA-POD-20"),
        ),
        pytest.param(
            {"status.extendedResourceClaimStatus": {**_EXTENDED, "resourceClaimName": ""}},
            "status.extendedResourceClaimStatus.resourceClaimName",
            id="extendedResourceClaimStatus without a claim",
            marks=pytest.mark.requirement("DRA-POD-21"),
        ),
        pytest.param(
            {"status.extendedResourceClaimStatus": {**_EXTENDED, "resourceClaimName": "Claim_1"}},
            "status.extendedResourceClaimStatus.resourceClaimName",
            id="extendedResourceClaimStatus with a claim name that is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-POD-22"),
        ),
        pytest.param(
            {
                "status.extendedResourceClaimStatus": {
                    **_EXTENDED,
                    "requestMappings": [_MAPPING, _MAPPING],
                }
            },
            "status.extendedResourceClaimStatus.requestMappings[1]",
            id="extendedResourceClaimStatus with a mapping that stands twice",
            marks=pytest.mark.requirement("DRA-POD-23"),
        ),
        pytest.param(
            {
                "status.extendedResourceClaimStatus": {
                    **_EXTENDED,
                    "requestMappings": [{**_MAPPING, "requestName": "Request_1"}],
                }
            },
            "status.extendedResourceClaimStatus.requestName",
            id="extendedResourceClaimStatus with a request name that is no DNS label",
            marks=pytest.mark.requirement("DRA-POD-24"),
        ),
        pytest.param(
            {"status.containerStatuses": [_reporting(name="claim:two")]},
            "status.containerStatuses[0].allocatedResourcesStatus[0].name",
            id="health report about a claim which the container does not use",
            marks=pytest.mark.requirement("DRA-POD-25"),
        ),
        pytest.param(
            {"status.containerStatuses": [_reporting(name="dra.example/other")]},
            "status.containerStatuses[0].allocatedResourcesStatus[0].name",
            id="health report about a resource which the container does not request",
            marks=pytest.mark.requirement("DRA-POD-26"),
        ),
        pytest.param(
            {
                "status.containerStatuses": [
                    _reporting(resources=[{"resourceID": "a", "health": "Fine"}])
                ]
            },
            "status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].health",
            id="health report with an unknown health",
            marks=pytest.mark.requirement("DRA-POD-27"),
        ),
        pytest.param(
            {"status.containerStatuses": [_reporting(resources=[_HEALTHY, _HEALTHY])]},
            "status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID",
            id="two health reports about one device",
            marks=pytest.mark.requirement("DRA-POD-28"),
        ),
        pytest.param(
            {"status.containerStatuses": [_reporting(resources=[{**_HEALTHY, "message": ""}])]},
            "status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].message",
            id="health report with an empty message",
            marks=pytest.mark.requirement("DRA-POD-29"),
        ),
    ],
)
def test_what_a_status_says_of_claims_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.status("pods/pod", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {
                "status.containerStatuses": [
                    _reporting(resources=[{**_HEALTHY, "message": "m" * 1024}])
                ]
            },
            {
                "status.containerStatuses": [
                    _reporting(resources=[{**_HEALTHY, "message": "m" * 1025}])
                ]
            },
            "status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].message",
            id="message of a health report to 1024 characters",
            marks=pytest.mark.requirement("DRA-POD-30"),
        ),
    ],
)
def test_what_a_status_says_of_health_has_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.status("pods/pod", within)

    with expect.refused(422, at):
        proposals.status("pods/pod", beyond)


@pytest.mark.variant(gates={"DRANodeAllocatableResources": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {
                "status.nodeAllocatableResourceClaimStatuses": [
                    {**_TAKEN, "resourceClaimName": "claim-3"}
                ]
            },
            "status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName",
            id="resources of the node that are taken by a claim which the Pod does not name",
            marks=pytest.mark.requirement("DRA-POD-31"),
        ),
        pytest.param(
            {
                "status.nodeAllocatableResourceClaimStatuses": [
                    {**_TAKEN, "mapping": [{"name": "dra.example/x", "quantity": "1"}]}
                ]
            },
            "status.nodeAllocatableResourceClaimStatuses[0].mapping[0].name",
            id="resources of the node that a node does not have: as a mapping",
            marks=pytest.mark.requirement("DRA-POD-32"),
        ),
        pytest.param(
            {
                "status.nodeAllocatableResourceClaimStatuses": [
                    {**_TAKEN, "overhead": [{"name": "dra.example/x", "perPod": "1"}]}
                ]
            },
            "status.nodeAllocatableResourceClaimStatuses[0].overhead[0].name",
            id="resources of the node that a node does not have: as an overhead",
            marks=pytest.mark.requirement("DRA-POD-32"),
        ),
        pytest.param(
            {
                "status.nodeAllocatableResourceClaimStatuses": [
                    {**_TAKEN, "mapping": [{"name": "cpu", "quantity": "-1"}]}
                ]
            },
            "status.nodeAllocatableResourceClaimStatuses[0].mapping[0].quantity",
            id="negative quantity of a resource of the node that a claim takes",
            marks=pytest.mark.requirement("DRA-POD-33"),
        ),
        pytest.param(
            {
                "status.nodeAllocatableResourceClaimStatuses": [
                    {**_TAKEN, "overhead": [{"name": "cpu"}]}
                ]
            },
            "status.nodeAllocatableResourceClaimStatuses[0].overhead[0]",
            id="overhead without an amount in the status of a Pod",
            marks=pytest.mark.requirement("DRA-POD-34"),
        ),
        pytest.param(
            {
                "status.nodeAllocatableResourceClaimStatuses": [
                    {**_TAKEN, "overhead": [{"name": "cpu", "perPod": "-1"}]}
                ]
            },
            "status.nodeAllocatableResourceClaimStatuses[0].overhead[0].perPod",
            id="negative overhead of the Pod in its status",
            marks=pytest.mark.requirement("DRA-POD-35"),
        ),
        pytest.param(
            {
                "status.nodeAllocatableResourceClaimStatuses": [
                    {**_TAKEN, "overhead": [{"name": "cpu", "perContainer": "-1"}]}
                ]
            },
            "status.nodeAllocatableResourceClaimStatuses[0].overhead[0].perContainer",
            id="negative overhead of each container in the status of a Pod",
            marks=pytest.mark.requirement("DRA-POD-36"),
        ),
    ],
)
def test_what_a_status_says_of_the_node_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.status("pods/pod", changes)

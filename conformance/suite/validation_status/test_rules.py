"""A valid object, changed in one place: the status of a claim."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    HOST,
    addresses,
    condition,
    device,
    opaque,
    pod,
    result,
    selecting,
    times,
    weighing,
)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"status.allocation.devices.results": [result(request="three")]},
            "status.allocation.devices.results[0].request",
            id="allocation for a request that does not exist",
            marks=pytest.mark.requirement("DRA-VST-01"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(driver=DROP)]},
            "status.allocation.devices.results[0].driver",
            id="allocated device without a driver",
            marks=pytest.mark.requirement("DRA-VST-02"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(pool=DROP)]},
            "status.allocation.devices.results[0].pool",
            id="allocated device without a pool",
            marks=pytest.mark.requirement("DRA-VST-03"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(device="Device_1")]},
            "status.allocation.devices.results[0].device",
            id="allocated device whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-VST-04"),
        ),
        pytest.param(
            {"status.allocation.nodeSelector": {"nodeSelectorTerms": []}},
            "status.allocation.nodeSelector.nodeSelectorTerms",
            id="allocation whose node selector has no term",
            marks=pytest.mark.requirement("DRA-VST-06"),
        ),
        pytest.param(
            {"status.allocation.devices.config": [opaque()]},
            "status.allocation.devices.config[0].source",
            id="configuration of an allocation without a source",
            marks=pytest.mark.requirement("DRA-VST-07"),
        ),
        pytest.param(
            {"status.allocation.devices.config": [opaque(source="FromPod")]},
            "status.allocation.devices.config[0].source",
            id="configuration of an allocation from an unknown source",
            marks=pytest.mark.requirement("DRA-VST-08"),
        ),
        pytest.param(
            {"status.allocation.devices.config": [opaque(source="FromClaim", requests=["three"])]},
            "status.allocation.devices.config[0].requests[0]",
            id="configuration of an allocation for a request that does not exist",
            marks=pytest.mark.requirement("DRA-VST-09"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(shareID="share-1")]},
            "status.allocation.devices.results[0].shareID",
            id="share of a device whose id is no UUID in lower case: a word",
            marks=pytest.mark.requirement("DRA-VST-11"),
        ),
        pytest.param(
            {
                "status.allocation.devices.results": [
                    result(shareID="0F7B6D7E-0C8A-4F1E-9B2A-0D6A1C2B3E4F")
                ]
            },
            "status.allocation.devices.results[0].shareID",
            id="share of a device whose id is no UUID in lower case: capitals",
            marks=pytest.mark.requirement("DRA-VST-11"),
        ),
        pytest.param(
            {"status.allocation": DROP, "status.reservedFor": [pod()]},
            "status.reservedFor",
            id="reservation without an allocation",
            marks=pytest.mark.requirement("DRA-VST-12"),
        ),
        pytest.param(
            {"status.reservedFor": [pod(resource=DROP)]},
            "status.reservedFor[0].resource",
            id="reservation for a consumer without a resource",
            marks=pytest.mark.requirement("DRA-VST-13"),
        ),
        pytest.param(
            {"status.reservedFor": [pod(name=DROP)]},
            "status.reservedFor[0].name",
            id="reservation for a consumer without a name",
            marks=pytest.mark.requirement("DRA-VST-14"),
        ),
        pytest.param(
            {"status.reservedFor": [pod(uid=DROP)]},
            "status.reservedFor[0].uid",
            id="reservation for a consumer without a UID",
            marks=pytest.mark.requirement("DRA-VST-15"),
        ),
        pytest.param(
            {"status.reservedFor": [pod(), pod(name="other")]},
            "status.reservedFor[1]",
            id="two reservations for one UID",
            marks=pytest.mark.requirement("DRA-VST-16"),
        ),
        pytest.param(
            {"status.devices": [device(device="device-2")]},
            "status.devices[0]",
            id="status of a device that is not allocated to the claim",
            marks=pytest.mark.requirement("DRA-VST-18"),
        ),
        pytest.param(
            {"status.devices": [device(), device()]},
            "status.devices[1]",
            id="status of one device twice",
            marks=pytest.mark.requirement("DRA-VST-19"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=[condition("Ready"), condition("Ready")])]},
            "status.devices[0].conditions[1]",
            id="two conditions of one type of an allocated device",
            marks=pytest.mark.requirement("DRA-VST-21"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=[condition("Ready", status="Maybe")])]},
            "status.devices[0].conditions[0].status",
            id="condition of an allocated device with an unknown status",
            marks=pytest.mark.requirement("DRA-VST-22"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=[condition("Ready", reason="")])]},
            "status.devices[0].conditions[0].reason",
            id="condition of an allocated device without a reason",
            marks=pytest.mark.requirement("DRA-VST-23"),
        ),
        pytest.param(
            {"status.devices": [device(data=[1])]},
            "status.devices[0].data",
            id="data of an allocated device that is no JSON object",
            marks=pytest.mark.requirement("DRA-VST-24"),
        ),
        pytest.param(
            {"status.devices": [device(networkData={"ips": ["10.9.8.7"]})]},
            "status.devices[0].networkData.ips[0]",
            id="address that is no canonical CIDR: no prefix length",
            marks=pytest.mark.requirement("DRA-VST-29"),
        ),
        pytest.param(
            {"status.devices": [device(networkData={"ips": ["10.009.8.7/24"]})]},
            "status.devices[0].networkData.ips[0]",
            id="address that is no canonical CIDR: leading zeros",
            marks=pytest.mark.requirement("DRA-VST-29"),
        ),
        pytest.param(
            {"status.devices": [device(networkData={"ips": ["2001:db8:0:0::1/64"]})]},
            "status.devices[0].networkData.ips[0]",
            id="address that is no canonical CIDR: a long spelling of IPv6",
            marks=pytest.mark.requirement("DRA-VST-29"),
        ),
        pytest.param(
            {"status.devices": [device(networkData={"ips": ["eth0"]})]},
            "status.devices[0].networkData.ips[0]",
            id="address that is no canonical CIDR: no address",
            marks=pytest.mark.requirement("DRA-VST-29"),
        ),
        pytest.param(
            {"status.devices": [device(networkData={"ips": ["10.9.8.7/24", "10.9.8.7/24"]})]},
            "status.devices[0].networkData.ips[1]",
            id="address of a network device twice",
            marks=pytest.mark.requirement("DRA-VST-30"),
        ),
    ],
)
def test_the_status_of_a_claim_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.status("validation/claim", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"status.allocation.devices.results": times(32, **result(device="device-{n}"))},
            {"status.allocation.devices.results": times(33, **result(device="device-{n}"))},
            "status.allocation.devices.results",
            id="allocated devices of a claim to 32",
            marks=pytest.mark.requirement("DRA-VST-05"),
        ),
        pytest.param(
            {"status.allocation.devices.config": [opaque(source="FromClaim")] * 64},
            {"status.allocation.devices.config": [opaque(source="FromClaim")] * 65},
            "status.allocation.devices.config",
            id="configurations of an allocation to 64",
            marks=pytest.mark.requirement("DRA-VST-10"),
        ),
        pytest.param(
            {"status.reservedFor": times(256, **pod(name="pod-{n}", uid="uid-{n}"))},
            {"status.reservedFor": times(257, **pod(name="pod-{n}", uid="uid-{n}"))},
            "status.reservedFor",
            id="reservations of a claim to 256",
            marks=pytest.mark.requirement("DRA-VST-17"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=times(8, **condition("Type-{n}")))]},
            {"status.devices": [device(conditions=times(9, **condition("Type-{n}")))]},
            "status.devices[0].conditions",
            id="conditions of an allocated device to 8",
            marks=pytest.mark.requirement("DRA-VST-20"),
        ),
        pytest.param(
            {"status.devices": [device(data=weighing(10 * 1024 - 1))]},
            {"status.devices": [device(data=weighing(10 * 1024 + 1))]},
            "status.devices[0].data",
            id="data of an allocated device to 10 KiB",
            marks=pytest.mark.requirement("DRA-VST-25"),
        ),
        pytest.param(
            {"status.devices": [device(networkData={"interfaceName": "i" * 256})]},
            {"status.devices": [device(networkData={"interfaceName": "i" * 257})]},
            "status.devices[0].networkData.interfaceName",
            id="name of a network interface to 256 characters",
            marks=pytest.mark.requirement("DRA-VST-26"),
        ),
        pytest.param(
            {"status.devices": [device(networkData={"hardwareAddress": "a" * 128})]},
            {"status.devices": [device(networkData={"hardwareAddress": "a" * 129})]},
            "status.devices[0].networkData.hardwareAddress",
            id="hardware address to 128 characters",
            marks=pytest.mark.requirement("DRA-VST-27"),
        ),
        pytest.param(
            {"status.devices": [device(networkData={"ips": addresses(16)})]},
            {"status.devices": [device(networkData={"ips": addresses(17)})]},
            "status.devices[0].networkData.ips",
            id="addresses of a network device to 16",
            marks=pytest.mark.requirement("DRA-VST-28"),
        ),
    ],
)
def test_the_status_of_a_claim_has_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.status("validation/claim", within)

    with expect.refused(422, at):
        proposals.status("validation/claim", beyond)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"status.allocation.devices.results[0].device": "device-2"},
            "status.allocation",
            id="change of an allocation: another device",
            marks=pytest.mark.requirement("DRA-VST-31"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(), result(device="device-2")]},
            "status.allocation",
            id="change of an allocation: one device more",
            marks=pytest.mark.requirement("DRA-VST-31"),
        ),
        pytest.param(
            {"status.allocation.nodeSelector": selecting(HOST)},
            "status.allocation",
            id="change of an allocation: a node selector",
            marks=pytest.mark.requirement("DRA-VST-31"),
        ),
        pytest.param(
            {"status.allocation": DROP},
            "status.reservedFor",
            id="taking away the allocation of a claim that is reserved",
            marks=pytest.mark.requirement("DRA-VST-32"),
        ),
    ],
)
def test_the_status_of_an_allocated_claim_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.later_status("validation/reserved", changes)

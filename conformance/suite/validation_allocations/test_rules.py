"""A valid object, changed in one place: the allocation of a claim."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    HOST,
    dotted,
    opaque,
    result,
    selecting,
    slashed,
    texts,
    weighing,
)

_FAILED = ["failed"]


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"status.allocation.devices.results": [result(driver="not_a_subdomain")]},
            "status.allocation.devices.results[0].driver",
            id="allocated device of a driver whose name is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VAT-01"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(pool="rack-1/Node_1")]},
            "status.allocation.devices.results[0].pool",
            id="allocated device of a pool whose name has a part that is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VAT-02"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(bindingConditions=["ready"])]},
            "status.allocation.devices.results[0].bindingFailureConditions",
            id="allocated device with binding conditions and without binding failure conditions",
            marks=pytest.mark.requirement("DRA-VAT-03"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(bindingFailureConditions=_FAILED)]},
            "status.allocation.devices.results[0].bindingConditions",
            id="allocated device with binding failure conditions and without binding conditions",
            marks=pytest.mark.requirement("DRA-VAT-04"),
        ),
        pytest.param(
            {
                "status.allocation.devices.results": [
                    result(bindingConditions=["not a key"], bindingFailureConditions=_FAILED)
                ]
            },
            "status.allocation.devices.results[0].bindingConditions[0]",
            id="binding condition of an allocated device whose name is no label key",
            marks=pytest.mark.requirement("DRA-VAT-05"),
        ),
        pytest.param(
            {
                "status.allocation.devices.results": [
                    result(tolerations=[{"key": "dra.example/bad", "operator": "Maybe"}])
                ]
            },
            "status.allocation.devices.results[0].tolerations[0].operator",
            id="toleration of an allocated device with an unknown operator",
            marks=pytest.mark.requirement("DRA-VAT-06"),
        ),
        pytest.param(
            {"status.allocation.nodeSelector": selecting({**HOST, "operator": "Like"})},
            "status.allocation.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].operator",
            id="node selector of an allocation with an unknown operator",
            marks=pytest.mark.requirement("DRA-VAT-07"),
        ),
        pytest.param(
            {
                "status.allocation.devices.config": [
                    opaque(source="FromClaim", requests=["one", "one"])
                ]
            },
            "status.allocation.devices.config[0].requests[1]",
            id="configuration of an allocation that names a request twice",
            marks=pytest.mark.requirement("DRA-VAT-08"),
        ),
        pytest.param(
            {"status.allocation.devices.config": [{"source": "FromClass"}]},
            "status.allocation.devices.config[0].opaque",
            id="configuration of an allocation without parameters for a driver",
            marks=pytest.mark.requirement("DRA-VAT-09"),
        ),
        pytest.param(
            {"status.allocation.devices.config": [opaque(driver=DROP, source="FromClaim")]},
            "status.allocation.devices.config[0].opaque.driver",
            id="opaque parameters of an allocation without a driver",
            marks=pytest.mark.requirement("DRA-VAT-10"),
        ),
        pytest.param(
            {"status.allocation.devices.config": [opaque(parameters=[1], source="FromClaim")]},
            "status.allocation.devices.config[0].opaque.parameters",
            id="opaque parameters of an allocation that are no JSON object",
            marks=pytest.mark.requirement("DRA-VAT-11"),
        ),
    ],
)
def test_an_allocation_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.status("validation/claim", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"status.allocation.devices.results": [result(driver=dotted(63))]},
            {"status.allocation.devices.results": [result(driver=dotted(64))]},
            "status.allocation.devices.results[0].driver",
            id="driver name of an allocated device to 63 characters",
            marks=pytest.mark.requirement("DRA-VAT-12"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(pool=slashed(253))]},
            {"status.allocation.devices.results": [result(pool=slashed(254))]},
            "status.allocation.devices.results[0].pool",
            id="pool name of an allocated device to 253 characters",
            marks=pytest.mark.requirement("DRA-VAT-13"),
        ),
        pytest.param(
            {
                "status.allocation.devices.results": [
                    result(bindingConditions=texts(4), bindingFailureConditions=_FAILED)
                ]
            },
            {
                "status.allocation.devices.results": [
                    result(bindingConditions=texts(5), bindingFailureConditions=_FAILED)
                ]
            },
            "status.allocation.devices.results[0].bindingConditions",
            id="binding conditions of an allocated device to 4",
            marks=pytest.mark.requirement("DRA-VAT-14"),
        ),
        pytest.param(
            {
                "status.allocation.devices.results": [
                    result(bindingConditions=["ready"], bindingFailureConditions=texts(4))
                ]
            },
            {
                "status.allocation.devices.results": [
                    result(bindingConditions=["ready"], bindingFailureConditions=texts(5))
                ]
            },
            "status.allocation.devices.results[0].bindingFailureConditions",
            id="binding failure conditions of an allocated device to 4",
            marks=pytest.mark.requirement("DRA-VAT-15"),
        ),
        pytest.param(
            {
                "status.allocation.devices.config": [
                    opaque(parameters=weighing(10 * 1024 - 1), source="FromClaim")
                ]
            },
            {
                "status.allocation.devices.config": [
                    opaque(parameters=weighing(10 * 1024 + 1), source="FromClaim")
                ]
            },
            "status.allocation.devices.config[0].opaque.parameters",
            id="opaque parameters of an allocation to 10 KiB",
            marks=pytest.mark.requirement("DRA-VAT-16"),
        ),
    ],
)
def test_an_allocation_has_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.status("validation/claim", within)

    with expect.refused(422, at):
        proposals.status("validation/claim", beyond)


@pytest.mark.variant(gates={"DRAOptionalNodeOperations": True})
@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"status.allocation.devices.results": [result(skipNodeOperations=["NodeRestart"])]},
            "status.allocation.devices.results[0].skipNodeOperations[0]",
            id="unknown operation among those that an allocated device skips",
            marks=pytest.mark.requirement("DRA-VAT-17"),
        ),
        pytest.param(
            {"status.allocation.devices.results": [result(skipNodeOperations=["*", "*"])]},
            "status.allocation.devices.results[0].skipNodeOperations[1]",
            id="operation that an allocated device skips twice",
            marks=pytest.mark.requirement("DRA-VAT-18"),
        ),
        pytest.param(
            {
                "status.allocation.devices.results": [
                    result(skipNodeOperations=["NodePrepareResources"])
                ]
            },
            "status.allocation.devices.results[0].skipNodeOperations",
            id="allocated device that skips NodePrepareResources and not NodeUnprepareResources",
            marks=pytest.mark.requirement("DRA-VAT-19"),
        ),
    ],
)
def test_skipping_of_operations_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.status("validation/claim", changes)

"""A valid object, changed in one place: conditions of an allocated device."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    condition,
    device,
)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"status.devices": [device(conditions=[condition("")])]},
            "status.devices[0].conditions[0].type",
            id="condition of an allocated device without a type",
            marks=pytest.mark.requirement("DRA-VST-33"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=[condition("not a key")])]},
            "status.devices[0].conditions[0].type",
            id="condition of an allocated device whose type is no label key",
            marks=pytest.mark.requirement("DRA-VST-34"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=[condition("Ready", lastTransitionTime=None)])]},
            "status.devices[0].conditions[0].lastTransitionTime",
            id="condition of an allocated device without the time of its last change",
            marks=pytest.mark.requirement("DRA-VST-35"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=[condition("Ready", status="")])]},
            "status.devices[0].conditions[0].status",
            id="condition of an allocated device without a status",
            marks=pytest.mark.requirement("DRA-VST-36"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=[condition("Ready", reason="not a reason")])]},
            "status.devices[0].conditions[0].reason",
            id="condition of an allocated device whose reason is not one word",
            marks=pytest.mark.requirement("DRA-VST-37"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=[condition("Ready", observedGeneration=-1)])]},
            "status.devices[0].conditions[0].observedGeneration",
            id="condition of an allocated device with a negative observedGeneration",
            marks=pytest.mark.requirement("DRA-VST-38"),
        ),
        pytest.param(
            {"status.devices": [device(shareID="share-1")]},
            "status.devices[0].shareID",
            id="share in the status of a device whose id is no UUID",
            marks=pytest.mark.requirement("DRA-VST-39"),
        ),
    ],
)
def test_a_condition_of_a_device_is_refused(
    proposals: Proposals, changes: Changes, at: str
) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.status("validation/claim", changes)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"status.devices": [device(conditions=[condition("Ready", reason="R" * 1024)])]},
            {"status.devices": [device(conditions=[condition("Ready", reason="R" * 1025)])]},
            "status.devices[0].conditions[0].reason",
            id="reason of a condition to 1024 characters",
            marks=pytest.mark.requirement("DRA-VST-40"),
        ),
        pytest.param(
            {"status.devices": [device(conditions=[condition("Ready", message="m" * 32768)])]},
            {"status.devices": [device(conditions=[condition("Ready", message="m" * 32769)])]},
            "status.devices[0].conditions[0].message",
            id="message of a condition to 32 KiB",
            marks=pytest.mark.requirement("DRA-VST-41"),
        ),
    ],
)
def test_a_condition_of_a_device_has_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.status("validation/claim", within)

    with expect.refused(422, at):
        proposals.status("validation/claim", beyond)

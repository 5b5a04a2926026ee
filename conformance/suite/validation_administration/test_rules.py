"""A valid object, changed in one place: DeviceClasses and DeviceTaintRules."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.propose.changes import DROP, Changes
from conformance.harness.propose.proposals import Proposals
from conformance.harness.propose.values import (
    SELECTOR,
    opaque,
    selector,
)


@pytest.mark.parametrize(
    ("within", "beyond", "at"),
    [
        pytest.param(
            {"spec.selectors": [SELECTOR] * 32},
            {"spec.selectors": [SELECTOR] * 33},
            "spec.selectors",
            id="selectors of a DeviceClass to 32",
            marks=pytest.mark.requirement("DRA-VAD-01"),
        ),
        pytest.param(
            {"spec.config": [opaque()] * 32},
            {"spec.config": [opaque()] * 33},
            "spec.config",
            id="configurations of a DeviceClass to 32",
            marks=pytest.mark.requirement("DRA-VAD-04"),
        ),
    ],
)
def test_a_deviceclass_has_limits(
    proposals: Proposals, within: Changes, beyond: Changes, at: str
) -> None:
    """As much as is allowed is accepted, and one more is refused in its place."""
    with expect.accepted("what is just within the limit"):
        proposals.creation("validation/class", within)

    with expect.refused(422, at):
        proposals.creation("validation/class", beyond)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.selectors": [{}]},
            "spec.selectors[0].cel",
            id="selector of a DeviceClass without an expression language",
            marks=pytest.mark.requirement("DRA-VAD-02"),
        ),
        pytest.param(
            {"spec.selectors": [selector("(true")]},
            "spec.selectors[0].cel.expression",
            id="expression of a DeviceClass that does not compile: not CEL",
            marks=pytest.mark.requirement("DRA-VAD-03"),
        ),
        pytest.param(
            {"spec.selectors": [selector("1")]},
            "spec.selectors[0].cel.expression",
            id="expression of a DeviceClass that does not compile: no bool",
            marks=pytest.mark.requirement("DRA-VAD-03"),
        ),
        pytest.param(
            {"spec.config": [{}]},
            "spec.config[0].opaque",
            id="configuration of a DeviceClass without parameters for a driver",
            marks=pytest.mark.requirement("DRA-VAD-05"),
        ),
        pytest.param(
            {"spec.extendedResourceName": "gpu"},
            "spec.extendedResourceName",
            id="extended resource name: no domain",
            marks=pytest.mark.requirement("DRA-VAD-06"),
        ),
        pytest.param(
            {"spec.extendedResourceName": "kubernetes.io/gpu"},
            "spec.extendedResourceName",
            id="extended resource name: the domain of Kubernetes",
            marks=pytest.mark.requirement("DRA-VAD-06"),
        ),
        pytest.param(
            {"spec.extendedResourceName": "requests.example.com/gpu"},
            "spec.extendedResourceName",
            id="extended resource name: a name of quotas",
            marks=pytest.mark.requirement("DRA-VAD-06"),
        ),
    ],
)
def test_a_deviceclass_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/class", changes)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        pytest.param(
            {"spec.taint.effect": DROP},
            "spec.taint.effect",
            id="DeviceTaintRule whose taint has no effect",
            marks=pytest.mark.requirement("DRA-VAD-07"),
        ),
        pytest.param(
            {"spec.taint.effect": "Never"},
            "spec.taint.effect",
            id="DeviceTaintRule whose taint has an unknown effect",
            marks=pytest.mark.requirement("DRA-VAD-08"),
        ),
        pytest.param(
            {"spec.taint.key": "not a key"},
            "spec.taint.key",
            id="DeviceTaintRule whose taint has a key that is no label key",
            marks=pytest.mark.requirement("DRA-VAD-09"),
        ),
        pytest.param(
            {"spec.deviceSelector.driver": "not_valid"},
            "spec.deviceSelector.driver",
            id="DeviceTaintRule for a driver whose name is no DNS subdomain",
            marks=pytest.mark.requirement("DRA-VAD-10"),
        ),
        pytest.param(
            {"spec.deviceSelector.pool": "Not_Valid"},
            "spec.deviceSelector.pool",
            id="DeviceTaintRule for a pool whose name is none",
            marks=pytest.mark.requirement("DRA-VAD-11"),
        ),
        pytest.param(
            {"spec.deviceSelector.device": "Device_1"},
            "spec.deviceSelector.device",
            id="DeviceTaintRule for a device whose name is no DNS label",
            marks=pytest.mark.requirement("DRA-VAD-12"),
        ),
    ],
)
def test_a_devicetaintrule_is_refused(proposals: Proposals, changes: Changes, at: str) -> None:
    """One place breaks a rule: the write is refused, and the answer names the place."""
    with expect.refused(422, at):
        proposals.creation("validation/rule", changes)

"""Gates, their defaults and what they need."""

from __future__ import annotations

import pytest

from conformance.dra.features import GATES, NEEDS, VERSIONS, FeatureError, Features


@pytest.mark.parametrize(
    ("gate", "on"),
    [
        pytest.param("DynamicResourceAllocation", (True, True, True, True), id="core"),
        pytest.param("DRADeviceBindingConditions", (False, False, True, True), id="binding"),
        pytest.param("DRAResourceClaimDeviceStatus", (True, True, True, True), id="status"),
        pytest.param("DRADeviceTaintRules", (False, False, False, True), id="rules"),
        pytest.param("DRAFractionalCapacityRange", (False, False, False, False), id="fractional"),
        pytest.param("DRAResourcePoolStatus", (False, False, False, False), id="pool status"),
        pytest.param("ResourceHealthStatus", (False, False, True, True), id="health"),
        pytest.param("DRAWorkloadResourceClaims", (False, False, False, False), id="beta and off"),
    ],
)
def test_defaults_of_every_minor(gate: str, on: tuple[bool, ...]) -> None:
    assert tuple(Features(version=version).enabled(gate) for version in VERSIONS) == on


def test_a_gate_that_is_set_counts() -> None:
    assert Features(gates={"DRAResourcePoolStatus": True}).enabled("DRAResourcePoolStatus")
    assert not Features(gates={"DRAConsumableCapacity": False}).enabled("DRAConsumableCapacity")


@pytest.mark.parametrize(
    ("version", "gates", "message"),
    [
        pytest.param("1.33", {}, "unknown Kubernetes version '1.33'", id="version"),
        pytest.param(
            "1.37",
            {"DRADeviceBindingCondition": True},
            "did you mean DRADeviceBindingConditions",
            id="typing error",
        ),
        pytest.param("1.37", {"zzz": True}, "unknown feature gate 'zzz'$", id="nothing near"),
        pytest.param("1.37", {"DRAAdminAccess": False}, "is locked to true in 1.37", id="locked"),
        pytest.param(
            "1.34", {"DRAResourcePoolStatus": True}, "exists from Kubernetes 1.36 on", id="too new"
        ),
        pytest.param(
            "1.37",
            {"DRAPartitionableDevicesType": True},
            "needs DRAResourcePoolStatus, which is off",
            id="a gate that it needs is off",
        ),
    ],
)
def test_what_is_refused(version: str, gates: dict[str, bool], message: str) -> None:
    with pytest.raises(FeatureError, match=message):
        Features(version=version, gates=gates)


def test_a_locked_gate_may_be_set_to_what_it_is() -> None:
    assert Features(gates={"DRAAdminAccess": True}).enabled("DRAAdminAccess")


def test_asking_for_an_unknown_gate_is_an_error() -> None:
    with pytest.raises(FeatureError, match="unknown feature gate"):
        Features().enabled("Nope")


def test_what_gates_need_are_gates() -> None:
    assert {needed for all_needed in NEEDS.values() for needed in all_needed} <= set(GATES)
    assert set(NEEDS) <= set(GATES)

"""Feature gates of DRA, with their defaults in each Kubernetes minor.

Source: ``pkg/features/kube_features.go`` of Kubernetes 1.37.2 (stages and dependencies).
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from enum import StrEnum

import attrs

#: The minors that are known, oldest first.
VERSIONS = ("1.34", "1.35", "1.36", "1.37")


class FeatureError(ValueError):
    """A version or gate is unknown, locked, or set without a gate that it needs."""


class Stage(StrEnum):
    """How mature a feature is."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "ga"


@attrs.frozen
class Step:
    """What a gate is from one minor on."""

    minor: int
    stage: Stage
    default: bool
    locked: bool = False


def _alpha(minor: int) -> Step:
    return Step(minor, Stage.ALPHA, default=False)


def _beta(minor: int, *, on: bool = True) -> Step:
    return Step(minor, Stage.BETA, default=on)


def _ga(minor: int, *, locked: bool = True) -> Step:
    return Step(minor, Stage.GA, default=True, locked=locked)


#: Every gate with its steps, in the order of minors.
GATES: Mapping[str, tuple[Step, ...]] = {
    "DynamicResourceAllocation": (_ga(34, locked=False), _ga(35)),
    "DRAAdminAccess": (_beta(34), _ga(36)),
    "DRAConsumableCapacity": (_alpha(34), _beta(36)),
    "DRADerivedAttributes": (_alpha(37),),
    "DRADeviceBindingConditions": (_alpha(34), _beta(36)),
    "DRADeviceCompatibilityGroups": (_alpha(37),),
    "DRADeviceTaintRules": (_alpha(35), _beta(36, on=False), _ga(37, locked=False)),
    "DRADeviceTaints": (_alpha(33), _beta(36), _ga(37, locked=False)),
    "DRAExtendedResource": (_alpha(34), _beta(36), _ga(37)),
    # On only with --min-compatibility-version 1.37 or newer, which is not the default.
    "DRAFractionalCapacityRange": (_beta(37, on=False),),
    "DRAListTypeAttributes": (_alpha(36),),
    "DRANodeAllocatableResources": (_alpha(36),),
    "DRAOptionalNodeOperations": (_alpha(37),),
    "DRAPartitionableDevices": (_alpha(33), _beta(36)),
    "DRAPartitionableDevicesType": (_alpha(37),),
    "DRAPrioritizedList": (_beta(34), _ga(36, locked=False), _ga(37)),
    "DRAResourceClaimDeviceStatus": (_beta(33), _ga(37)),
    "DRAResourceClaimGranularStatusAuthorization": (_beta(36),),
    "DRAResourcePoolStatus": (_alpha(36),),
    "DRASchedulerFilterTimeout": (_beta(34),),
    "DRAWorkloadResourceClaims": (_alpha(36), _beta(37, on=False)),
    "GenericWorkload": (_alpha(35), _beta(37, on=False)),
    "KubeletPodResourcesDynamicResources": (_beta(34), _ga(36)),
    "KubeletPodResourcesGet": (_beta(34), _ga(36)),
    "ResourceHealthStatus": (_alpha(31), _beta(36)),
    "ResourceHealthStatusMessage": (_beta(36),),
}

#: Gates that must be on for another one to be.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "DRADeviceBindingConditions": ("DRAResourceClaimDeviceStatus",),
    "DRADeviceCompatibilityGroups": ("DRAPartitionableDevices",),
    "DRADeviceTaintRules": ("DRADeviceTaints",),
    "DRAFractionalCapacityRange": ("DRAConsumableCapacity",),
    "DRAPartitionableDevicesType": ("DRAPartitionableDevices", "DRAResourcePoolStatus"),
    "DRAResourceClaimGranularStatusAuthorization": ("DRAResourceClaimDeviceStatus",),
    "DRAWorkloadResourceClaims": ("GenericWorkload",),
}


#: The minor from which on PodGroups are served as scheduling.k8s.io/v1beta1, and DeviceTaintRules
#: as resource.k8s.io/v1.
_WATCHED = 37


def _version(_features: object, _field: object, value: str) -> None:
    if value not in VERSIONS:
        known = ", ".join(VERSIONS)
        raise FeatureError(f"unknown Kubernetes version {value!r}: known are {known}")


@attrs.frozen(kw_only=True)
class Features:
    """A Kubernetes minor, and the gates that differ from its defaults.

    Construction raises ``FeatureError`` for an unknown version or gate (the nearest name is
    suggested), for a gate that is locked to another value, and for a gate that is set to true
    while one that it needs is off.
    """

    version: str = attrs.field(default=VERSIONS[-1], validator=_version)
    gates: Mapping[str, bool] = attrs.field(factory=dict[str, bool], converter=dict[str, bool])
    #: What ``--runtime-config`` says of API versions (see ``versions.serving``).
    runtime_config: Mapping[str, bool] = attrs.field(factory=dict[str, bool])
    #: Answers of ``enabled`` so far; neither version nor gates ever change.
    _answers: dict[str, bool] = attrs.field(
        init=False, factory=dict[str, bool], eq=False, repr=False
    )

    def __attrs_post_init__(self) -> None:
        for gate, on in self.gates.items():
            step = self.step(gate)
            if step.locked and on != step.default:
                wanted = str(step.default).lower()
                raise FeatureError(f"feature gate {gate} is locked to {wanted} in {self.version}")
        for gate, on in self.gates.items():
            if on:
                self._check_needs(gate)

    def step(self, gate: str) -> Step:
        """Return what the gate is in this version; raises ``FeatureError``."""
        if gate not in GATES:
            near = difflib.get_close_matches(gate, GATES, n=1, cutoff=0.4)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise FeatureError(f"unknown feature gate {gate!r}{hint}")
        steps = [step for step in GATES[gate] if step.minor <= self._minor]
        if not steps:
            first = GATES[gate][0].minor
            raise FeatureError(
                f"feature gate {gate} exists from Kubernetes 1.{first} on, not in {self.version}"
            )
        return steps[-1]

    def enabled(self, gate: str) -> bool:
        """Return whether the gate is on; false where this version does not know it yet.

        Raises ``FeatureError`` for a name that no version knows. As in Kubernetes, a gate that
        is on by default stays on when one that it needs is switched off: the rules that need
        both ask for both.
        """
        known = self._answers.get(gate)
        if known is None:
            known = self._answers[gate] = self._decide(gate)
        return known

    @property
    def groups_pods(self) -> bool:
        """Return whether there are PodGroups, whose one version known here came in 1.37."""
        return self.enabled("GenericWorkload") and self._minor >= _WATCHED

    @property
    def heeds_rules(self) -> bool:
        """Return whether rules taint devices: those that are asked for as v1, which 1.37 has."""
        gates = ("DRADeviceTaints", "DRADeviceTaintRules")
        return all(map(self.enabled, gates)) and self._minor >= _WATCHED

    @property
    def _minor(self) -> int:
        return int(self.version.partition(".")[2])

    def _decide(self, gate: str) -> bool:
        if gate in self.gates:
            return self.gates[gate]
        if gate in GATES and GATES[gate][0].minor > self._minor:
            return False
        return self.step(gate).default

    def _check_needs(self, gate: str) -> None:
        for needed in NEEDS.get(gate, ()):
            if not self.enabled(needed):
                raise FeatureError(f"feature gate {gate} needs {needed}, which is off")

"""What a caller wants of a cluster: a value, decided before anything is started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from conformance.upstream import errors

#: The DRA gates of Kubernetes 1.37.2 that are off unless asked for, as its components' --help
#: prints them. GenericWorkload is what DRAWorkloadResourceClaims builds on; for
#: DRAFractionalCapacityRange --help says on, but only with --min-compatibility-version 1.37.
GATES_OFF_BY_DEFAULT = (
    "DRADerivedAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAFractionalCapacityRange",
    "DRAListTypeAttributes",
    "DRANodeAllocatableResources",
    "DRAOptionalNodeOperations",
    "DRAPartitionableDevicesType",
    "DRAResourcePoolStatus",
    "DRAWorkloadResourceClaims",
    "GenericWorkload",
)

COMPONENTS = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kubelet",
)


def _known_components(_plan: Any, _attribute: Any, value: Mapping[str, Sequence[str]]) -> None:
    for name in value:
        if name not in COMPONENTS:
            raise errors.UnusableError(
                f"unknown component {name!r}: one of {', '.join(COMPONENTS)}"
            )


def _not_negative(_plan: Any, attribute: Any, value: int) -> None:
    if not 0 <= value <= 250:
        raise errors.UnusableError(f"{attribute.name} must be between 0 and 250, not {value}")


@frozen(kw_only=True)
class Plan:
    """A cluster to be: gates, scheduler configuration, nodes."""

    #: feature gate -> on or off, for every component; wins over ``alpha``
    gates: Mapping[str, bool] = field(factory=dict[str, bool])
    #: turn on :data:`GATES_OFF_BY_DEFAULT` and serve every API version
    alpha: bool = False
    #: ``pluginConfig`` arguments of the scheduler's DynamicResources plugin, for instance
    #: ``{"bindingTimeout": "30s"}``
    scheduler_config: Mapping[str, Any] = field(factory=dict[str, Any])
    #: Node objects without a kubelet, ready and with allocatable resources
    bare_nodes: int = field(default=2, validator=_not_negative)
    #: nodes with a kubelet and containerd of their own (root is needed)
    kubelet_nodes: int = field(default=0, validator=_not_negative)
    #: component -> further command line arguments
    extra_args: Mapping[str, Sequence[str]] = field(
        factory=dict[str, Sequence[str]], validator=_known_components
    )

    def feature_gates(self) -> dict[str, bool]:
        """Return every gate that this plan sets, sorted by name."""
        alpha = dict.fromkeys(GATES_OFF_BY_DEFAULT, True) if self.alpha else {}
        return dict(sorted({**alpha, **self.gates}.items()))

    def serves_all_versions(self) -> bool:
        """Say whether the API server must serve its alpha and beta versions too.

        The gate alone does not do: DRAResourcePoolStatus adds a kind to v1alpha3, which is not
        served by default.
        """
        return any(self.feature_gates().get(name, False) for name in GATES_OFF_BY_DEFAULT)

    def gate_flags(self) -> list[str]:
        """Return the ``--feature-gates`` flag, or nothing when the defaults hold."""
        gates = ",".join(f"{name}={str(on).lower()}" for name, on in self.feature_gates().items())
        return [f"--feature-gates={gates}"] if gates else []

    def further(self, component: str) -> list[str]:
        """Return the further arguments of ``component``."""
        return list(self.extra_args.get(component, ()))

    def bare_names(self) -> tuple[str, ...]:
        """Return the names of the nodes without a kubelet."""
        return tuple(f"bare-{index}" for index in range(1, self.bare_nodes + 1))

    def kubelet_names(self) -> tuple[str, ...]:
        """Return the names of the nodes with a kubelet."""
        return tuple(f"kubelet-{index}" for index in range(1, self.kubelet_nodes + 1))


def parse_gates(text: str) -> dict[str, bool]:
    """Parse ``A=true,B=false``; :class:`errors.UnusableError` says which entry is malformed."""
    gates: dict[str, bool] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = entry.partition("=")
        if not name.isalnum() or value not in ("true", "false"):
            raise errors.UnusableError(f"feature gate {entry!r} is not of the form Name=true|false")
        gates[name] = value == "true"
    return gates

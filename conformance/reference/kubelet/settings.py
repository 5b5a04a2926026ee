"""What a kubelet is told when it starts: its directories and its configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import attrs


class Directories(Protocol):
    """Where one node keeps what kubelet, runtime and drivers share."""

    @property
    def name(self) -> str:
        """Name of the node."""
        ...

    @property
    def root(self) -> Path:
        """The kubelet's own state: checkpoints, containers, the PodResources socket."""
        ...

    @property
    def plugins_dir(self) -> Path:
        """One folder per driver, with its socket and its data."""
        ...

    @property
    def registrar_dir(self) -> Path:
        """The registration sockets of drivers."""
        ...

    @property
    def cdi_dir(self) -> Path:
        """The CDI specs that the container runtime reads."""
        ...


class Gates(Protocol):
    """The feature gates as this kubelet sees them."""

    def enabled(self, gate: str, /) -> bool:
        """Tell whether a gate is on."""
        ...


#: What a node offers when nobody said otherwise.
ALLOCATABLE: Mapping[str, str] = {
    "cpu": "16",
    "memory": "64Gi",
    "ephemeral-storage": "100Gi",
    "pods": "110",
}


@attrs.frozen(kw_only=True)
class KubeletSettings:
    """The configuration of one kubelet.

    ``version`` stands in the Node's ``status.nodeInfo.kubeletVersion``; times are seconds of
    the kubelet's clock.
    """

    gates: Gates
    version: str = "v1.37.2"
    labels: Mapping[str, str] = attrs.field(factory=dict[str, str])
    allocatable: Mapping[str, str] = ALLOCATABLE
    #: Between two attempts to end a Pod that could not be, or to create a container (upstream:
    #: 10 s).
    retry_period: float = 10.0
    #: Between two syncs of a Pod of which there is no news, and up to half as much again: a
    #: Pod whose claims could not be prepared waits for the next one (upstream: 60 s).
    sync_period: float = 60.0
    #: How long a driver may take for one gRPC call (upstream: 45 s).
    call_timeout: float = 45.0
    #: How long a driver may be gone before its ResourceSlices are removed (upstream: 30 s).
    wiping_delay: float = 30.0

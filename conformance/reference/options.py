"""What a reference cluster is started with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import NONE, Faults
from conformance.reference.world.model import World, WorldNode, numbered_nodes

#: The bearer token of the cluster's administrator, where nobody chose another one.
ADMIN_TOKEN = "reference-admin"  # noqa: S105 - a loopback double has no secrets


@attrs.frozen(kw_only=True)
class ClusterOptions:
    """One reference cluster.

    ``root`` is an existing directory for the files of the nodes, made and removed by the
    caller; a short path, since Unix sockets lie below it. ``nodes`` counts only where the
    ``world`` names none. ``port`` 0 takes a free one.
    """

    root: Path
    version: str = "1.37"
    gates: Mapping[str, bool] = attrs.field(factory=dict[str, bool])
    #: API versions that are served or not, against the default, as ``--runtime-config`` says
    #: it: ``{"resource.k8s.io/v1beta1": True}``, ``{"api/all": True}``.
    runtime_config: Mapping[str, bool] = attrs.field(factory=dict[str, bool])
    nodes: int = 2
    scheduler_configuration: Object | None = None
    seed: int = 0
    virtual: bool = True
    faults: Faults = NONE
    world: World | None = None
    port: int = 0
    #: Speak TLS on that port, and let in whom a token makes known alone.
    tls: bool = False
    token: str = ADMIN_TOKEN

    def world_nodes(self) -> tuple[WorldNode, ...]:
        """Return the nodes to start."""
        if self.world is not None and self.world.nodes:
            return self.world.nodes
        return numbered_nodes(self.nodes)


@attrs.frozen(kw_only=True)
class NodeDirectories:
    """Where one node keeps what kubelet, container runtime and drivers share."""

    name: str
    root: Path
    plugins_dir: Path
    registrar_dir: Path
    cdi_dir: Path

    @classmethod
    def below(cls, root: Path, name: str) -> NodeDirectories:
        """Create the directories of a node and return them."""
        node = root / name
        made = cls(
            name=name,
            root=node,
            plugins_dir=node / "plugins",
            # Short, so that sockets fit as they do below /var/lib/kubelet/plugins_registry.
            registrar_dir=node / "reg",
            # In a folder that holds nothing else: a file system can be mounted there.
            cdi_dir=node / "run" / "cdi",
        )
        for folder in (made.plugins_dir, made.registrar_dir, made.cdi_dir):
            folder.mkdir(parents=True, exist_ok=True)
        return made

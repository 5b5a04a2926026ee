"""Which target was asked for: the options that describe one, and the table that opens it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

import attrs

from conformance.harness.errors import TargetMisconfigured
from conformance.harness.subject.protocol import DriverOptions
from conformance.harness.target import NodeAccess, Target


@attrs.frozen(kw_only=True)
class TargetOptions:
    """How a person describes the target of a run."""

    kind: str = "bundled"
    kubeconfig: Path | None = None
    context: str | None = None
    #: The minor version to emulate (bundled) or to take for granted (kube).
    version: str | None = None
    gates: Mapping[str, bool] = attrs.field(factory=dict)
    #: What the scheduler of a live cluster is configured with, which no API tells.
    binding_timeout: float | None = None
    #: Directories of kubelets that this process reaches, by node name (kube).
    node_roots: Mapping[str, NodeAccess] = attrs.field(factory=dict)
    #: Command that restarts the kubelet of ``{node}`` (kube); None where nothing does.
    restart_kubelet: str | None = None
    seed: int = 0
    #: Names of faults that the bundled reference commits.
    faults: tuple[str, ...] = ()
    #: False makes the bundled reference run on the machine's own clock.
    virtual: bool = True
    #: The driver that is judged, where it is not the bundled one.
    driver: DriverOptions = attrs.field(factory=DriverOptions)


#: The module of each target; imported when it is opened, since each is heavy in its own way.
_TARGETS: Mapping[str, str] = {
    "bundled": "conformance.harness.targets.bundled",
    "kube": "conformance.harness.targets.kube",
}

#: The names that ``--target`` takes.
KINDS = tuple(_TARGETS)


def open_target(options: TargetOptions) -> Target:
    """Return the target that the options describe; raises ``HarnessError``."""
    if options.kind not in _TARGETS:
        raise TargetMisconfigured(f"no target is called {options.kind!r}: {' or '.join(KINDS)}")
    module = importlib.import_module(_TARGETS[options.kind])
    return module.open_target(options)

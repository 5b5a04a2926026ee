"""Which target was asked for: the options that describe one, and the table that opens it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

import attrs

from conformance.harness.errors import TargetMisconfigured
from conformance.harness.programs.component import CommandComponent
from conformance.harness.programs.consumer import CommandConsumer
from conformance.harness.subject.protocol import CONFIGURATION, DriverOptions
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
    #: Where components tell their metrics, by their names (kube).
    metrics: Mapping[str, str] = attrs.field(factory=dict)
    #: Command that restarts the kubelet of ``{node}`` (kube); None where nothing does.
    restart_kubelet: str | None = None
    seed: int = 0
    #: Names of faults that the bundled reference commits.
    faults: tuple[str, ...] = ()
    #: False makes the bundled reference run on the machine's own clock.
    virtual: bool = True
    #: Reads a stream of metadata (see ``programs.consumer``); None: the target's own, if any.
    consumer_command: str | None = None
    #: Starts a component with ``{gates}`` (see ``programs.component``); None: the same.
    component_command: str | None = None
    #: The driver that is judged, where it is not the bundled one.
    driver: DriverOptions = attrs.field(factory=DriverOptions)

    @property
    def starts_driver(self) -> bool:
        """Whether the driver that is judged is a program that is started once for the run."""
        return self.driver.command is not None and CONFIGURATION not in self.driver.command


#: The module of each target; imported when it is opened, since each is heavy in its own way.
_TARGETS: Mapping[str, str] = {
    "bundled": "conformance.harness.targets.bundled",
    "kube": "conformance.harness.targets.kube",
}

#: The module of a live cluster on which a driver is started.
_GUARDED = "conformance.harness.targets.guarded"

#: The names that ``--target`` takes.
KINDS = tuple(_TARGETS)


def check_programs(options: TargetOptions) -> None:
    """Raise ``TargetMisconfigured`` for commands of programs that can't be run."""
    if options.consumer_command is not None:
        CommandConsumer(options.consumer_command)
    if options.component_command is not None:
        CommandComponent(options.component_command)


def open_target(options: TargetOptions) -> Target:
    """Return the target that the options describe; raises ``HarnessError``."""
    if options.kind not in _TARGETS:
        raise TargetMisconfigured(f"no target is called {options.kind!r}: {' or '.join(KINDS)}")
    guarded = options.kind == "kube" and options.starts_driver
    module = importlib.import_module(_GUARDED if guarded else _TARGETS[options.kind])
    return module.open_target(options)

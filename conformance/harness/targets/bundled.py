"""The reference cluster that the distribution brings: one per variant, on virtual time.

The one thread boundary of the project: the reference lives in an event loop in a thread of
its own, checks wait in theirs. This is also the one edge from the judge to the reference:
clusters are started, stepped and stopped here, and asked over HTTP like any other.
"""

from __future__ import annotations

import contextlib
import itertools
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from conformance.catalogue import loading
from conformance.catalogue.errors import UnknownName
from conformance.harness.client import Api, with_token
from conformance.harness.errors import TargetMisconfigured, Unsupported
from conformance.harness.observe.metrics import told
from conformance.harness.process.child import Departure
from conformance.harness.target import (
    CAPABILITIES,
    Cluster,
    Description,
    NodeAccess,
    Target,
    Variant,
)
from conformance.harness.targets.disturbance import Request
from conformance.harness.targets.loop_thread import LoopThread
from conformance.harness.targets.opening import TargetOptions
from conformance.kube.objects import Object
from conformance.reference import place
from conformance.reference.apiserver.authorization.access import Act
from conformance.reference.cluster import Cluster as Reference
from conformance.reference.cluster import ClusterOptions, DriverConfig
from conformance.reference.faults.registry import UnknownFault, activate
from conformance.reference.faults.seams import NONE
from conformance.trust.projected import TokenFile
from conformance.trust.rotation import Turn
from conformance.trust.trouble import Trouble

#: The version that is emulated where none was asked for.
VERSION = "1.37"


class ReferenceTime:
    """The time of a reference cluster, moved by waiting alone where it is virtual."""

    def __init__(self, loop: LoopThread, reference: Reference) -> None:
        self._loop = loop
        self._reference = reference
        self.virtual = reference.options.virtual

    def now(self) -> float:
        """Return seconds of the cluster's clock."""
        return self._reference.clock.monotonic()

    def pass_(self, limit: float) -> None:
        """Let at most so many seconds pass, up to the next thing that waits for time.

        A wait begins with no seconds: what the check did before has arrived by then. Between
        the further steps of a wait nobody prompts the double, and it never speaks by itself.
        """
        self._loop.run(self._reference.step(limit, unprompted=limit <= 0))


class BundledDisturbance:
    """Trouble of a driver at a reference cluster."""

    def __init__(self, loop: LoopThread, reference: Reference, begun: Any) -> None:
        self._loop = loop
        self._reference = reference
        self._begun = begun

    def requests(self) -> Sequence[Request]:
        """Return what the driver has asked since."""
        return tuple(self._begun.seen)

    def cut_watches(self) -> None:
        """Break the watches of the driver."""
        self._loop.run(self._reference.cut_watches(self._begun.driver))


class BundledCluster:
    """One running reference cluster."""

    def __init__(self, loop: LoopThread, reference: Reference, description: Description) -> None:
        self._loop = loop
        self._reference = reference
        self.time = ReferenceTime(loop, reference)
        self.api: Api = with_token(reference.url, reference.token)
        self.api.clock = self.time.now
        self.token = reference.token
        self.version = description.kubernetes_version
        self.gates = description.gates
        self.binding_timeout: float | None = None
        self.capabilities = frozenset(CAPABILITIES)

    def nodes(self) -> Sequence[str]:
        """Return the names of all nodes: each takes Pods."""
        return [node.name for node in self._reference.nodes]

    def running_nodes(self) -> Sequence[str]:
        """Return the names of all nodes: each has a kubelet."""
        return self.nodes()

    def node_access(self) -> Sequence[NodeAccess]:
        """Return the directories of every node."""
        return [
            NodeAccess(
                name=node.name,
                plugins_dir=node.plugins_dir,
                registrar_dir=node.registrar_dir,
                cdi_dir=node.cdi_dir,
                announce=self._reference.clock.expect,
                hold_back=self._reference.clock.hold_back,
            )
            for node in self._reference.nodes
        ]

    @property
    def is_shared(self) -> bool:
        """Say that it is there for the checks alone."""
        return False

    def known_as(self, user: str) -> None:
        """Do nothing: this server knows who asks."""

    def secured(self) -> tuple[str, bytes]:
        """Return the URL with TLS, and by what it is trusted, as PEM: accounts count there."""
        self._loop.run(self._reference.secure())
        return self._reference.public_url, self._reference.authority

    def restart_kubelet(self, name: str) -> None:
        """Restart the kubelet of a node."""
        self._loop.run(self._reference.restart_kubelet(name))

    @property
    def driver_account(self) -> str:
        """The user as whom the example driver acts."""
        return self._reference.driver_account

    def access_log(self) -> Sequence[Act]:
        """Return every act on a resource that anybody did or tried, the oldest first.

        Each has user, verb, group, resource, subresource, namespace, name, and whether it was
        allowed; only this target can tell.
        """
        return self._reference.access_log()

    @contextlib.contextmanager
    def disturbed(self, driver: str, trouble: Trouble) -> Iterator[BundledDisturbance]:
        """Let a driver meet trouble at the API server for a while."""
        begun = self._loop.run(self._reference.disturb(driver, trouble))
        try:
            yield BundledDisturbance(self._loop, self._reference, begun)
        finally:
            self._loop.run(self._reference.leave_alone(begun))

    @contextlib.contextmanager
    def without_api(self) -> Iterator[None]:
        """Have nobody reach the API server for a while; what it stores is kept."""
        self._loop.run(self._reference.leave_api())
        try:
            yield
        finally:
            self._loop.run(self._reference.restore_api())

    def token_file(self, folder: Path) -> TokenFile:
        """Return the file in which somebody finds a token of theirs."""
        return TokenFile(folder)

    def rotated(self, file: TokenFile, new: str) -> Turn:
        """Put a token in the place of the one in a file, and return what becomes of both."""
        return self._loop.call(lambda: self._reference.driver_tokens.put(file, new))

    def rotate_driver(self, name: str, node: str) -> Turn:
        """Give the example driver on a node another token."""
        return self._loop.run(self._reference.driver_tokens.replace((name, node, "")))

    def metrics(self, component: str) -> str:
        """Return the metrics of a component."""
        return told(self.api, component, self._reference.metrics)

    def consume(self, stream: str) -> tuple[Object | None, str]:
        """Return what the bundled consumer makes of a stream: an object, or an error."""
        try:
            return self._reference.consumer.read(stream).object, ""
        except ValueError as error:
            return None, str(error)

    def start_driver(self, node: str, config: DriverConfig, ahead: int = 0) -> None:
        """Start the example driver on a node; raises ``ConfigurationError``.

        ``ahead`` are seconds for which its machine was up longer than the cluster's clock says.
        """
        self._loop.run(self._reference.start_driver(node, config, ahead))

    def stop_driver(self, name: str, node: str, instance: str = "") -> Departure:
        """Stop the example driver on a node, as by SIGTERM; nothing happens if it is gone."""
        code = self._loop.run(self._reference.stop_driver(name, node, instance))
        killed = -int(signal.SIGKILL)
        return Departure(in_time=code is not None, code=killed if code is None else code)

    def kill_driver(self, name: str, node: str, instance: str = "") -> None:
        """End the example driver on a node, as by SIGKILL; nothing happens if it is gone."""
        self._loop.run(self._reference.kill_driver(name, node, instance))

    def publish(self, name: str, node: str, config: DriverConfig) -> None:
        """Let the example driver publish the devices of another configuration."""
        self._loop.call(lambda: self._reference.driver(name, node).publish(config))

    def pause_driver(self, name: str, node: str, *, paused: bool) -> None:
        """Let the calls of the example driver wait, or go on."""
        driver = self._reference.driver(name, node)
        self._loop.call(driver.pause if paused else driver.resume)

    def hamper_driver(self, name: str, node: str, trouble: int) -> None:
        """Let what the example driver writes into its CDI folder fail by an errno; 0 for not."""
        self._loop.call(lambda: self._reference.driver(name, node).hamper(trouble))

    def set_driver_wall(self, name: str, node: str, seconds: int) -> None:
        """Let the wall clock of the example driver be so many seconds ahead of the cluster's."""
        clock = self._reference.driver(name, node).clock
        self._loop.call(lambda: setattr(clock, "wall", seconds))

    def driver_story(self, name: str, node: str) -> str:
        """Return what the example driver says of its registration; empty where it is gone."""
        try:
            return self._reference.driver(name, node).story
        except LookupError:
            return ""

    def close(self) -> None:
        """Stop the cluster."""
        self.api.close()
        self._loop.run(self._reference.stop())


class BundledTarget:
    """Reference clusters, started when a check first asks for their variant."""

    def __init__(self, options: TargetOptions) -> None:
        self._options = options
        self._version = options.version or VERSION
        self._gates = _known_gates(self._version, options.gates)
        try:
            self._faults = activate(options.faults) if options.faults else NONE
        except UnknownFault as error:
            raise TargetMisconfigured(str(error)) from error
        self._loop: LoopThread | None = None
        self._root: tempfile.TemporaryDirectory[str] | None = None
        self._starts = itertools.count()
        self._references: list[Reference] = []
        self._clusters: dict[Variant, BundledCluster] = {}

    def describe(self) -> Description:
        """Return what will be emulated; nothing is started for that."""
        return Description(
            kind="bundled",
            name="bundled reference",
            server="",
            kubernetes_version=self._version,
            gates=self._gates,
            virtual=self._options.virtual,
        )

    def cluster(self, variant: Variant) -> Cluster:
        """Return the running cluster of this variant; raises ``Unsupported``."""
        # What holds anyway is no variant: one cluster serves both, and so does a driver.
        holds = self._gates.items()
        gates = tuple(one for one in variant.gates if one not in holds)
        variant = attrs.evolve(variant, gates=gates)
        if variant not in self._clusters:
            self._clusters[variant] = self._start(variant)
        return self._clusters[variant]

    def refusal(self, gates: Mapping[str, bool]) -> str:
        """Return why components refuse to start with these gates, empty where they start."""
        options = ClusterOptions(
            root=Path(), version=self._version, gates=gates, faults=self._faults
        )
        try:
            Reference(options)
        except ValueError as error:
            return str(error)
        return ""

    def close(self) -> None:
        """Stop every cluster and remove its files."""
        for cluster in self._clusters.values():
            cluster.close()
        self._clusters.clear()
        self._references.clear()
        if self._loop is not None:
            self._loop.stop()
            self._loop = None
        if self._root is not None:
            self._root.cleanup()
            self._root = None

    def _start(self, variant: Variant) -> BundledCluster:
        for gate, wanted in variant.gates:
            self._may_set(gate, wanted)
        gates = {**self._options.gates, **dict(variant.gates)}
        loop = self._loop = self._loop or LoopThread(holders=self._holders)
        self._root = self._root or place.temporary("dra-conf-")
        root = Path(self._root.name) / str(next(self._starts))
        root.mkdir()
        options = ClusterOptions(
            root=root,
            version=self._version,
            gates=gates,
            runtime_config=dict.fromkeys(variant.serves, True),
            scheduler_configuration=_configuration(variant.binding_timeout),
            seed=self._options.seed,
            virtual=self._options.virtual,
            faults=self._faults,
        )
        try:
            reference = Reference(options)
        except ValueError as error:
            raise Unsupported(f"the reference cannot be set up so: {error}") from error
        self._references.append(reference)
        loop.run(reference.start())
        description = self.describe()
        known = {**description.gates, **gates}
        cluster = BundledCluster(loop, reference, _with_gates(description, known))
        cluster.binding_timeout = variant.binding_timeout
        return cluster

    def _holders(self) -> list[str]:
        """Return what holds the time of the clusters still."""
        return [who for reference in self._references for who in reference.clock.holders()]

    def _may_set(self, gate: str, wanted: bool) -> None:
        """Raise ``Unsupported`` where a person or the version decided otherwise."""
        if self._options.gates.get(gate, wanted) is not wanted:
            raise Unsupported(f"{gate} was set otherwise by --feature-gates")
        if gate not in self._gates:
            raise Unsupported(f"{gate} does not exist in {self._version}")


def open_target(options: TargetOptions) -> Target:
    """Return the bundled target; raises ``TargetMisconfigured``."""
    return BundledTarget(options)


def _known_gates(version: str, gates: Mapping[str, bool]) -> dict[str, bool]:
    """Return every gate of a version; raises ``TargetMisconfigured`` for an unknown one."""
    law = loading.load()
    if version not in law.versions:
        # A newer one cannot be emulated: nobody here knows what it does.
        raise TargetMisconfigured(str(UnknownName("Kubernetes version", version, law.versions)))
    defaults = law.gates(version)
    for gate in gates:
        if gate not in defaults:
            raise TargetMisconfigured(str(UnknownName("feature gate", gate, defaults)))
    return {**defaults, **gates}


def _with_gates(description: Description, gates: Mapping[str, bool]) -> Description:
    return Description(
        kind=description.kind,
        name=description.name,
        server=description.server,
        kubernetes_version=description.kubernetes_version,
        gates=gates,
        virtual=description.virtual,
    )


def _configuration(binding_timeout: float | None) -> Object | None:
    """Return the KubeSchedulerConfiguration with this binding timeout, as a document says."""
    if binding_timeout is None:
        return None
    arguments = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "DynamicResourcesArgs",
        "bindingTimeout": f"{binding_timeout:g}s",
    }
    plugin = {"name": "DynamicResources", "args": arguments}
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler", "pluginConfig": [plugin]}],
    }

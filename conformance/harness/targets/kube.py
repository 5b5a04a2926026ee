"""Any cluster that a kubeconfig describes; time is real and nothing of it is ours."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from conformance.catalogue import loading
from conformance.catalogue.errors import UnknownName
from conformance.harness.client import Api, from_kubeconfig, known
from conformance.harness.errors import (
    HarnessError,
    TargetMisconfigured,
    TargetUnreachable,
    Unsupported,
)
from conformance.harness.observe.metrics import told
from conformance.harness.target import (
    CAPABILITIES,
    DEFAULT_BINDING_TIMEOUT,
    DISTURBANCE,
    KUBELET,
    NODE_ACCESS,
    RESTART_KUBELET,
    Act,
    Cluster,
    Description,
    NodeAccess,
    Target,
    Variant,
)
from conformance.harness.targets.disturbance import Disturbance
from conformance.harness.targets.opening import TargetOptions
from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.trust.trouble import Trouble

#: One sample of the metric by which every Kubernetes component tells its gates.
_GATE = re.compile(r'^kubernetes_feature_enabled\{name="([^"]+)"[^}]*\} ([01])', re.MULTILINE)

#: How long the command that restarts a kubelet may take.
_RESTART_SECONDS = 120.0

#: Taints that keep ordinary Pods away from a node.
_REPELLING = {"NoSchedule", "NoExecute"}


class RealTime:
    """The machine's own clock: waiting is waiting."""

    virtual = False

    def now(self) -> float:
        """Return seconds since an arbitrary start."""
        return time.monotonic()

    def pass_(self, limit: float) -> None:
        """Wait for so many seconds."""
        time.sleep(limit)


class LiveCluster:
    """One live cluster; its nodes are looked up once."""

    def __init__(self, api: Api, options: TargetOptions, description: Description) -> None:
        self.api = api
        self.time = RealTime()
        api.clock = self.time.now
        self.version = description.kubernetes_version
        self.gates = description.gates
        self.binding_timeout = options.binding_timeout
        self._roots = options.node_roots
        self._restart = options.restart_kubelet
        self._metrics = options.metrics
        self._nodes: list[Object] | None = None

    @property
    def capabilities(self) -> frozenset[str]:
        """What this cluster offers beyond its API."""
        found = {
            KUBELET: self.running_nodes(),
            NODE_ACCESS: self.node_access(),
            RESTART_KUBELET: self._restart,
            DEFAULT_BINDING_TIMEOUT: self.binding_timeout is None,
        }
        return frozenset(name for name, offered in found.items() if offered)

    def nodes(self) -> Sequence[str]:
        """Return the names of the nodes that are Ready and take ordinary Pods."""
        return [node["metadata"]["name"] for node in self._schedulable()]

    def running_nodes(self) -> Sequence[str]:
        """Return those of them that tell the port of a kubelet."""
        return [node["metadata"]["name"] for node in self._schedulable() if _kubelet_port(node)]

    def node_access(self) -> Sequence[NodeAccess]:
        """Return the kubelets whose root directory ``--node-root`` gave."""
        return [access for _, access in sorted(self._roots.items())]

    def metrics(self, component: str) -> str:
        """Return the metrics of a component; raises ``Unsupported``."""
        return told(self.api, component, self._metrics)

    def restart_kubelet(self, name: str) -> None:
        """Run the command that was given for it; raises ``Unsupported``, ``HarnessError``."""
        if self._restart is None:
            raise Unsupported(f"the kubelet of {name} is not ours to restart (--restart-kubelet)")
        _run([word.replace("{node}", name) for word in shlex.split(self._restart)])

    def disturbed(self, driver: str, trouble: Trouble) -> AbstractContextManager[Disturbance]:
        """Raise ``Unsupported``: others rely on this server as well."""
        del driver, trouble
        raise Unsupported(f"the check needs {CAPABILITIES[DISTURBANCE]}")

    def access_log(self) -> Sequence[Act]:
        """Raise ``Unsupported``: a live cluster's audit log is its administrator's."""
        raise Unsupported("what the driver did stands in the audit log of the cluster alone")

    def without_api(self) -> AbstractContextManager[None]:
        """Raise ``Unsupported``: others rely on it."""
        raise Unsupported("the API server is not ours to take away")

    def close(self) -> None:
        """End what was begun for it: nothing."""

    def _schedulable(self) -> list[Object]:
        if self._nodes is None:
            nodes = self.api.list(known("", "v1", "nodes"))
            self._nodes = sorted(
                filter(_takes_pods, nodes), key=lambda node: node["metadata"]["name"]
            )
        return self._nodes


class KubeTarget:
    """The cluster of a kubeconfig; it comes in one variant, the one that it is."""

    def __init__(
        self, api: Api, options: TargetOptions, make: type[LiveCluster] = LiveCluster
    ) -> None:
        """``make`` is what becomes of it when a check first asks for it."""
        self._make = make
        self._api = api
        self._options = options
        self._described: Description | None = None
        self._cluster: LiveCluster | None = None

    def describe(self) -> Description:
        """Ask the server who it is; raises ``TargetUnreachable``."""
        if self._described is None:
            version = self._version()
            self._described = Description(
                kind="kube",
                name=self._options.context or str(self._options.kubeconfig),
                server=self._api.server,
                kubernetes_version=version,
                gates={**_defaults(version), **_gates(self._api), **self._options.gates},
                virtual=False,
            )
        return self._described

    def _version(self) -> str:
        """Return the version to assume: what a person said, or what the server says it is."""
        law = loading.load()
        told = _minor(_asked(self._api, "/version"))
        asked = self._options.version
        if asked is not None:
            if asked not in law.versions:
                raise TargetMisconfigured(
                    str(UnknownName("Kubernetes version", asked, law.versions))
                )
            return asked
        try:
            law.gates(told)
        except UnknownName as error:
            raise TargetUnreachable(
                f"{self._api.server} is Kubernetes {told}; "
                f"what is judged here begins with {law.versions[0]}"
            ) from error
        return told

    def cluster(self, variant: Variant) -> Cluster:
        """Return the cluster; raises ``Unsupported`` where it differs from the variant."""
        description = self.describe()
        for gate, wanted in variant.gates:
            if description.gates.get(gate, False) is not wanted:
                raise Unsupported(f"the check needs {gate}={_spelled(wanted)}, the cluster differs")
        self._must_serve(variant.serves)
        configured = self._options.binding_timeout
        if variant.binding_timeout is not None and variant.binding_timeout != configured:
            raise Unsupported(
                f"the check needs a scheduler with bindingTimeout {variant.binding_timeout:g}s"
            )
        if self._cluster is None:
            self._cluster = self._make(self._api, self._options, description)
        return self._cluster

    def _must_serve(self, versions: Sequence[str]) -> None:
        """Raise ``Unsupported`` for API versions that the server does not serve."""
        for group in dict.fromkeys(version.partition("/")[0] for version in versions):
            rows: list[Object] = _asked(self._api, f"/apis/{group}").get("versions") or []
            served = {row.get("groupVersion") for row in rows}
            lacks = [one for one in versions if one.startswith(f"{group}/") and one not in served]
            if lacks:
                names = " and ".join(lacks)
                raise Unsupported(f"the API server does not serve {names} (--runtime-config)")

    def close(self) -> None:
        """Close every connection."""
        if self._cluster is not None:
            self._cluster.close()
        self._api.close()


def open_target(options: TargetOptions, make: type[LiveCluster] = LiveCluster) -> Target:
    """Return the target of a kubeconfig (see ``KubeTarget``); raises ``TargetMisconfigured``."""
    if options.kubeconfig is None:
        raise TargetMisconfigured("the target kube needs --kubeconfig")
    return KubeTarget(from_kubeconfig(options.kubeconfig, options.context), options, make)


def _asked(api: Api, path: str) -> Object:
    try:
        return api.ask("GET", path)
    except StatusError as error:
        raise TargetUnreachable(f"{api.server} refuses GET {path}: {error}") from error


def _minor(version: Object) -> str:
    """Return ``1.37`` of what ``/version`` says, which may be ``37+``."""
    parts = [re.sub(r"\D.*", "", str(version.get(key, ""))) for key in ("major", "minor")]
    if not all(parts):
        raise TargetUnreachable(f"/version names no version: {version}")
    return ".".join(parts)


def _defaults(version: str) -> Mapping[str, bool]:
    """Return the documented defaults; nothing for a version that the catalogue lacks."""
    return dict(loading.load().gates(version))


def _gates(api: Api) -> dict[str, bool]:
    """Return the gates that the API server tells in its metrics, if it tells us any."""
    text = _quietly(lambda: api.text("/metrics"))
    return {name: value == "1" for name, value in _GATE.findall(text or "")}


def _quietly(ask: Callable[[], str]) -> str | None:
    try:
        return ask()
    except (StatusError, HarnessError):
        return None


def _takes_pods(node: Object) -> bool:
    spec: Object = node.get("spec") or {}
    conditions: list[Any] = (node.get("status") or {}).get("conditions") or []
    ready = any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
    repelled = any(taint["effect"] in _REPELLING for taint in spec.get("taints") or [])
    return ready and not repelled and not spec.get("unschedulable")


def _kubelet_port(node: Object) -> int:
    endpoints: Object = (node.get("status") or {}).get("daemonEndpoints") or {}
    return int((endpoints.get("kubeletEndpoint") or {}).get("Port") or 0)


def _run(command: list[str]) -> None:
    """Run a command of the person who runs us; raises ``HarnessError`` unless it succeeds."""
    words = shlex.join(command)
    try:
        done = subprocess.run(  # noqa: S603 - given for this purpose on our own command line
            command, capture_output=True, text=True, check=False, timeout=_RESTART_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HarnessError(f"{words}: {error}") from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        raise HarnessError(f"{words} ended with {done.returncode}: {last}")


def _spelled(value: bool) -> str:
    return "true" if value else "false"

"""A real Kubernetes cluster as a context manager.

    with Cluster(state, Plan(bare_nodes=2, kubelet_nodes=1)) as cluster:
        cluster.kubeconfig

Entering starts everything and returns when it is ready; leaving takes everything down and
keeps the logs. A state folder that an earlier run left behind is cleaned on entry.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from conformance.kube.objects import Object
from conformance.upstream import api, build, errors, leftovers, prerequisites
from conformance.upstream.controlplane import ADMIN, ControlPlane
from conformance.upstream.layout import Layout, layout
from conformance.upstream.node import configuration
from conformance.upstream.node.kubelet import Binaries, Node
from conformance.upstream.plan import Plan
from conformance.upstream.ports import free_ports
from conformance.upstream.processes import Component

_SECONDS = 60.0
_POLL = 0.1
_ALLOCATABLE = {"cpu": "64", "memory": "256Gi", "pods": "1000", "ephemeral-storage": "1Ti"}


class Cluster:
    """Kubernetes 1.37 in one folder: etcd, control plane, bare nodes, nodes with a kubelet."""

    def __init__(self, state: Path, plan: Plan | None = None) -> None:
        self.plan = plan or Plan()
        self.place: Layout = layout(state)
        self.nodes: dict[str, Node] = {}
        self._control: ControlPlane | None = None

    def __enter__(self) -> Self:
        """Start the cluster.

        Raises :class:`errors.UnavailableError`, :class:`errors.UnusableError`,
        :class:`errors.BuildError` or :class:`errors.ComponentError`; nothing runs then.
        """
        prerequisites.must_have(kubelet=self.plan.kubelet_nodes > 0)
        binary = build.kubernetes()
        leftovers.sweep()
        _refuse_running(self.place)
        self.place.make()
        leftovers.clean(self.place)
        leftovers.forget_logs(self.place)
        self.place.make()
        try:
            self._start(binary)
        except OSError as error:
            self.stop()
            raise errors.UpstreamError(f"state folder {self.place.state}: {error}") from error
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take everything down; logs stay."""
        self.stop()

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig (group system:masters)."""
        return self.place.kubeconfig

    @property
    def control(self) -> ControlPlane:
        """The control plane; :class:`errors.UpstreamError` before entering."""
        if self._control is None:
            raise errors.UpstreamError("the cluster was not started")
        return self._control

    @property
    def api(self) -> api.Api:
        """The API server, asked as administrator."""
        return self.control.api

    @property
    def components(self) -> list[Component]:
        """Every process of the cluster."""
        control = [] if self._control is None else self._control.components
        return [*control, *(part for node in self.nodes.values() for part in node.components)]

    def must_live(self) -> None:
        """Raise :class:`errors.ComponentError` for the first component that has ended."""
        for component in self.components:
            component.must_live()

    def abort(self) -> None:
        """Kill every component at once, so that nobody goes on asking half a cluster.

        The API server goes first: what answers no more cannot answer wrongly.
        """
        for component in sorted(self.components, key=lambda one: one.name != "kube-apiserver"):
            component.stop(grace=0)

    def stop(self) -> None:
        """Stop and remove everything but the logs; safe to call twice."""
        for node in self.nodes.values():
            node.stop()
        if self._control is not None:
            self._control.stop()
        leftovers.clean(self.place)

    def metrics(self) -> dict[str, tuple[str, Path]]:
        """Return where every component but the API server serves metrics, and its certificate."""
        ports, keys = self.control.ports, self.place.keys
        found = {
            "kube-scheduler": (ports.scheduler, keys / "scheduler" / "kube-scheduler.crt"),
            "kube-controller-manager": (
                ports.controllers,
                keys / "controllers" / "kube-controller-manager.crt",
            ),
        }
        found.update({node.name: (node.port, node.certificate) for node in self.nodes.values()})
        return {name: (f"https://127.0.0.1:{port}", path) for name, (port, path) in found.items()}

    def facts(self) -> dict[str, Any]:
        """Return what another process needs to use this cluster, as JSON."""
        return {
            "kubernetesVersion": build.KUBERNETES_VERSION,
            "state": str(self.place.state),
            "kubeconfig": str(self.kubeconfig),
            "server": self.control.server,
            "featureGates": self.plan.feature_gates(),
            "bareNodes": list(self.plan.bare_names()),
            "kubeletNodes": [
                {
                    "name": node.name,
                    "pluginsDir": str(node.layout.plugins),
                    "registrarDir": str(node.layout.registrar),
                    "cdiDir": str(node.layout.cdi),
                    "nodeRoot": node.layout.reached,
                }
                for node in self.nodes.values()
            ],
            "metrics": {
                "kube-apiserver": f"{self.control.server}/metrics",
                **{name: f"{server}/metrics" for name, (server, _) in self.metrics().items()},
            },
            "logs": str(self.place.logs),
        }

    def _start(self, binary: Path) -> None:
        self._control = ControlPlane(self.place, self.plan, binary)
        for index, name in enumerate(self.plan.kubelet_names(), start=1):
            binaries = Binaries(
                kubernetes=binary,
                containerd=build.binary("containerd"),
                ctr=build.binary("ctr"),
            )
            self.nodes[name] = Node(self.place, name, index, binaries)
        self._control.start()
        for name in self.plan.bare_names():
            self._add_bare_node(name)
        for node in self.nodes.values():
            self._join(node)
        self._await(self._is_serving, "the default ServiceAccount and every node to be ready")
        config = self._control.kubeconfig_of(ADMIN).read_text()
        self.kubeconfig.touch(mode=0o600)
        self.kubeconfig.write_text(config)
        self.place.facts.write_text(json.dumps(self.facts(), indent=2) + "\n")

    def _add_bare_node(self, name: str) -> None:
        labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}
        node: Object = {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels},
        }
        self.api.call("POST", "/api/v1/nodes", node)
        ready = {"type": "Ready", "status": "True", "reason": "Bare", "message": "no kubelet"}
        status = {"capacity": _ALLOCATABLE, "allocatable": _ALLOCATABLE, "conditions": [ready]}
        path = f"/api/v1/nodes/{name}/status"
        self.api.call("PATCH", path, {"status": status}, api.MERGE_PATCH)

    def _join(self, node: Node) -> None:
        """Start a node, and play the cloud provider that its kubelet waits for."""
        node.start_runtime()
        kubeconfig = self.control.kubeconfig_of(f"system:node:{node.name}")
        flags = ["--kubeconfig", str(kubeconfig), *self.plan.further("kubelet")]
        node.start_kubelet(flags, free_ports(1)[0], self.plan.feature_gates())
        path = f"/api/v1/nodes/{node.name}"
        self._await(lambda: self.api.is_ready(path), f"node {node.name} to register")
        self.api.call("PATCH", path, {"spec": {"taints": None}}, api.MERGE_PATCH)
        addresses = configuration.registration(node.name)
        self.api.call("PATCH", f"{path}/status", addresses, api.MERGE_PATCH)

    def _is_serving(self) -> bool:
        account = "/api/v1/namespaces/default/serviceaccounts/default"
        return self.api.is_ready(account) and all(map(self._is_node_ready, self.nodes))

    def _is_node_ready(self, name: str) -> bool:
        node = self.api.call("GET", f"/api/v1/nodes/{name}")
        conditions = node.get("status", {}).get("conditions", [])
        return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)

    def _await(self, ready: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + _SECONDS
        while not ready():
            self.must_live()
            if time.monotonic() > deadline:
                raise errors.UpstreamError(
                    f"waited {_SECONDS:.0f} s for {what} (logs: {self.place.logs})"
                )
            time.sleep(_POLL)


def _refuse_running(place: Layout) -> None:
    """Keep two clusters from sharing a folder."""
    if place.facts.exists() and leftovers.is_supervised(place):
        raise errors.UnusableError(f"a cluster already runs in {place.state}; take it down first")

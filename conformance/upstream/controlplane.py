"""etcd, API server, controller manager and scheduler as child processes on loopback."""

from __future__ import annotations

import json
import secrets
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from attrs import field, frozen

from conformance.kube.kubeconfig import written
from conformance.upstream import errors
from conformance.upstream.api import Api
from conformance.upstream.layout import Layout
from conformance.upstream.plan import Plan
from conformance.upstream.ports import free_ports
from conformance.upstream.processes import Component

_SECONDS = 60.0
_POLL = 0.05
ADMIN = "conformance-admin"
SERVICES = "10.96.0.0/16"


@frozen
class Ports:
    """The loopback ports of one control plane."""

    etcd: int
    peer: int
    apiserver: int
    controllers: int
    scheduler: int


@frozen
class User:
    """Somebody the API server knows by token."""

    name: str
    groups: tuple[str, ...] = ()
    token: str = field(factory=lambda: secrets.token_hex(16), repr=False)


def users(nodes: tuple[str, ...]) -> dict[str, User]:
    """Return the users of a cluster: administrator, components, one per kubelet."""
    members = [User(ADMIN, ("system:masters",))]
    members += [User("system:kube-controller-manager"), User("system:kube-scheduler")]
    members += [User(f"system:node:{name}", ("system:nodes",)) for name in nodes]
    return {user.name: user for user in members}


def scheduler_configuration(plan: Plan, kubeconfig_file: Path) -> str:
    """Return the KubeSchedulerConfiguration that ``plan`` asks for, as JSON."""
    plugins = (
        [
            {
                "name": "DynamicResources",
                "args": {
                    "apiVersion": "kubescheduler.config.k8s.io/v1",
                    "kind": "DynamicResourcesArgs",
                    **plan.scheduler_config,
                },
            }
        ]
        if plan.scheduler_config
        else []
    )
    return json.dumps(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "leaderElection": {"leaderElect": False},
            "clientConnection": {"kubeconfig": str(kubeconfig_file)},
            "profiles": [{"schedulerName": "default-scheduler", "pluginConfig": plugins}],
        },
        indent=2,
    )


class ControlPlane:
    """The four programs of a control plane, and the way to ask them."""

    def __init__(self, place: Layout, plan: Plan, binary: Path) -> None:
        self._place = place
        self._plan = plan
        self._binary = binary
        self.ports = Ports(*free_ports(5))
        self.users = users(plan.kubelet_names())
        self.server = f"https://127.0.0.1:{self.ports.apiserver}"
        self.authority = place.keys / "apiserver.crt"
        self.api = Api(self.server, self.users[ADMIN].token, self.authority)
        self.components: list[Component] = []

    def start(self) -> None:
        """Start everything; returns when the API server is ready and its clients run."""
        self._write_keys()
        self._start("etcd", self._etcd())
        self._start("kube-apiserver", self._apiserver())
        self._await("kube-apiserver", lambda: self.authority.exists() and self.api.is_ready())
        for name in self.users:
            self.kubeconfig_of(name)
        self._start("kube-controller-manager", self._controllers())
        self._start("kube-scheduler", self._scheduler())

    def kubeconfig_of(self, user: str) -> Path:
        """Write, and return, the kubeconfig of ``user``."""
        path = self._place.keys / f"{user.replace(':', '-')}.kubeconfig"
        token, authority = self.users[user].token, self.authority.read_bytes()
        document = written(self.server, token, name="upstream", authority=authority)
        self._private(path, json.dumps(document, indent=2))
        return path

    def must_live(self) -> None:
        """Raise :class:`errors.ComponentError` for the first component that has ended."""
        for component in self.components:
            component.must_live()

    def stop(self) -> None:
        """Stop the components, clients before servers."""
        for component in reversed(self.components):
            component.stop()

    def _start(self, name: str, flags: list[str]) -> None:
        command = [str(self._binary), name, *flags, *self._plan.further(name)]
        component = Component(name, command, log=self._place.log(name), pids=self._place.pids)
        self.components.append(component)
        component.start()

    def _await(self, name: str, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _SECONDS
        while not ready():
            self.must_live()
            if time.monotonic() > deadline:
                raise errors.ComponentError(
                    name, f"was not ready in {_SECONDS:.0f} s", self._place.log(name)
                )
            time.sleep(_POLL)

    def _write_keys(self) -> None:
        lines = [
            f'{user.token},{user.name},{user.name},"{",".join(user.groups)}"'
            for user in self.users.values()
        ]
        self._private(self._place.keys / "tokens.csv", "\n".join(lines) + "\n")
        done = subprocess.run(  # noqa: S603 - our own binary
            [self._binary, "key", self._place.keys / "accounts.key"],
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            reason = done.stderr.decode(errors="replace").strip()
            raise errors.UpstreamError(f"no signing key could be made: {reason}")

    def _private(self, path: Path, text: str) -> None:
        path.touch(mode=0o600)
        path.write_text(text)

    def _etcd(self) -> list[str]:
        client = f"http://127.0.0.1:{self.ports.etcd}"
        peer = f"http://127.0.0.1:{self.ports.peer}"
        return [
            "--unsafe-no-fsync",
            f"--data-dir={self._place.etcd}",
            f"--listen-client-urls={client}",
            f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
        ]

    def _apiserver(self) -> list[str]:
        accounts = self._place.keys / "accounts.key"
        return [
            f"--etcd-servers=http://127.0.0.1:{self.ports.etcd}",
            "--bind-address=127.0.0.1",
            f"--secure-port={self.ports.apiserver}",
            f"--cert-dir={self._place.keys}",
            f"--token-auth-file={self._place.keys}/tokens.csv",
            "--authorization-mode=Node,RBAC",
            "--enable-admission-plugins=NodeRestriction",
            # It would taint every new Node, and the controller that lifts the taint is off.
            "--disable-admission-plugins=TaintNodesByCondition",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={accounts}",
            f"--service-account-signing-key-file={accounts}",
            f"--service-cluster-ip-range={SERVICES}",
            "--kubelet-preferred-address-types=InternalIP",
            "--endpoint-reconciler-type=none",
            *(["--runtime-config=api/all=true"] if self._plan.serves_all_versions() else []),
            *self._plan.gate_flags(),
        ]

    def _client_flags(self, user: str) -> list[str]:
        path = self.kubeconfig_of(user)
        return [f"--authentication-kubeconfig={path}", f"--authorization-kubeconfig={path}"]

    def _controllers(self) -> list[str]:
        user = "system:kube-controller-manager"
        return [
            f"--kubeconfig={self.kubeconfig_of(user)}",
            *self._client_flags(user),
            "--bind-address=127.0.0.1",
            f"--secure-port={self.ports.controllers}",
            f"--cert-dir={self._place.keys}/controllers",
            "--leader-elect=false",
            "--use-service-account-credentials",
            # Forty controllers fetch their credentials at once: the default 20/30 costs 5 s.
            "--kube-api-qps=75",
            "--kube-api-burst=150",
            f"--service-account-private-key-file={self._place.keys}/accounts.key",
            f"--root-ca-file={self.authority}",
            # Bare nodes have nobody who renews their lease.
            "--controllers=*,-node-lifecycle-controller",
            *self._plan.gate_flags(),
        ]

    def _scheduler(self) -> list[str]:
        user = "system:kube-scheduler"
        config = self._place.keys / "scheduler.json"
        config.write_text(scheduler_configuration(self._plan, self.kubeconfig_of(user)))
        return [
            f"--config={config}",
            *self._client_flags(user),
            "--bind-address=127.0.0.1",
            f"--secure-port={self.ports.scheduler}",
            f"--cert-dir={self._place.keys}/scheduler",
            *self._plan.gate_flags(),
        ]
